"""The data model of rules, their subjects and their findings."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import accumulate
from typing import Any, Literal, TypeAlias, TypeVar

from kubectl_applylint.appliers.flags import NO_FLAGS, Flags
from kubectl_applylint.core.documents import NO_BASE, Document, Peers
from kubectl_applylint.core.holes import Hole
from kubectl_applylint.core.location import Location
from kubectl_applylint.core.outcome import FieldError, Outcome, Verdict
from kubectl_applylint.core.paths import Path
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.state import Knowledge, ObjectRef, State
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.engine.cluster_diff import NO_DIFF, ClusterDiff, Unapplied
from kubectl_applylint.engine.errors import ErrorText
from kubectl_applylint.lint.fixes.field_edits import FieldEdit
from kubectl_applylint.lint.unit_report import UnitReport
from kubectl_applylint.schema.types import Kind, Schema

_Made = TypeVar("_Made")


class Scenario(StrEnum):
    """The apply whose outcome is requested."""

    APPLY = "apply"
    """The manifest on the live object as it is known."""
    AGAIN = "again"
    """The same manifest a second time."""
    FRESH = "fresh"
    """The manifest where the object does not exist."""


class LiveAssumption(StrEnum):
    """The possible live objects if only earlier manifests are known."""

    FRESH = "fresh install"
    """The object does not exist."""
    UPGRADE = "upgrade"
    """The object is the result of the earlier manifests."""
    DRIFTED = "drifted"
    """The object is that, changed by others since."""


class Certainty(StrEnum):
    """The certainty that a hazard occurs in a case."""

    MUST = "must"
    MAY = "may"
    CANNOT = "cannot"


@dataclass(frozen=True, slots=True)
class Applicability:
    """The certainty of a hazard in a case, with the condition of one that only may occur."""

    case: LiveAssumption
    sure: Certainty
    condition: str = ""


@dataclass(frozen=True, slots=True)
class Holder:
    """The owner that a program records for its objects: a release, a Kustomization, an Application, an app."""

    name: str
    namespace: str = ""
    is_exclusive: bool = field(default=False, compare=False)
    """Whether the apply fails, in place of taking the object over from another owner."""

    def __str__(self) -> str:
        return f"{self.name} in {self.namespace}" if self.namespace else self.name


@dataclass(frozen=True, slots=True)
class OtherUnit:
    """The same object in another unit of the repository that is applied to the same target.

    ``holder`` is the owner that the other unit records if one program applies both and each claims the object.
    """

    root: str
    document: Document
    holder: Holder | None = None


@dataclass(frozen=True, slots=True)
class Subject:
    """One object under examination, with everything that a check may read."""

    document: Document
    state: State
    kind: Kind | None
    schema: Schema = field(repr=False)
    peers: Peers = field(repr=False)
    """The other objects of the run."""
    predict: Callable[[Scenario], Outcome] = field(repr=False, compare=False)
    """Returns the outcome of a scenario; calls the engine once for each."""
    base: Knowledge = NO_BASE
    """The object in the revision that the run compares with."""
    explained: tuple[FieldError, ...] = ()
    """The errors of a rejected apply that other rules have already explained."""
    flags: Flags = NO_FLAGS
    """The flags of the apply."""
    earlier: Document | None = field(default=None, repr=False, compare=False)
    """The document of the object in the compared revision."""
    alternatives: tuple["Alternative", ...] = field(default=(), repr=False, compare=False)
    """The other possible live objects if ``state`` was only predicted."""
    cluster_diff: ClusterDiff = field(default=NO_DIFF, repr=False, compare=False)
    """The effect of the run on other objects."""
    unapplied: Unapplied | None = None
    """The fate of an object that the run does not apply, else ``None``; ``predict`` then always returns it."""
    other_units: tuple[OtherUnit, ...] = field(default=(), repr=False, compare=False)
    """The units with the same object that are known to be applied to the same target."""
    shared_results: dict[tuple[object, object], Any] = field(default_factory=dict, repr=False, compare=False)
    """Results that several checks share, see ``once``."""

    def once(self, work: Callable[["Subject"], _Made]) -> _Made:
        """Return ``work(self)``, computed once for all rules that request it."""
        key = (work, self.predict)
        if key not in self.shared_results:
            self.shared_results[key] = work(self)
        made: _Made = self.shared_results[key]
        return made

    @property
    def ref(self) -> ObjectRef:
        """The object's name."""
        return self.document.ref

    @property
    def manifest(self) -> JsonObject:
        """The object in the file."""
        return self.document.object


@dataclass(frozen=True, slots=True)
class Alternative:
    """The subject in another case. ``assumption`` is the condition, in words that follow "if".

    ``earlier`` has the manifest from before the change in the same case, if there is one. It is ``subject`` itself if
    the manifest did not change.
    """

    case: LiveAssumption
    assumption: str
    subject: Subject
    earlier: Subject | None = None
    drifted: Path | None = None
    """The only field that differs from the predicted live object; ``None`` if there are more, or none."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A match of a check: the path and the facts for the rule's message."""

    path: Path
    facts: Mapping[str, Json] = field(default_factory=dict)
    related: tuple[tuple[Document, Path, str], ...] = ()
    """Other places that belong to it, with a note each."""
    explains: tuple[FieldError, ...] = ()
    """Errors of a rejection that it explains, besides those that match the rule's ``errors``."""
    edits: tuple[FieldEdit, ...] = ()
    """Edits of the manifest that the check proposes; only rules with ``edit: check`` offer them."""


Hits: TypeAlias = Iterator[Hit]
Params: TypeAlias = Mapping[str, Json]
"""The parameters of a rule for its check, which yields ``Hits``."""


class Severity(StrEnum):
    """The severity of a finding."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"

    @property
    def rank(self) -> int:
        """The rank of the severity, 0 for errors."""
        return list(Severity).index(self)


class Need(StrEnum):
    """Data that a rule requires."""

    MANIFEST = "manifest"
    BASE = "base"
    LAST_APPLIED = "last-applied"
    LIVE = "live"
    PEERS = "peers"
    FLAGS = "flags"
    UNEXPLAINED = "unexplained"
    """The errors of a rejection that no other rule explains; the rule runs after all others."""
    UNAPPLIED = "unapplied"
    """An existing object that the run does not apply; only rules with this need examine such objects."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule folder: the check with its parameters, and all texts."""

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
    """Empty for a rule that only explains printed errors."""
    params: Mapping[str, Json]
    message: str
    why: str
    fix: str
    see: tuple[str, ...]
    hazards: tuple[str, ...]
    folder: str = field(compare=False)
    family: str = ""
    """The name of its family, empty if it has none."""
    refines: tuple[str, ...] = ()
    """Ids of more general rules, whose findings at the same path of an object are dropped."""
    errors: tuple[ErrorText, ...] = ()
    """Patterns of server and kubectl messages that the rule explains."""
    remedy: str = ""
    """The remedy for a rejection in a few words, a template like the message."""
    ignorable: bool = True
    """Whether its findings can be hidden."""
    units: tuple[str, ...] = ()
    """The tools whose units it also examines if these are predicted as applied by kubectl."""
    is_once: bool = False
    """Whether findings with equal messages in one apply become one finding with all places."""
    severity_in_unit: Severity | None = None
    """Its severity in units of a repository, which may be applied in another form."""
    assumes: tuple[str, ...] = ()
    """Assumptions that turn its findings in units into warnings (``assumptions.Assumption``)."""
    edit: str = ""
    """Its edit of the manifest (``wanted_edits.EDITS``), empty if a person has to decide or type it."""
    by_hand: int = 0
    """The number of lines at the start of ``fix`` that describe ``edit``; a proven edit replaces them."""
    translations: Mapping[str, Mapping[str, str]] = field(default_factory=dict, repr=False)
    """Its texts in other languages, by language (``ja``) and field name."""

    def in_language(self, language: str) -> "Rule":
        """Return the rule with its texts in a language; untranslated texts stay English."""
        return replace(self, **self.translations.get(language, {}))  # type: ignore[arg-type]  # all of them texts

    @property
    def apply(self) -> str:
        """The apply command in its texts if there is no run."""
        return "kubectl apply --server-side" if self.appliers == ("kubectl-server",) else "kubectl apply"

    @property
    def order(self) -> tuple[bool, bool]:
        """The sort key for explaining a rejection: specific rules first, then general ones, then catch-all rules."""
        return (Need.UNEXPLAINED in self.needs, not self.errors)


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that belongs to a finding."""

    location: Location
    note: str


@dataclass(frozen=True, slots=True)
class Edit:
    """A part of a file and its replacement; an empty text deletes it."""

    location: Location
    text: str


@dataclass(frozen=True, slots=True)
class Proof:
    """The predicted result of edits or commands: in ``cases`` the finding disappears and no new one appears."""

    verdict: Verdict
    was: Verdict | None = None
    """The verdict without them if the apply is rejected."""
    is_settled: bool = True
    """Whether a further apply of the edited manifest leaves everything unchanged."""
    restarts: bool = False
    """Whether they restart pods."""
    changes: tuple[str, ...] = ()
    """The live fields that only change with them."""
    cases: tuple[LiveAssumption, ...] = ()
    """The cases in which this holds, empty for all open cases."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One hit of one rule with its texts and location."""

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
    """The cases in which it occurs if the live object is unknown; empty if there is only one case."""
    units: tuple[str, ...] = ()
    """The roots of its units in a run over a repository."""
    edits: tuple[Edit, ...] = ()
    """Proven edits of files that fix it."""
    proof: Proof | None = None
    """The result of ``edits``, if there are any."""
    command_proofs: tuple[tuple[int, Proof], ...] = ()
    """The results of commands in ``fix`` without edits, each with the index of the last command (``parts``)."""
    wanted: tuple[FieldEdit, ...] = field(default=(), repr=False)
    """The edits that its rule proposes, proven or not."""
    fingerprint: str = ""
    """An identifier that does not depend on line numbers (``baseline``), unique in a report."""


@dataclass(frozen=True, slots=True)
class Skip:
    """Rules that could not run on an object, with the common reason."""

    rules: tuple[str, ...]
    ref: ObjectRef
    reason: str


Means: TypeAlias = Literal["comment", "annotation", "configuration", "baseline"]
"""The means that can hide findings."""


@dataclass(frozen=True, slots=True)
class Suppressed:
    """A hidden finding with the stated reason, maybe empty, and the means that hides it."""

    finding: Finding
    reason: str
    means: Means = "comment"


@dataclass(frozen=True, slots=True)
class Remark:
    """A defect of something that hides findings: it has expired or hides nothing, for example."""

    location: Location
    message: str


@dataclass(frozen=True, slots=True)
class Report:
    """The results of a run in display order."""

    findings: tuple[Finding, ...] = ()
    outcomes: tuple[tuple[Document, Outcome], ...] = ()
    skips: tuple[Skip, ...] = ()
    problems: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()
    """Notes on what the run was compared with and what it left out."""
    checked: int = 0
    """The number of objects examined."""
    suppressed: tuple[Suppressed, ...] = ()
    remarks: tuple[Remark, ...] = ()
    known: int = 0
    """The number of findings left out because they existed before the change."""
    fixed: int = 0
    """The number of findings that a change removed from objects that still exist."""
    units: tuple[UnitReport, ...] = ()
    holes: tuple[Hole, ...] = ()
    """The parts of the units that were not rendered."""

    @property
    def by_unit(self) -> Sequence[tuple[UnitReport, tuple[tuple[Document, Outcome], ...]]]:
        """Each unit with its outcomes."""
        ends = list(accumulate(unit.applies for unit in self.units))
        return [(unit, self.outcomes[end - unit.applies : end]) for unit, end in zip(self.units, ends, strict=True)]
