"""Runs the rules on all subjects and builds the findings."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, groupby
from operator import itemgetter
from typing import TypeAlias, TypeVar, assert_never

from kubectl_applylint.core.frames import frames_of
from kubectl_applylint.core.gotext import encode
from kubectl_applylint.core.outcome import FieldError, Outcome, PredictionError, plain
from kubectl_applylint.core.paths import fields, get, render
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.safe_text import one_line
from kubectl_applylint.core.shortage import shortage
from kubectl_applylint.core.state import Absent, Knowledge, Present, Unknown, last_applied
from kubectl_applylint.core.values import MISSING, Json, equal
from kubectl_applylint.engine.errors import explained_errors
from kubectl_applylint.engine.set_refusals import NOT_REACHED
from kubectl_applylint.lint import applicability, checks
from kubectl_applylint.lint.applicability import AssessedHit
from kubectl_applylint.lint.assumptions import assumption_of, conditional_finding, possible_finding
from kubectl_applylint.lint.dispatch import Dispatch, PlannedRule, PlannedRules
from kubectl_applylint.lint.fixes.sources import argument, source_words, with_sources
from kubectl_applylint.lint.fixes.text import conditional_words, fix_text
from kubectl_applylint.lint.fixes.wanted_edits import wanted_edits
from kubectl_applylint.lint.gathering import merge_repeated
from kubectl_applylint.lint.hiding.baseline import with_fingerprints
from kubectl_applylint.lint.hiding.suppress import (
    NO_POLICY,
    Examined,
    HidingResult,
    Policy,
    hide_findings,
    source_waivers,
)
from kubectl_applylint.lint.model import Finding, Hit, Need, Related, Report, Rule, Scenario, Skip, Subject
from kubectl_applylint.lint.refining import drop_refined

Result: TypeAlias = Finding | Skip | Problem
Spread: TypeAlias = Callable[[Callable[[Subject], list[Result]], Sequence[Subject]], Iterable[list[Result]]]
_Kept = TypeVar("_Kept", Finding, Skip, Problem)

_NO_TEXTS: Mapping[str, str] = {}
_PRESENT = Present({})
_MOST_REMEDIES = 3
"""The number of remedies of one rule that are printed for a rejected apply."""


def lint(
    subjects: Sequence[Subject],
    rules: Sequence[Rule],
    *,
    silent: Sequence[Rule] = (),
    texts: Mapping[str, str] = _NO_TEXTS,
    policy: Policy = NO_POLICY,
    spread: Spread = map,
) -> Report:
    """Run the rules on every subject; see ``lint_by`` and ``Dispatch``."""
    return lint_by(Dispatch(rules, silent), subjects, texts=texts, policy=policy, spread=spread)


def lint_by(
    dispatch: Dispatch,
    subjects: Sequence[Subject],
    *,
    texts: Mapping[str, str] = _NO_TEXTS,
    policy: Policy = NO_POLICY,
    spread: Spread = map,
) -> Report:
    """Run the rules of a dispatch on every subject that they concern.

    ``texts`` are the sources by file name, read for comments that hide findings; ``policy`` has the other means.
    Findings are sorted by file, line and rule; all else keeps the order of the subjects. ``spread`` is ``map`` or a
    parallel version of it.
    """
    rules, quiet = dispatch.rules, {rule.id for rule in dispatch.silent}

    def run_rules(subject: Subject) -> list[Result]:
        results = drop_refined(_results(subject, dispatch.planned_rules(subject)))
        return list(_merge_skips(subject, [result for result in results if result[0].id not in quiet]))

    examined = list(spread(run_rules, subjects))
    results = list(chain.from_iterable(examined))
    skips = _of_type(Skip, results)
    ran = Examined(subjects, frozenset(rule.id for rule in rules), skips)
    sifted = _hide_findings(
        with_fingerprints(sorted(_of_type(Finding, results), key=_sort_key)), rules, texts, ran, policy
    )
    return Report(
        findings=merge_repeated(sifted.shown, {rule.id for rule in rules if rule.is_once}),
        skips=skips,
        problems=tuple(dict.fromkeys(_of_type(Problem, results))),
        checked=len(examined),
        suppressed=sifted.hidden,
        remarks=sifted.remarks,
    )


def _merge_skips(subject: Subject, results: Iterable[tuple[Rule, Finding | Unknown | Problem]]) -> Iterator[Result]:
    """Yield the results of one object, and at the end one ``Skip`` for each reason why rules could not run."""
    unknown: list[tuple[str, str]] = []
    for rule, one in results:
        if isinstance(one, Unknown):
            unknown.append((rule.id, one.reason))
        else:
            yield one
    for reason, alike in groupby(unknown, key=itemgetter(1)):
        yield Skip(tuple(rule for rule, _ in alike), subject.ref, reason)


def _hide_findings(
    findings: Iterable[Finding], rules: Iterable[Rule], texts: Mapping[str, str], ran: Examined, policy: Policy
) -> HidingResult:
    """Separate the findings into shown and hidden ones, with the rules that cannot be ignored protected."""
    protected = policy.protected | {rule.id for rule in rules if not rule.ignorable}
    return hide_findings(list(findings), source_waivers(texts, ran.subjects), ran, replace(policy, protected=protected))


def rejection_remedy(subject: Subject, rules: Sequence[Rule]) -> str:
    """Return the remedies for a rejected apply, with the rules that explain more; empty if there are none."""
    if not subject.predict(Scenario.APPLY).refused:
        return ""
    found = lint([subject], [rule for rule in rules if rule.remedy]).findings
    by_rule = {one.rule: list(dict.fromkeys(each.remedy for each in found if each.rule == one.rule)) for one in found}
    return "; ".join(f"{_first_remedies(remedies)} (applylint explain {rule})" for rule, remedies in by_rule.items())


def _first_remedies(remedies: Sequence[str]) -> str:
    more = len(remedies) - _MOST_REMEDIES
    return ", ".join(remedies[:_MOST_REMEDIES]) + (f" and {more} more" if more > 0 else "")


def _of_type(kind: type[_Kept], results: Iterable[Result]) -> tuple[_Kept, ...]:
    return tuple(result for result in results if isinstance(result, kind))


def _sort_key(finding: Finding) -> tuple[object, ...]:
    span = finding.location.span
    return (finding.location.file, span.line, span.column, finding.rule, render(finding.path), finding.message)


def _results(subject: Subject, planned_rules: PlannedRules) -> Iterator[tuple[Rule, Finding | Unknown | Problem]]:
    """Yield the rule results of one object. Each rule receives the field errors that earlier rules already explain."""
    subject = _explain_stops(subject)
    readiness = [_readiness(subject, needs) for needs in planned_rules.needs]
    for planned in planned_rules.relevant(readiness, partial(_may_be_rejected, subject)):
        rule, ready = planned.rule, readiness[planned.needs]
        if not planned.looks:
            subject = _explain_annotation_errors(rule, subject)
            continue
        found = ready if isinstance(ready, Unknown) else examine(subject, planned)
        if isinstance(found, (Unknown, Problem)):
            yield rule, found
        elif found:
            yield from ((rule, finding) for _, finding in found)
            more = tuple(_explained_errors(rule, subject, [hit for hit, _ in found]))
            subject = replace(subject, explained=(*subject.explained, *more)) if more else subject


def _explain_annotation_errors(rule: Rule, subject: Subject) -> Subject:
    """Return the subject with errors about kubectl's annotation marked as explained.

    Another tool applies the unit and writes no such annotation.
    """
    causes = tuple(explained_errors(rule.errors, subject.ref.kind, subject.predict(Scenario.APPLY).causes))
    return replace(subject, explained=(*subject.explained, *causes)) if causes else subject


def _explain_stops(subject: Subject) -> Subject:
    """Return the subject with the error marked as explained that another object of the unit stops the apply.

    That other object has a finding of its own, and rules about the program report what it blocks. If nothing at all is
    written, it is the object that the message names.
    """
    if subject.flags.unit_applier is None:
        return subject
    stops = tuple(
        cause
        for cause in _field_errors(subject)
        if cause.reason == NOT_REACHED or _is_about_other_object(cause, subject)
    )
    return replace(subject, explained=(*subject.explained, *stops)) if stops else subject


def _is_about_other_object(cause: FieldError, subject: Subject) -> bool:
    """Return whether a program starts nothing because of another object of the unit, which it names."""
    is_block = not cause.field and not cause.reason and subject.ref.name not in cause.message
    return is_block and any(peer.ref.name in cause.message for peer in subject.peers)


def _field_errors(subject: Subject) -> Sequence[FieldError]:
    """Return the errors of a rejected apply, none without a prediction, which each rule reports itself."""
    try:
        return subject.predict(Scenario.APPLY).causes
    except PredictionError:
        return ()


def _explained_errors(rule: Rule, subject: Subject, hits: Sequence[Hit]) -> Iterator[FieldError]:
    """Yield the errors of a rejection that the hits of a rule explain."""
    yield from (cause for hit in hits for cause in hit.explains)
    if hits and rule.errors:
        for case in (subject, *(other.subject for other in subject.alternatives)):
            yield from explained_errors(rule.errors, subject.ref.kind, case.predict(Scenario.APPLY).causes)


def _may_be_rejected(subject: Subject) -> bool:
    """Return whether the object has an error to explain in a case that is examined, or may have one: unpredicted."""
    cases = (subject, *applicability.examined_cases(subject))
    try:
        return any(case.predict(Scenario.APPLY).causes for case in cases)
    except PredictionError:
        return True


def _readiness(subject: Subject, needs: tuple[Need, ...]) -> Unknown | bool:
    """Return the first unknown need of a rule, or whether all needs are present in some case."""
    known = [_knowledge(need, subject) for need in needs]
    unknown = next((each for each in known if isinstance(each, Unknown)), None)
    return unknown or bool(subject.alternatives) or not any(isinstance(each, Absent) for each in known)


def examine(subject: Subject, planned: PlannedRule) -> Sequence[tuple[Hit, Finding]] | Unknown | Problem:
    """Return the findings of one rule about one object that has what the rule needs.

    A check that crashes becomes a ``Problem`` that names it.
    """
    rule = planned.rule
    try:
        if Need.UNEXPLAINED in rule.needs and not rule.errors:
            # The catch-all rule for rejections reports for all others what was not evaluated.
            unknown = _open_rejection(subject.predict(Scenario.APPLY))
            if unknown:
                return unknown
        if not subject.alternatives:
            return [(hit, _finding(subject, rule, hit)) for hit in _hits(planned, subject)]
        hits_of = partial(_hits_in_case, planned)
        assessed = applicability.assess(subject, hits_of, looks_at_state=planned.looks_at_state)
        return [(one.hit, _assessed_finding(_finding(subject, rule, one.hit), one)) for one in assessed]
    except PredictionError as fault:
        return prediction_problem(subject, fault)
    except Exception as fault:  # one broken rule must not hide what the others find
        where = f"{subject.document.locate(())} {subject.ref}"
        if reached := shortage(fault):
            return Problem(where, f"rule {rule.id} failed: {reached}")
        message = f"rule {rule.id} failed: {type(fault).__name__}: {fault}"
        return Problem(where, message, _ADVICE, frames=frames_of(fault))


def prediction_problem(subject: Subject, fault: PredictionError) -> Problem:
    """Return the problem of an object without a prediction, equal for every rule that requests the outcome."""
    where = f"{subject.document.locate(())} {subject.ref}"
    advice = "please report it with the object" if fault.is_fault else ""
    return Problem(where, fault.message, advice, frames=fault.frames)


def _hits(planned: PlannedRule, subject: Subject) -> Sequence[Hit]:
    """Return the hits of a rule in a subject that has what the rule needs."""
    return list(checks.load(planned.rule.check)(subject, params=planned.params))


def _hits_in_case(planned: PlannedRule, subject: Subject) -> Sequence[Hit]:
    """Return the hits of a rule in one of several cases, none if the case does not have what the rule needs."""
    return _hits(planned, subject) if planned.required <= subject.once(_present_needs) else ()


def _present_needs(subject: Subject) -> frozenset[Need]:
    """Return the needs that a subject has."""
    return frozenset(need for need in Need if isinstance(_knowledge(need, subject), Present))


def _assessed_finding(finding: Finding, assessed: AssessedHit) -> Finding:
    """Return the finding with its cases; one that requires a drift is not an error."""
    condition = f"if {assessed.assumption}" if assessed.assumption else ""
    return conditional_finding(replace(finding, applies=assessed.applies), condition)


_ADVICE = "leave the rule out for now, and report it with the object that it fails on"


def _knowledge(need: Need, subject: Subject) -> Knowledge:
    """Return the knowledge about a need; for an absent need the rule has nothing to examine."""
    match need:
        case Need.LIVE:
            return subject.state.live
        case Need.LAST_APPLIED:
            return last_applied(subject.state.live)
        case Need.BASE:
            return subject.base
        case Need.MANIFEST:
            return _PRESENT if subject.document.has_manifest else Absent()
        case Need.PEERS | Need.FLAGS | Need.UNEXPLAINED | Need.UNAPPLIED:
            return _PRESENT
        case _:
            assert_never(need)


def _open_rejection(outcome: Outcome) -> Unknown | None:
    """Return the open questions that may lead to a rejection, or ``None`` if there are none or it is rejected."""
    is_told = outcome.refused or bool(outcome.causes) or not outcome.confidence.open
    return None if is_told else Unknown("; ".join(outcome.confidence.open))


def _finding(subject: Subject, rule: Rule, hit: Hit) -> Finding:
    """Return the finding of a hit with its texts filled in."""
    own = _words(subject, hit)
    fix = with_sources(rule.fix, subject, own)
    given = conditional_words(subject, hit.path, own["resource"], rule.message + fix)
    words = {**own, **given, **{name: _fact_text(value) for name, value in hit.facts.items()}}
    finding = Finding(
        rule=rule.id,
        severity=(subject.flags.is_unit and rule.severity_in_unit) or rule.severity,
        confidence=rule.confidence,
        ref=subject.ref,
        path=hit.path,
        location=subject.document.origin(hit.path),
        message=" ".join(rule.message.format_map(words).split()),
        fix=_with_unit_command(fix_text(fix, words), words, subject.flags.unit_command),
        related=(*_related_places(hit), *_earlier_place(subject, hit)),
        remedy=" ".join(rule.remedy.format_map(words).split()),
        wanted=wanted_edits(rule, subject, hit),
    )
    return conditional_finding(possible_finding(finding, subject, rule), assumption_of(subject, rule))


def _with_unit_command(fix: str, words: Mapping[str, str], command: str) -> str:
    """Return a fix with kubectl applies of the object's file replaced by ``command``, the apply of another tool.

    Dry runs of such an apply are left out: the file may be a template.
    """
    if not command:
        return fix
    lines: list[str] = []
    for line in fix.splitlines(keepends=True):
        is_of_file = line.startswith("kubectl ") and line.rstrip("\n").endswith((words["from"], words["all"]))
        if not is_of_file:
            lines.append(line)
        elif line.startswith("kubectl apply") and "--dry-run" not in line and f"{command}\n" not in lines[-1:]:
            lines.append(f"{command}\n")
    return "".join(lines)


def _related_places(hit: Hit) -> Iterator[Related]:
    return (Related(document.locate(path), note) for document, path, note in hit.related)


def _earlier_place(subject: Subject, hit: Hit) -> Iterator[Related]:
    """Yield the place in the compared revision of a value that was removed or changed."""
    if subject.earlier is None or not hit.path:
        return
    before, after = (get(document.object, hit.path) for document in (subject.earlier, subject.document))
    if before is not MISSING and not equal(before, after):
        note = "previous value" if after is not MISSING else "removed here"
        yield Related(subject.earlier.locate(hit.path), note)


WORDS = frozenset(
    ("kind", "name", "namespace", "object", "ns", "resource", "path", "file", "apply", "prune", "from", "all", "root")
)
"""The placeholders that every template may use."""


def _words(subject: Subject, hit: Hit) -> Mapping[str, str]:
    """Return the values of the common placeholders; ``object ns resource from`` are arguments for kubectl.

    ``apply`` is the apply itself with the flags of the run, ``prune`` its prune flags, ``file`` the file in which the
    field is set; the rest are those of ``source_words``.
    """
    ref, known = subject.ref, subject.kind
    built_in = known is not None and not known.custom
    target = argument(f"{ref.kind.lower()}/{ref.name}" if built_in else str(ref))
    namespace = f" -n {argument(ref.namespace)}" if ref.namespace else ""
    origin = subject.document.origin(hit.path)
    changed = origin.file if origin.is_text and origin.file != subject.document.file else ""
    return {
        "kind": argument(ref.kind),
        "name": argument(ref.name),
        "namespace": argument(ref.namespace),
        "object": target,
        "ns": namespace,
        "resource": target + namespace,
        "path": render(hit.path),
        "apply": f"kubectl apply{subject.flags}",
        "prune": subject.flags.pruning,
        **source_words(subject, namespace, is_placed=_needs_no_namespace_flag(subject)),
        **({"file": argument(changed)} if changed else {}),
    }


def _needs_no_namespace_flag(subject: Subject) -> bool:
    """Return whether kubectl finds the namespace in the file, or uses the default."""
    if subject.ref.namespace in ("", "default"):
        return True
    return subject.document.positions.value(fields("metadata", "namespace")) is not None


def _fact_text(value: Json) -> str:
    return one_line(value) if isinstance(value, str) else encode(plain(value))
