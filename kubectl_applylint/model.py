"""What a run is made of: documents and their places, the rules, and what they found."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final, Literal, TypeAlias, overload

from kubectl_applylint.appliers.flags import NO_FLAGS, Flags
from kubectl_applylint.errors import ErrorText
from kubectl_applylint.location import NOWHERE, Location, Positions, Span
from kubectl_applylint.outcome import Outcome, Refusal
from kubectl_applylint.passage import NO_PASSAGE, Departure, Passage
from kubectl_applylint.paths import Path
from kubectl_applylint.schema.types import Kind, Schema
from kubectl_applylint.state import Identity, Knowledge, ObjectRef, State, Unknown
from kubectl_applylint.values import Json, JsonObject


@dataclass(frozen=True, slots=True)
class InCluster:
    """Positions of an object that no text holds."""

    def key(self, path: Path) -> Span | None:
        """Return ``None``: no key of it is written anywhere."""

    def value(self, path: Path) -> Span | None:
        """Return ``NOWHERE`` for the object itself."""
        return None if path else NOWHERE


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

    def locate(self, path: Path) -> Location:
        """Return where ``path`` is written, or else the nearest thing around it that is."""
        for length in range(len(path), -1, -1):
            span = self.positions.key(path[:length]) or self.positions.value(path[:length])
            if span is not None:
                return Location(self.file, span)
        return Location(self.file, Span(1, 1, 1, 1))


class Scenario(StrEnum):
    """Which apply is asked about."""

    APPLY = "apply"
    """The manifest on the live object as it is known."""
    AGAIN = "again"
    """The same manifest a second time."""
    FRESH = "fresh"
    """The manifest where the object does not exist."""


class Case(StrEnum):
    """What may be live where nobody looked, but earlier manifests are known."""

    FRESH = "fresh install"
    """The object does not exist."""
    UPGRADE = "upgrade"
    """It is what the earlier manifests made."""
    DRIFTED = "drifted"
    """It is that, and others have changed it since."""


class Sure(StrEnum):
    """How sure it is that a hazard strikes in some case."""

    MUST = "must"
    MAY = "may"
    CANNOT = "cannot"


@dataclass(frozen=True, slots=True)
class Strike:
    """How sure it is that a hazard strikes in a case, and under which condition where it only may."""

    case: Case
    sure: Sure
    condition: str = ""


NO_BASE: Final = Unknown("no earlier revision to compare with was named")
"""What is known of the compared revision when the run compares with none."""


@dataclass(frozen=True, slots=True)
class Documents:
    """The documents of a run, found again by name and by kind; ten thousand of them have as many peers each."""

    every: tuple[Document, ...]
    _names: dict[Identity, list[int]] = field(default_factory=dict, repr=False, compare=False)
    _kinds: dict[tuple[str, str], list[int]] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        for position, document in enumerate(self.every):
            ref = document.ref
            self._names.setdefault(ref.identity, []).append(position)
            self._kinds.setdefault((f"{ref.kind}.{ref.group}", ref.namespace), []).append(position)

    def named(self, ref: ObjectRef) -> Iterator[int]:
        """Yield where documents of this object stand, whatever their version."""
        return iter(self._names.get(ref.identity, ()))

    def of_kind(self, kind: str, namespace: str) -> Iterator[int]:
        """Yield where documents of ``Kind.group`` stand in a namespace, and those whose namespace nobody knows."""
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

    def _but_this(self, places: Iterator[int]) -> Iterator[Document]:
        return (self.documents.every[place] for place in places if place != self.position)


@dataclass(frozen=True, slots=True)
class Subject:
    """One object under examination and all that a check may ask about it."""

    document: Document
    state: State
    kind: Kind | None
    schema: Schema = field(repr=False)
    peers: Peers = field(repr=False)
    """The other objects of the run."""
    foretell: Callable[[Scenario], Outcome] = field(repr=False, compare=False)
    """Gives the outcome of a scenario; asks the engine once for each."""
    base: Knowledge = NO_BASE
    """The object as the revision has it that the run compares with."""
    explained: tuple[Refusal, ...] = ()
    """Why the apply is refused, as far as other rules have explained it already."""
    flags: Flags = NO_FLAGS
    """How the manifests of the run are applied."""
    earlier: Document | None = field(default=None, repr=False, compare=False)
    """Where the compared revision has the object."""
    otherwise: tuple["Otherwise", ...] = field(default=(), repr=False, compare=False)
    """What may be live instead of ``state``, where that was only foretold."""
    passage: Passage = field(default=NO_PASSAGE, repr=False, compare=False)
    """What the run makes of the objects around it."""
    departure: Departure | None = None
    """Set for an object that the run does not apply: what becomes of it. ``foretell`` tells so too, in any scenario."""

    @property
    def ref(self) -> ObjectRef:
        """The object's name."""
        return self.document.ref

    @property
    def manifest(self) -> JsonObject:
        """The object as the file has it."""
        return self.document.object


@dataclass(frozen=True, slots=True)
class Otherwise:
    """The subject in another case. ``assumption`` says what must have happened, in words that follow "if".

    ``earlier`` is the manifest from before the change in the same case, where there is one.
    """

    case: Case
    assumption: str
    subject: Subject
    earlier: Subject | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """What a check found: where, and the facts that the rule's words are filled with."""

    path: Path
    facts: Mapping[str, Json] = field(default_factory=dict)
    related: tuple[tuple[Document, Path, str], ...] = ()
    """Other places that belong to it, with a note each."""
    explains: tuple[Refusal, ...] = ()
    """Causes of a refusal that it explains, beside those that the rule's ``errors`` describe."""


class Severity(StrEnum):
    """How much a finding weighs."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"

    @property
    def rank(self) -> int:
        """0 for the heaviest."""
        return list(Severity).index(self)


class Need(StrEnum):
    """What a rule has to be given before it can run."""

    MANIFEST = "manifest"
    BASE = "base"
    LAST_APPLIED = "last-applied"
    LIVE = "live"
    PEERS = "peers"
    FLAGS = "flags"
    UNEXPLAINED = "unexplained"
    """To know which causes of a refusal no other rule explains, so that the rule runs after these."""
    DEPARTURE = "departure"
    """An object that the run does not apply although it is there; rules without this need are not about those."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule folder: which check with which parameters, and all of its words."""

    id: str
    summary: str
    severity: Severity
    confidence: str
    since: str
    needs: tuple[Need, ...]
    kinds: tuple[str, ...]
    """Kinds that it applies to (``Deployment``), empty for all."""
    appliers: tuple[str, ...]
    check: str
    """Empty for a rule that finds nothing beforehand and only explains errors."""
    params: Mapping[str, Json]
    message: str
    why: str
    fix: str
    see: tuple[str, ...]
    hazards: tuple[str, ...]
    folder: str = field(compare=False)
    errors: tuple[ErrorText, ...] = ()
    """What the server or kubectl says where the rule is the explanation."""
    remedy: str = ""
    """The way out of a refusal in a few words, a template as the message is."""
    ignorable: bool = True
    """Whether somebody may hide what it finds."""
    translations: Mapping[str, Mapping[str, str]] = field(default_factory=dict, repr=False)
    """Its words in other languages: by language (``ja``) and by the name of the field that they stand for."""

    def told_in(self, language: str) -> "Rule":
        """Return the rule with its words in a language; those that nobody has translated stay English."""
        return replace(self, **self.translations.get(language, {}))  # type: ignore[arg-type]  # all of them texts

    @property
    def apply(self) -> str:
        """The apply that its commands speak of where no run says how it is called."""
        return "kubectl apply --server-side" if self.appliers == ("kubectl-server",) else "kubectl apply"

    @property
    def order(self) -> tuple[bool, bool]:
        """Which rules explain a refusal first: those about one thing, then those about many, then what takes any."""
        return (Need.UNEXPLAINED in self.needs, not self.errors)


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that belongs to a finding."""

    location: Location
    note: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One hit of one rule, in words, at a place."""

    rule: str
    severity: Severity
    confidence: str
    ref: ObjectRef
    path: Path
    location: Location
    message: str
    fix: str
    related: tuple[Related, ...] = ()
    remedy: str = ""
    strikes: tuple[Strike, ...] = ()
    """When it strikes, where nobody has seen the live object; empty where there is but one case."""
    fingerprint: str = ""
    """What stays the same while lines move (``baseline``); no two findings of a report have the same."""


@dataclass(frozen=True, slots=True)
class Skip:
    """A rule that could not run on an object, and why."""

    rule: str
    ref: ObjectRef
    reason: str


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that could not be read, asked or computed. ``where`` is ``file:line:column``, a file or an object."""

    where: str
    message: str
    advice: str = ""
    document: Document | None = field(default=None, repr=False, compare=False)
    """The object that kubectl leaves out because of it, where it is one."""
    is_refused: bool = field(default=False, compare=False)
    """Whether it was read whole, and kubectl refuses what it says."""


class Unreadable(Exception):
    """Something that a run cannot do without could not be read; ``problem`` says what."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        super().__init__(f"{problem.where}: {problem.message}")


Means: TypeAlias = Literal["comment", "annotation", "configuration", "baseline"]
"""What can hide findings."""


@dataclass(frozen=True, slots=True)
class Suppressed:
    """A finding that is hidden, the reason that is written where this is said, maybe empty, and by what."""

    finding: Finding
    reason: str
    means: Means = "comment"


@dataclass(frozen=True, slots=True)
class Remark:
    """What is wrong with something that hides findings: it has expired, say, or hides nothing."""

    location: Location
    message: str


@dataclass(frozen=True, slots=True)
class Report:
    """All that a run found out, in the order in which it is shown."""

    findings: tuple[Finding, ...] = ()
    outcomes: tuple[tuple[Document, Outcome], ...] = ()
    skips: tuple[Skip, ...] = ()
    problems: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()
    """What the run was compared against and what it left out, in words."""
    checked: int = 0
    """How many objects were examined."""
    suppressed: tuple[Suppressed, ...] = ()
    remarks: tuple[Remark, ...] = ()
