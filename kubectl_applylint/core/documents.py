"""The objects of a run as somebody wrote them, with the places where they stand in files."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, overload

from kubectl_applylint.core.location import NOWHERE, Location, Positions, Span
from kubectl_applylint.core.paths import Path
from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.state import Identity, ObjectRef, Unknown
from kubectl_applylint.core.values import JsonObject


@dataclass(frozen=True, slots=True)
class InCluster:
    """Positions of an object that no text holds."""

    def key(self, path: Path) -> Span | None:
        """Return ``None``: no key of it is written anywhere."""

    def value(self, path: Path) -> Span | None:
        """Return ``NOWHERE`` for the object itself."""
        return None if path else NOWHERE


def _of_own_file(path: Path) -> None:
    return None


@dataclass(frozen=True, slots=True)
class Rendering:
    """What makes objects that no file has as they are applied: a kustomization, a chart, or what writes to a pipe.

    ``command`` writes all objects of it to standard output. ``argument`` is how this program is given them: ``-k app``,
    which kubectl takes too, ``-f helm:CHART`` or ``-f -``.
    """

    command: str
    argument: str
    release: str = ""
    """The name of the release that a chart was rendered for; empty where it is no chart."""
    chart: str = ""
    """The chart and its values as ``helm upgrade`` is given them."""
    is_single: bool = False
    """Whether commands are given one object of it alone."""


@dataclass(frozen=True, slots=True)
class Document:
    """One object of the input. ``index`` counts the objects of its file from 0.

    ``has_manifest`` is false for an object of the cluster whose manifest nobody knows: ``object`` then only names it.
    """

    file: str
    index: int
    object: JsonObject
    ref: ObjectRef
    positions: Positions = field(repr=False, compare=False)
    has_manifest: bool = True
    repeated: Callable[[], Sequence[tuple[Path, int]]] = field(default=tuple, repr=False, compare=False)
    """Gives the keys that the text has twice with other values, and in which line each stands first."""
    source: JsonObject | None = field(default=None, repr=False, compare=False)
    """What a kustomization has made the object of, as the file has that; ``None`` where it was not rendered."""
    written: JsonObject | None = field(default=None, repr=False, compare=False)
    """The manifest in the version in which it is written, ``None`` where that is the one of ``object``."""
    set_at: Callable[[Path], Location | None] = field(default=_of_own_file, repr=False, compare=False)
    """Gives where another file sets a value that ``file`` has otherwise or not at all, such as a patch."""
    is_templated: bool = False
    """Whether ``file`` is a template, which a chart has made the object of."""
    rendering: Rendering | None = field(default=None, repr=False, compare=False)
    """What makes the object, ``None`` where ``file`` has it as it is applied."""

    def locate(self, path: Path) -> Location:
        """Return where ``path`` is written, or else the nearest thing around it that is."""
        for length in range(len(path), -1, -1):
            span = self.positions.key(path[:length]) or self.positions.value(path[:length])
            if span is not None:
                return Location(self.file, span)
        return Location(self.file, Span(1, 1, 1, 1))

    def origin(self, path: Path) -> Location:
        """Return what ``locate`` does, or where another file sets the value at ``path``."""
        is_here = self.positions.key(path) or self.positions.value(path)
        return self.locate(path) if is_here else self.set_at(path) or self.locate(path)


NO_BASE: Final = Unknown("no earlier revision to compare with was specified")
"""What is known of the compared revision when the run compares with none."""


@dataclass(frozen=True, slots=True)
class Documents:
    """The documents of a run, found again by name and by kind; ten thousand of them have as many peers each.

    They are sorted by these once somebody looks for one, which a plan seldom does.
    """

    every: tuple[Document, ...]
    _names: dict[Identity, list[int]] = field(default_factory=dict, repr=False, compare=False)
    _kinds: dict[tuple[str, str], list[int]] = field(default_factory=dict, repr=False, compare=False)

    def _sort(self) -> None:
        if self._names:
            return
        for position, document in enumerate(self.every):
            ref = document.ref
            self._names.setdefault(ref.identity, []).append(position)
            self._kinds.setdefault((f"{ref.kind}.{ref.group}", ref.namespace), []).append(position)

    def named(self, ref: ObjectRef) -> Sequence[int]:
        """Return where documents of this object stand, in ascending order, whatever their version."""
        self._sort()
        return self._names.get(ref.identity, ())

    def of_kind(self, kind: str, namespace: str) -> Iterator[int]:
        """Yield where documents of ``Kind.group`` stand in a namespace, and those whose namespace nobody knows."""
        self._sort()
        for place in dict.fromkeys((namespace, "")):
            yield from self._kinds.get((kind, place), ())


@dataclass(frozen=True, slots=True)
class Peers(Sequence[Document]):
    """The documents of a run but the one at ``position``; where that is past the end, all as ``ref`` meets them."""

    documents: Documents
    position: int
    ref: ObjectRef

    def __len__(self) -> int:
        return len(self.documents.every) - (self.position < len(self.documents.every))

    @overload
    def __getitem__(self, index: int) -> Document: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Document]: ...
    def __getitem__(self, index: int | slice) -> Document | Sequence[Document]:
        every, position = self.documents.every, self.position
        return (every[:position] + every[position + 1 :])[index]

    def __iter__(self) -> Iterator[Document]:
        return (document for place, document in enumerate(self.documents.every) if place != self.position)

    def namesakes(self) -> Iterator[Document]:
        """Yield the other documents of the same object, whatever their version, in the order of the run."""
        return self.at(self.ref)

    def at(self, ref: ObjectRef) -> Iterator[Document]:
        """Yield the others of this object, whatever their version."""
        return self._but_this(self.documents.named(ref))

    def of_kind(self, kind: str) -> Iterator[Document]:
        """Yield the others of ``Kind.group`` in the same namespace, and those whose namespace nobody knows."""
        return self._but_this(self.documents.of_kind(kind, self.ref.namespace))

    def _but_this(self, places: Iterable[int]) -> Iterator[Document]:
        return (self.documents.every[place] for place in places if place != self.position)
