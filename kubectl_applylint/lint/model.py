"""What rules are made of, what they look at, and what they find."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import accumulate
from typing import Any, Literal, TypeAlias, TypeVar

from kubectl_applylint.appliers.flags import NO_FLAGS, Flags
from kubectl_applylint.core.documents import NO_BASE, Document, Peers
from kubectl_applylint.core.location import Location
from kubectl_applylint.core.outcome import FieldError, Outcome, Verdict
from kubectl_applylint.core.paths import Path
from kubectl_applylint.core.problem import Compared, Problem
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.state import Knowledge, ObjectRef, State
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.engine.cluster_diff import NO_DIFF, ClusterDiff, Unapplied
from kubectl_applylint.engine.errors import ErrorText
from kubectl_applylint.lint.fixes.field_edits import FieldEdit
from kubectl_applylint.schema.types import Kind, Schema

_Made = TypeVar("_Made")


class Scenario(StrEnum):
    """Which apply is asked about."""

    APPLY = "apply"
    """The manifest on the live object as it is known."""
    AGAIN = "again"
    """The same manifest a second time."""
    FRESH = "fresh"
    """The manifest where the object does not exist."""


class LiveAssumption(StrEnum):
    """What may be live where nobody looked, but earlier manifests are known."""

    FRESH = "fresh install"
    """The object does not exist."""
    UPGRADE = "upgrade"
    """It is what the earlier manifests made."""
    DRIFTED = "drifted"
    """It is that, and others have changed it since."""


class Certainty(StrEnum):
    """How sure it is that a hazard strikes in some case."""

    MUST = "must"
    MAY = "may"
    CANNOT = "cannot"


@dataclass(frozen=True, slots=True)
class Applicability:
    """How sure it is that a hazard strikes in a case, and under which condition where it only may."""

    case: LiveAssumption
    sure: Certainty
    condition: str = ""


@dataclass(frozen=True, slots=True)
class Holder:
    """What a program takes its objects for the property of: a release, a Kustomization, an Application, an app."""

    name: str
    namespace: str = ""

    def __str__(self) -> str:
        return f"{self.name} in {self.namespace}" if self.namespace else self.name


@dataclass(frozen=True, slots=True)
class OtherUnit:
    """The same object in another unit of the repository that is applied to the same target.

    ``holder`` is that of the other unit if one program applies both and each would have the object for itself.
    """

    root: str
    document: Document
    holder: Holder | None = None


@dataclass(frozen=True, slots=True)
class Subject:
    """One object under examination and all that a check may ask about it."""

    document: Document
    state: State
    kind: Kind | None
    schema: Schema = field(repr=False)
    peers: Peers = field(repr=False)
    """The other objects of the run."""
    predict: Callable[[Scenario], Outcome] = field(repr=False, compare=False)
    """Gives the outcome of a scenario; asks the engine once for each."""
    base: Knowledge = NO_BASE
    """The object as the revision has it that the run compares with."""
    explained: tuple[FieldError, ...] = ()
    """Why the apply is refused, as far as other rules have explained it already."""
    flags: Flags = NO_FLAGS
    """How the manifests of the run are applied."""
    earlier: Document | None = field(default=None, repr=False, compare=False)
    """Where the compared revision has the object."""
    alternatives: tuple["Alternative", ...] = field(default=(), repr=False, compare=False)
    """What may be live instead of ``state``, where that was only predicted."""
    cluster_diff: ClusterDiff = field(default=NO_DIFF, repr=False, compare=False)
    """What the run makes of the objects around it."""
    unapplied: Unapplied | None = None
    """Set for an object that the run does not apply: what becomes of it. ``predict`` tells so too, in any scenario."""
    other_units: tuple[OtherUnit, ...] = field(default=(), repr=False, compare=False)
    """The units with the same object that are known to be applied to the same target."""
    told: dict[tuple[object, object], Any] = field(default_factory=dict, repr=False, compare=False)
    """What several checks have worked out, see ``once``."""

    def once(self, work: Callable[["Subject"], _Made]) -> _Made:
        """Return what ``work`` makes of the object and its outcomes, made once for all rules that ask for it."""
        key = (work, self.predict)
        if key not in self.told:
            self.told[key] = work(self)
        made: _Made = self.told[key]
        return made

    @property
    def ref(self) -> ObjectRef:
        """The object's name."""
        return self.document.ref

    @property
    def manifest(self) -> JsonObject:
        """The object as the file has it."""
        return self.document.object


@dataclass(frozen=True, slots=True)
class Alternative:
    """The subject in another case. ``assumption`` says what must have happened, in words that follow "if".

    ``earlier`` has the manifest from before the change in the same case, if there is one. It is ``subject`` itself if
    the manifest did not change.
    """

    case: LiveAssumption
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
    explains: tuple[FieldError, ...] = ()
    """Causes of a refusal that it explains, beside those that the rule's ``errors`` describe."""
    edits: tuple[FieldEdit, ...] = ()
    """What to edit in the manifest, where the check knows; only rules with ``edit: check`` offer it."""


Hits: TypeAlias = Iterator[Hit]
Params: TypeAlias = Mapping[str, Json]
"""The parameters that a rule gives to its check, which yields ``Hits``."""


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
    UNAPPLIED = "unapplied"
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
    family: str = ""
    """The name of its family; empty where it belongs to none."""
    refines: tuple[str, ...] = ()
    """Ids of more general rules, which keep silent where this one finds something at the same path of an object."""
    errors: tuple[ErrorText, ...] = ()
    """What the server or kubectl says where the rule is the explanation."""
    remedy: str = ""
    """The way out of a refusal in a few words, a template as the message is."""
    ignorable: bool = True
    """Whether somebody may hide what it finds."""
    units: tuple[str, ...] = ()
    """The tools whose units it is also about where these are predicted as applied by kubectl."""
    is_once: bool = False
    """Whether what it says of several objects of one apply in the same words is one finding, with all their places."""
    severity_in_unit: Severity | None = None
    """How much it weighs in a unit of a repository, where it is not certain that the unit is applied as it is."""
    assumes: tuple[str, ...] = ()
    """What its findings in units may depend on (``assumptions.Assumption``): where they do, they are warnings."""
    edit: str = ""
    """How it edits the manifest (``wanted_edits.EDITS``); empty where a person has to decide or type it."""
    by_hand: int = 0
    """How many lines ``fix`` begins with that say what ``edit`` does; a proven edit replaces them."""
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
class Edit:
    """A part of a file and the text that stands there instead; empty to delete it."""

    location: Location
    text: str


@dataclass(frozen=True, slots=True)
class Proof:
    """What the edits or commands of a finding lead to in each open case: it is gone, and nothing new is found."""

    verdict: Verdict
    was: Verdict | None = None
    """What the apply comes to without them, if it is rejected."""
    is_settled: bool = True
    """Whether a further apply of the edited manifest leaves everything unchanged."""
    restarts: bool = False
    """Whether they make pods restart."""
    changes: tuple[str, ...] = ()
    """The live fields that change although they do not without them."""
    cases: tuple[LiveAssumption, ...] = ()
    """The cases in which all this holds; empty if it holds in every case that is open."""


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
    applies: tuple[Applicability, ...] = ()
    """When it strikes, where nobody has seen the live object; empty where there is but one case."""
    units: tuple[str, ...] = ()
    """The roots of the units that it is about, where a run is about those of a repository."""
    edits: tuple[Edit, ...] = ()
    """What fixes it in files, where that is proven; empty where a fix is made elsewhere."""
    proof: Proof | None = None
    """What comes of ``edits``, where there are any."""
    command_proofs: tuple[tuple[int, Proof], ...] = ()
    """What comes of commands of ``fix``, with the manifest as it is: with the number of the last part (``parts``)."""
    wanted: tuple[FieldEdit, ...] = field(default=(), repr=False)
    """What its rule wants to have edited, proven or not."""
    fingerprint: str = ""
    """What stays the same while lines move (``baseline``); no two findings of a report have the same."""


@dataclass(frozen=True, slots=True)
class Skip:
    """Rules that could not run on an object, and why: most for the same reason."""

    rules: tuple[str, ...]
    ref: ObjectRef
    reason: str


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
class UnitReport:
    """One unit of a repository that a run is about.

    ``root`` is its path in the repository, ``.`` for the root; ``target`` the cluster, empty if unknown; ``origin`` why
    it is a unit, ``reason`` why not all of it was compared, ``accepted`` why that is accepted; ``applies`` how many of
    the outcomes of the report are its own: they come in the order of the units.
    """

    root: str
    form: str
    tool: str
    namespace: str = ""
    target: str = ""
    origin: str = ""
    compared: Compared = Compared.YES
    reason: str = ""
    accepted: str = ""
    applies: int = 0
    checked: int = 0


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
    known: int = 0
    """How many findings of a change were there before it, and are left out."""
    fixed: int = 0
    """How many findings were there before a change, and are not any more, though their objects still are."""
    units: tuple[UnitReport, ...] = ()

    @property
    def by_unit(self) -> Sequence[tuple[UnitReport, tuple[tuple[Document, Outcome], ...]]]:
        """Each unit with its outcomes."""
        ends = list(accumulate(unit.applies for unit in self.units))
        return [(unit, self.outcomes[end - unit.applies : end]) for unit, end in zip(self.units, ends, strict=True)]
