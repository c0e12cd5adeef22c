"""Hides findings by waivers (``waivers``) and the baseline, and reports invalid or idle waivers."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from enum import Enum
from functools import cache
from itertools import product
from operator import itemgetter
from posixpath import join, normpath
from typing import Final, TypeAlias

from kubectl_applylint.core.location import NOWHERE, Location
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.spelling import meant
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.lint.hiding.baseline import Baseline, ExaminedScope, obsolete_entries
from kubectl_applylint.lint.hiding.former_ids import current_ids, rename_note
from kubectl_applylint.lint.hiding.waivers import ParsedWaivers, Scope, Waiver, annotation_waivers, comment_waivers
from kubectl_applylint.lint.model import Finding, Remark, Severity, Skip, Subject, Suppressed


class Extent(Enum):
    """The part of the input that a run has read, which decides whether idle waivers can be reported."""

    BROKEN = 0
    """Some input could not be read, so nothing is reported."""
    PART = 1
    """Selected files or objects: waivers about one of them can be reported."""
    WHOLE = 2


@dataclass(frozen=True, slots=True)
class Policy:
    """What a run hides besides comments and annotations, and what cannot be hidden."""

    waivers: tuple[Waiver, ...] = ()
    """The waivers of the configuration."""
    baseline: Baseline | None = None
    protected: frozenset[str] = frozenset()
    """Ids of rules whose findings cannot be hidden."""
    severities: Mapping[str, Severity | None] = field(default_factory=dict)
    """Severities by rule id in place of those of the rules; ``None`` hides the findings."""
    known: frozenset[str] = frozenset()
    """Ids of all existing rules; empty if unknown."""
    wants_reason: bool = False
    """Whether ignores without a reason have no effect."""
    is_off: bool = False
    """Whether nothing is hidden."""
    today: date = date.min
    folder: str = ""
    """The folder that the names of files are relative to, absolute and with slashes."""
    extent: Extent = Extent.PART


NO_POLICY: Final = Policy()
"""Only comments and annotations hide findings, without expiry."""


def with_extent(policy: Policy, extent: Extent, problems: Collection[Problem]) -> Policy:
    """Return the policy of a run of this extent, which is broken if something could not be read."""
    return replace(policy, extent=Extent.BROKEN if problems else extent)


@dataclass(frozen=True, slots=True)
class Examined:
    """The subjects and rules of a run."""

    subjects: Sequence[Subject] = field(repr=False)
    rules: frozenset[str]
    """The rules that ran and whose findings count."""
    skips: Sequence[Skip]


@dataclass(frozen=True, slots=True)
class HidingResult:
    """The shown and hidden findings of a run, in their order, with remarks."""

    shown: tuple[Finding, ...]
    hidden: tuple[Suppressed, ...]
    remarks: tuple[Remark, ...]


_Place: TypeAlias = tuple[str, int | None, ObjectRef | None]
"""The file, line and object of a waiver; an empty name and ``None`` mean any."""
_ByPlace: TypeAlias = Mapping[_Place, Sequence[tuple[int, Waiver]]]


def source_waivers(texts: Mapping[str, str], subjects: Iterable[Subject]) -> ParsedWaivers:
    """Return the waivers in the comments of the files ``texts`` and in the annotations of the objects."""
    found = [comment_waivers(text, file) for file, text in sorted(texts.items())]
    found += [annotation_waivers(subject.document) for subject in subjects]
    return ParsedWaivers(
        tuple(waiver for one in found for waiver in one.waivers),
        tuple(remark for one in found for remark in one.remarks),
    )


def hide_findings(
    findings: Sequence[Finding], parsed: ParsedWaivers, examined: Examined, policy: Policy
) -> HidingResult:
    """Separate the findings into shown and hidden ones, with remarks on invalid and idle waivers."""
    written = (*parsed.waivers, *policy.waivers)
    waivers = tuple(replace(waiver, rules=current_ids(waiver.rules, policy.known)) for waiver in written)
    valid = [] if policy.is_off else [waiver for waiver in waivers if not _invalid_reason(waiver, policy)]
    in_force = _by_place(valid)
    shown: list[Finding] = []
    hidden: list[Suppressed] = []
    used: set[tuple[Location, str]] = set()
    known = _fingerprints(policy)
    for finding in findings:
        hiding = [] if finding.rule in policy.protected else _matching_waivers(finding, in_force, policy)
        used.update((waiver.place, finding.rule) for waiver in hiding)
        severity = policy.severities.get(finding.rule, finding.severity)
        if hiding:
            hidden.append(Suppressed(finding, hiding[0].reason, hiding[0].means))
        elif severity is None:
            hidden.append(Suppressed(finding, "severity: off", "configuration"))
        elif finding.fingerprint in known and finding.rule not in policy.protected:
            hidden.append(Suppressed(finding, "it is in the baseline", "baseline"))
        else:
            shown.append(replace(finding, severity=severity))
    remarks = [*parsed.remarks, *_rename_remarks(written, policy)]
    if waivers and not policy.is_off:
        remarks += _remarks(waivers, used, examined, policy)
    if policy.baseline and not policy.is_off:
        remarks += _obsolete_remarks(policy.baseline, findings, examined, policy)
    return HidingResult(tuple(shown), tuple(hidden), tuple(remarks))


def _fingerprints(policy: Policy) -> frozenset[str]:
    """Return the fingerprints in the baseline of a run."""
    entries = policy.baseline.entries if policy.baseline and not policy.is_off else ()
    return frozenset(entry.fingerprint for entry in entries)


def _by_place(waivers: Iterable[Waiver]) -> _ByPlace:
    """Return the waivers, numbered in their order, by file, line and object."""
    found: dict[_Place, list[tuple[int, Waiver]]] = {}
    for number, waiver in enumerate(waivers):
        scope = waiver.scope
        found.setdefault((scope.file, scope.line, scope.ref), []).append((number, waiver))
    return found


def _matching_waivers(finding: Finding, waivers: _ByPlace, policy: Policy) -> list[Waiver]:
    """Return the waivers that hide a finding, in their order."""
    location = finding.location
    places = product(("", location.file), (None, location.span.line), (None, finding.ref))
    candidates = sorted((one for place in set(places) for one in waivers.get(place, ())), key=itemgetter(0))
    file = absolute(location, policy)
    return [waiver for _, waiver in candidates if waiver.hides(finding, file)]


def absolute(location: Location, policy: Policy) -> str:
    """Return the absolute name of a file; empty for an object without a file and for standard input."""
    is_file = location.is_text and location.file != "-"
    return normpath(join(policy.folder, location.file)) if is_file else ""


def _invalid_reason(waiver: Waiver, policy: Policy) -> str:
    """Return why a waiver never hides anything; empty if it is valid."""
    if waiver.until and waiver.until < policy.today:
        return f"it expired on {waiver.until}"
    if policy.wants_reason and not waiver.reason:
        return "it gives no reason, and require-reason asks for one"
    return ""


def _remarks(
    waivers: Iterable[Waiver], used: set[tuple[Location, str]], examined: Examined, policy: Policy
) -> Iterator[Remark]:
    """Yield remarks on invalid and idle waivers."""
    idle = _idle_reasons(examined, policy)
    for waiver in waivers:
        fault = _invalid_reason(waiver, policy)
        if fault:
            yield _remark(waiver, waiver.rules, fault)
            continue
        for rule in waiver.rules:
            why = _reason_by_rule(rule, policy) or ("" if (waiver.place, rule) in used else idle(waiver, rule))
            if why:
                yield _remark(waiver, [rule], why)


def _rename_remarks(waivers: Iterable[Waiver], policy: Policy) -> Iterator[Remark]:
    """Yield a remark on each waiver, and on the baseline, that names rules by their former ids."""
    for waiver in waivers if policy.known else ():
        words = rename_note(waiver.rules, policy.known)
        if words:
            what = "entry" if waiver.means == "configuration" else waiver.means
            yield Remark(waiver.place, f"this {what} names a renamed rule: {words}")
    if policy.baseline and policy.baseline.renamed:
        advice = "applylint baseline create writes the current names"
        yield Remark(Location(policy.baseline.file, NOWHERE), f"renamed rules: {policy.baseline.renamed}; {advice}")


def _remark(waiver: Waiver, rules: Sequence[str], why: str) -> Remark:
    """Return the remark that a waiver does not hide some rules."""
    what = "entry" if waiver.means == "configuration" else waiver.means
    return Remark(waiver.place, f"this {what} does not hide {', '.join(rules) or 'anything'}: {why}")


def _reason_by_rule(rule: str, policy: Policy) -> str:
    """Return why no waiver can hide a rule; empty if one can."""
    if policy.known and rule not in policy.known:
        words = meant(rule, policy.known, otherwise="applylint rules lists all rules")
        return f"the rule does not exist; {words}"
    return "this rule cannot be ignored" if rule in policy.protected else ""


def _idle_reasons(examined: Examined, policy: Policy) -> Callable[[Waiver, str], str]:
    """Return a function that returns why an unused waiver of a rule is idle; empty if that is unknown."""
    skipped = {(rule, skip.ref) for skip in examined.skips for rule in skip.rules}
    by_scope: dict[tuple[str, ObjectRef | None], list[tuple[ObjectRef, str, str]]] = {}
    for document in (subject.document for subject in examined.subjects):
        place = (document.ref, document.file, absolute(document.locate(()), policy))
        for key in product({"", document.file}, (None, document.ref)):
            by_scope.setdefault(key, []).append(place)

    @cache
    def is_examined(scope: Scope, rule: str) -> bool:
        refs = [place[0] for place in by_scope.get((scope.file, scope.ref), ()) if scope.has(*place)]
        return bool(refs) and not any((rule, ref) in skipped for ref in refs)

    def idle(waiver: Waiver, rule: str) -> str:
        if policy.extent is Extent.BROKEN or rule not in examined.rules:
            return ""
        if not waiver.scope.is_exact and policy.extent is Extent.PART:
            return ""
        # The matching objects do not depend on the line: many comments in one file have one answer.
        return "the rule finds nothing here" if is_examined(replace(waiver.scope, line=None), rule) else ""

    return idle


def _obsolete_remarks(
    baseline: Baseline, findings: Sequence[Finding], examined: Examined, policy: Policy
) -> Iterator[Remark]:
    """Yield a remark on entries of the baseline that no longer occur."""
    gone = (
        () if policy.extent is Extent.BROKEN else obsolete_entries(baseline, findings, examined_scope(examined, policy))
    )
    if gone:
        words = "1 finding no longer occurs" if len(gone) == 1 else f"{len(gone)} findings no longer occur"
        yield Remark(Location(baseline.file, NOWHERE), f"{words}; run applylint baseline prune")


def examined_scope(examined: Examined, policy: Policy) -> ExaminedScope:
    """Return the rules and objects of a run in the form of the baseline."""
    refs = {subject.ref: absolute(subject.document.locate(()), policy) for subject in examined.subjects}
    return ExaminedScope(
        rules=examined.rules,
        files=frozenset(absolute(subject.document.locate(()), policy) for subject in examined.subjects),
        objects=frozenset((ref.namespace, str(ref)) for ref, file in refs.items() if not file),
        skipped=frozenset((rule, skip.ref.namespace, str(skip.ref)) for skip in examined.skips for rule in skip.rules),
    )
