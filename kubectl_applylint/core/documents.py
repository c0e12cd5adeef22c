"""The input objects of a run as written, with their positions in files."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, overload

from kubectl_applylint.core.location import NOWHERE, Location, Positions, Span
from kubectl_applylint.core.paths import Path
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.state import Identity, ObjectRef, Unknown
from kubectl_applylint.core.values import JsonObject, mapping


@dataclass(frozen=True, slots=True)
class InCluster:
    """Positions of an object that exists only in the cluster."""

    def key(self, path: Path) -> Span | None:
        """Return ``None``: no key of the object is written in a file."""

    def value(self, path: Path) -> Span | None:
        """Return ``NOWHERE`` for the object itself."""
        return None if path else NOWHERE


def _no_location(path: Path) -> None:
    return None


@dataclass(frozen=True, slots=True)
class Rendering:
    """The source of rendered objects: a kustomization, a chart, or a command that writes to a pipe.

    ``command`` writes all its objects to standard output. ``argument`` is the argument of this program for it: ``-k
    app``, which kubectl accepts as well, ``-f helm:CHART`` or ``-f -``.
    """

    command: str
    argument: str
    release: str = ""
    """The release name that the chart was rendered with; empty if it is not a chart."""
    chart: str = ""
    """The chart and its values as arguments of ``helm upgrade``."""
    is_single: bool = False
    """Whether commands receive one of its objects alone."""


@dataclass(frozen=True, slots=True)
class Document:
    """One object of the input. ``index`` counts the objects of its file from 0.

    ``has_manifest`` is false for a cluster object whose manifest is unknown: ``object`` then only identifies it.
    """

    file: str
    index: int
    object: JsonObject
    ref: ObjectRef
    positions: Positions = field(repr=False, compare=False)
    has_manifest: bool = True
    repeated: Callable[[], Sequence[tuple[Path, int]]] = field(default=tuple, repr=False, compare=False)
    """Returns the duplicate keys of the text that have different values, each with the line of its first occurrence."""
    source: JsonObject | None = field(default=None, repr=False, compare=False)
    """The object as written in ``file`` before kustomize changed it; ``None`` if it was not rendered."""
    written: JsonObject | None = field(default=None, repr=False, compare=False)
    """The manifest in the API version in which it is written; ``None`` if ``object`` has that version."""
    set_at: Callable[[Path], Location | None] = field(default=_no_location, repr=False, compare=False)
    """Returns the place in another file, such as a patch, that sets a value which ``file`` does not set."""
    is_templated: bool = False
    """Whether the object was rendered from a template, which is ``file`` if its path is known."""
    is_of_chart: bool = False
    """Whether ``file`` has the object that declares the chart, and not the template."""
    rendering: Rendering | None = field(default=None, repr=False, compare=False)
    """What renders the object; ``None`` if ``file`` contains it as applied."""

    def locate(self, path: Path) -> Location:
        """Return where ``path`` is written, or else its nearest written ancestor."""
        for length in range(len(path), -1, -1):
            span = self.positions.key(path[:length]) or self.positions.value(path[:length])
            if span is not None:
                return Location(self.file, span)
        return Location(self.file, Span(1, 1, 1, 1))

    def origin(self, path: Path) -> Location:
        """Return where the value at ``path`` comes from: another file that sets it, or the result of ``locate``."""
        is_here = self.positions.key(path) or self.positions.value(path)
        return self.locate(path) if is_here else self.set_at(path) or self.locate(path)


def in_namespace(document: Document, namespace: str) -> Document:
    """Return the document moved to this namespace."""
    metadata = {**mapping(document.object.get("metadata")), "namespace": namespace}
    ref = replace(document.ref, namespace=namespace)
    return replace(document, object={**document.object, "metadata": metadata}, ref=ref)


NO_BASE: Final = Unknown("no earlier revision to compare with was specified")
"""The state of the compared revision if the run compares with none."""


@dataclass(frozen=True, slots=True)
class Documents:
    """The documents of a run, with indexes by name and by kind.

    The indexes are built on the first lookup, which a plan seldom needs. Without them, ten thousand documents with as
    many peers each would take too long.
    """

    every: tuple[Document, ...]
    _names: dict[Identity, list[int]] = field(default_factory=dict, repr=False, compare=False)
    _kinds: dict[tuple[str, str], list[int]] = field(default_factory=dict, repr=False, compare=False)

    def _sort(self) -> None:
        """Build the indexes by name and by kind, once."""
        if self._names:
            return
        for position, document in enumerate(self.every):
            ref = document.ref
            self._names.setdefault(ref.identity, []).append(position)
            self._kinds.setdefault((f"{ref.kind}.{ref.group}", ref.namespace), []).append(position)

    def positions_of(self, ref: ObjectRef) -> Sequence[int]:
        """Return the positions of the documents of this object in any version, ascending."""
        self._sort()
        return self._names.get(ref.identity, ())

    def of_kind(self, kind: str, namespace: str) -> Iterator[int]:
        """Yield the positions of documents of ``Kind.group`` in a namespace, or of unknown namespace."""
        self._sort()
        for place in dict.fromkeys((namespace, "")):
            yield from self._kinds.get((kind, place), ())


@dataclass(frozen=True, slots=True)
class Peers(Sequence[Document]):
    """The documents of a run except the one at ``position``.

    A position past the end excludes none: all documents are peers of ``ref``.
    """

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
        """Yield the other documents of the same object in any version, in the order of the run."""
        return self.at(self.ref)

    def at(self, ref: ObjectRef) -> Iterator[Document]:
        """Yield the other documents of this object in any version."""
        return self._but_this(self.documents.positions_of(ref))

    def of_kind(self, kind: str) -> Iterator[Document]:
        """Yield the other documents of ``Kind.group`` in the same namespace, and those whose namespace is unknown."""
        return self._but_this(self.documents.of_kind(kind, self.ref.namespace))

    def _but_this(self, places: Iterable[int]) -> Iterator[Document]:
        """Yield the documents at some positions except this one."""
        return (self.documents.every[place] for place in places if place != self.position)
