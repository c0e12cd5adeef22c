"""The loop documents × rules, and the words of a finding."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, groupby
from operator import itemgetter
from typing import TypeAlias, TypeVar, assert_never

from kubectl_applylint.core.frames import frames_of
from kubectl_applylint.core.gotext import encode
from kubectl_applylint.core.outcome import FieldError, Outcome, PredictionError, plain
from kubectl_applylint.core.paths import fields, get, render
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.safe_text import one_line
from kubectl_applylint.core.shortage import shortage
from kubectl_applylint.core.state import Absent, Knowledge, Present, Unknown, last_applied
from kubectl_applylint.core.values import MISSING, Json, equal
from kubectl_applylint.engine.errors import explained
from kubectl_applylint.engine.set_refusals import NOT_REACHED
from kubectl_applylint.lint import applicability, checks
from kubectl_applylint.lint.applicability import AssessedHit
from kubectl_applylint.lint.assumptions import assumption_of
from kubectl_applylint.lint.dispatch import Dispatch, RuleTurn, Turns
from kubectl_applylint.lint.fixes.sources import argument, source_words, with_sources
from kubectl_applylint.lint.fixes.text import conditional_words, fix_text
from kubectl_applylint.lint.fixes.wanted_edits import wanted_edits
from kubectl_applylint.lint.gathering import gathered
from kubectl_applylint.lint.hiding.baseline import marked
from kubectl_applylint.lint.hiding.suppress import NO_POLICY, Examined, Policy, Sifted, said, sift
from kubectl_applylint.lint.model import Finding, Hit, Need, Related, Report, Rule, Scenario, Severity, Skip, Subject
from kubectl_applylint.lint.refining import unrefined

Result: TypeAlias = Finding | Skip | Problem
Spread: TypeAlias = Callable[[Callable[[Subject], list[Result]], Sequence[Subject]], Iterable[list[Result]]]
_Kept = TypeVar("_Kept", Finding, Skip, Problem)

_NO_TEXTS: Mapping[str, str] = {}
_HERE = Present({})


def lint(
    subjects: Sequence[Subject],
    rules: Sequence[Rule],
    *,
    silent: Sequence[Rule] = (),
    texts: Mapping[str, str] = _NO_TEXTS,
    policy: Policy = NO_POLICY,
    spread: Spread = map,
) -> Report:
    """Examine every subject by every rule that concerns it; see ``lint_by`` and ``Dispatch``."""
    return lint_by(Dispatch(rules, silent), subjects, texts=texts, policy=policy, spread=spread)


def lint_by(
    dispatch: Dispatch,
    subjects: Sequence[Subject],
    *,
    texts: Mapping[str, str] = _NO_TEXTS,
    policy: Policy = NO_POLICY,
    spread: Spread = map,
) -> Report:
    """Examine every subject by every rule that concerns it.

    ``texts`` are the sources by file name, for the comments in them that hide findings; ``policy`` says what else does.
    Findings come sorted by file, line and rule, with their fingerprints, all else as the subjects come. ``spread`` does
    what ``map`` does; subjects do not depend on each other's results.
    """
    rules, quiet = dispatch.rules, {rule.id for rule in dispatch.silent}

    def examined_by_all(subject: Subject) -> list[Result]:
        results = unrefined(_results(subject, dispatch.turns(subject)))
        return list(_joined(subject, [told for told in results if told[0].id not in quiet]))

    examined = list(spread(examined_by_all, subjects))
    results = list(chain.from_iterable(examined))
    skips = _only(Skip, results)
    ran = Examined(subjects, frozenset(rule.id for rule in rules), skips)
    sifted = _sifted(marked(sorted(_only(Finding, results), key=_order)), rules, texts, ran, policy)
    return Report(
        findings=gathered(sifted.shown, {rule.id for rule in rules if rule.is_once}),
        skips=skips,
        problems=tuple(dict.fromkeys(_only(Problem, results))),
        checked=len(examined),
        suppressed=sifted.hidden,
        remarks=sifted.remarks,
    )


def _joined(subject: Subject, results: Iterable[tuple[Rule, Finding | Unknown | Problem]]) -> Iterator[Result]:
    """Yield the results of one object, at the end which rules could not run, and why."""
    unknown: list[tuple[str, str]] = []
    for rule, one in results:
        if isinstance(one, Unknown):
            unknown.append((rule.id, one.reason))
        else:
            yield one
    for reason, alike in groupby(unknown, key=itemgetter(1)):
        yield Skip(tuple(rule for rule, _ in alike), subject.ref, reason)


def _sifted(
    findings: Iterable[Finding], rules: Iterable[Rule], texts: Mapping[str, str], ran: Examined, policy: Policy
) -> Sifted:
    protected = policy.protected | {rule.id for rule in rules if not rule.ignorable}
    return sift(list(findings), said(texts, ran.subjects), ran, replace(policy, protected=protected))


def way_out(subject: Subject, rules: Sequence[Rule]) -> str:
    """Return what helps against the refusal of an apply, in a few words and with the rules that tell more.

    Empty where the apply is not refused, or where no rule knows anything.
    """
    if not subject.predict(Scenario.APPLY).refused:
        return ""
    found = lint([subject], [rule for rule in rules if rule.remedy]).findings
    return "; ".join(dict.fromkeys(f"{finding.remedy} (applylint explain {finding.rule})" for finding in found))


def _only(kind: type[_Kept], results: Iterable[Result]) -> tuple[_Kept, ...]:
    return tuple(result for result in results if isinstance(result, kind))


def _order(finding: Finding) -> tuple[object, ...]:
    span = finding.location.span
    return (finding.location.file, span.line, span.column, finding.rule, render(finding.path), finding.message)


def _results(subject: Subject, turns: Turns) -> Iterator[tuple[Rule, Finding | Unknown | Problem]]:
    """Yield what the rules say of one object; each is told which causes of a refusal those before it explain."""
    subject = _without_stops(subject)
    readiness = [_readiness(subject, needs) for needs in turns.needs]
    for turn in turns.relevant(readiness, partial(_may_be_rejected, subject)):
        rule, ready = turn.rule, readiness[turn.needs]
        if not turn.looks:
            subject = _without_causes_of_kubectl(rule, subject)
            continue
        found = ready if isinstance(ready, Unknown) else examine(subject, turn)
        if isinstance(found, (Unknown, Problem)):
            yield rule, found
        elif found:
            yield from ((rule, finding) for _, finding in found)
            more = tuple(_explained(rule, subject, [hit for hit, _ in found]))
            subject = replace(subject, explained=(*subject.explained, *more)) if more else subject


def _without_causes_of_kubectl(rule: Rule, subject: Subject) -> Subject:
    """Return the subject without the causes of a refusal that lie in kubectl's annotation, where another tool applies
    the unit and writes none.
    """
    causes = tuple(explained(rule.errors, subject.ref.kind, subject.predict(Scenario.APPLY).causes))
    return replace(subject, explained=(*subject.explained, *causes)) if causes else subject


def _without_stops(subject: Subject) -> Subject:
    """Return the subject without the cause that the program which applies the unit stops at another object of it.

    That other object has a finding, and rules about the program tell what it holds back. Where nothing is written at
    all, it is the one that the message names.
    """
    if subject.flags.unit_applier is None:
        return subject
    stops = tuple(cause for cause in _causes(subject) if cause.reason == NOT_REACHED or _is_of_other(cause, subject))
    return replace(subject, explained=(*subject.explained, *stops)) if stops else subject


def _is_of_other(cause: FieldError, subject: Subject) -> bool:
    """Tell whether a program begins nothing because of another object of the unit, which it names."""
    is_block = not cause.field and not cause.reason and subject.ref.name not in cause.message
    return is_block and any(peer.ref.name in cause.message for peer in subject.peers)


def _causes(subject: Subject) -> Sequence[FieldError]:
    """Return why the apply is refused; nothing where that cannot be told, which every rule says that asks for it."""
    try:
        return subject.predict(Scenario.APPLY).causes
    except PredictionError:
        return ()


def _explained(rule: Rule, subject: Subject, hits: Sequence[Hit]) -> Iterator[FieldError]:
    """Yield the causes of a refusal that a rule explains by what it found; nothing, where it found nothing."""
    yield from (cause for hit in hits for cause in hit.explains)
    if hits and rule.errors:
        for case in (subject, *(other.subject for other in subject.alternatives)):
            yield from explained(rule.errors, subject.ref.kind, case.predict(Scenario.APPLY).causes)


def _may_be_rejected(subject: Subject) -> bool:
    """Tell whether there is an error to explain, in this case or another one that is open, or no prediction."""
    try:
        return bool(subject.alternatives) or bool(subject.predict(Scenario.APPLY).causes)
    except PredictionError:
        return True


def _readiness(subject: Subject, needs: tuple[Need, ...]) -> Unknown | bool:
    """Return which of the needs of a rule is unknown, or whether there is something to look at in any case."""
    known = [_knowledge(need, subject) for need in needs]
    unknown = next((each for each in known if isinstance(each, Unknown)), None)
    return unknown or bool(subject.alternatives) or not any(isinstance(each, Absent) for each in known)


def examine(subject: Subject, turn: RuleTurn) -> Sequence[tuple[Hit, Finding]] | Unknown | Problem:
    """Return what one rule found about one object of which all is known that it needs.

    A check that crashes becomes a ``Problem`` that names it.
    """
    rule = turn.rule
    try:
        if Need.UNEXPLAINED in rule.needs and not rule.errors:
            # The rule that is about any refusal speaks for all others of what nobody evaluated.
            unknown = _undecided(subject.predict(Scenario.APPLY))
            if unknown:
                return unknown
        if not subject.alternatives:
            return [(hit, _finding(subject, rule, hit)) for hit in _hits(turn, subject)]
        looks = not {Need.LIVE, Need.LAST_APPLIED}.isdisjoint(rule.needs)
        assessed = applicability.assess(subject, partial(_hits_in_case, turn), looks_at_state=looks)
        return [(one.hit, _weighed(_finding(subject, rule, one.hit), one)) for one in assessed]
    except PredictionError as fault:
        return unpredicted(subject, fault)
    except Exception as fault:  # one broken rule must not hide what the others find
        where = f"{subject.document.locate(())} {subject.ref}"
        if reached := shortage(fault):
            return Problem(where, f"rule {rule.id} failed: {reached}")
        message = f"rule {rule.id} failed: {type(fault).__name__}: {fault}"
        return Problem(where, message, _ADVICE, frames=frames_of(fault))


def unpredicted(subject: Subject, fault: PredictionError) -> Problem:
    """Return what is told of an object without a prediction, the same for every rule that asks for its outcome."""
    where = f"{subject.document.locate(())} {subject.ref}"
    advice = "please report it with the object" if fault.is_fault else ""
    return Problem(where, fault.message, advice, frames=fault.frames)


def _hits(turn: RuleTurn, subject: Subject) -> Sequence[Hit]:
    """Return what a rule finds in a subject of which all is there that it needs."""
    return list(checks.load(turn.rule.check)(subject, params=turn.params))


def _hits_in_case(turn: RuleTurn, subject: Subject) -> Sequence[Hit]:
    """Return what a rule finds in one of several cases, nothing where it has nothing to look at."""
    is_there = all(isinstance(_knowledge(need, subject), Present) for need in turn.rule.needs)
    return _hits(turn, subject) if is_there else ()


def _weighed(finding: Finding, assessed: AssessedHit) -> Finding:
    """Return the finding with when it strikes; one that takes a drift to strike is no error yet."""
    condition = f"if {assessed.assumption}" if assessed.assumption else ""
    return _lessened(replace(finding, applies=assessed.applies), condition)


def _lessened(finding: Finding, condition: str) -> Finding:
    """Return a finding under a condition, which is no error; an empty condition always holds."""
    if not condition:
        return finding
    severity = Severity.WARNING if finding.severity is Severity.ERROR else finding.severity
    return replace(finding, severity=severity, message=f"{condition}: {finding.message}")


_ADVICE = "leave the rule out for now, and report it with the object that it fails on"


def _knowledge(need: Need, subject: Subject) -> Knowledge:
    """Return whether a need is met; a need that is known to be absent means that the rule has nothing to look at."""
    match need:
        case Need.LIVE:
            return subject.state.live
        case Need.LAST_APPLIED:
            return last_applied(subject.state.live)
        case Need.BASE:
            return subject.base
        case Need.MANIFEST:
            return _HERE if subject.document.has_manifest else Absent()
        case Need.PEERS | Need.FLAGS | Need.UNEXPLAINED | Need.UNAPPLIED:
            return _HERE
        case _:
            assert_never(need)


def _undecided(outcome: Outcome) -> Unknown | None:
    """Return what is not known that may refuse an apply; of one that is refused anyway nothing."""
    is_told = outcome.refused or not outcome.confidence.open
    return None if is_told else Unknown("; ".join(outcome.confidence.open))


def _finding(subject: Subject, rule: Rule, hit: Hit) -> Finding:
    own = _words(subject, hit)
    fix = with_sources(rule.fix, subject, own)
    given = conditional_words(subject, hit.path, own["resource"], fix)
    words = {**own, **given, **{name: _word(value) for name, value in hit.facts.items()}}
    finding = Finding(
        rule=rule.id,
        severity=(subject.flags.is_unit and rule.severity_in_unit) or rule.severity,
        confidence=rule.confidence,
        ref=subject.ref,
        path=hit.path,
        location=subject.document.origin(hit.path),
        message=_one_line(rule.message.format_map(words)),
        fix=_by_tool(fix_text(fix, words), words, subject.flags.unit_command),
        related=(*_elsewhere(hit), *_earlier(subject, hit)),
        remedy=_one_line(rule.remedy.format_map(words)),
        wanted=wanted_edits(rule, subject, hit),
    )
    return _lessened(finding, assumption_of(subject, rule))


def _by_tool(fix: str, words: Mapping[str, str], command: str) -> str:
    """Return what to type with each kubectl apply of the object's file as ``command``, if another tool applies that.

    What only shows what such an apply would do is left out: the file may be a template.
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


def _elsewhere(hit: Hit) -> Iterator[Related]:
    return (Related(document.locate(path), note) for document, path, note in hit.related)


def _earlier(subject: Subject, hit: Hit) -> Iterator[Related]:
    """Yield where the compared revision has what the manifest does not have any more, or has otherwise."""
    if subject.earlier is None or not hit.path:
        return
    before, after = (get(document.object, hit.path) for document in (subject.earlier, subject.document))
    if before is not MISSING and not equal(before, after):
        note = "previous value" if after is not MISSING else "removed here"
        yield Related(subject.earlier.locate(hit.path), note)


WORDS = frozenset(
    ("kind", "name", "namespace", "object", "ns", "resource", "path", "file", "apply", "prune", "from", "all", "root")
)
"""The words that every template may use."""


def _words(subject: Subject, hit: Hit) -> Mapping[str, str]:
    """Return the words that every template may use; ``object ns resource from`` are arguments for kubectl.

    ``apply`` is the apply itself, with the flags of the run, ``prune`` those with which it prunes, ``file`` the file in
    which the field is set, and the rest those of ``source_words``.
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
        **source_words(subject, namespace, is_placed=_is_placed(subject)),
        **({"file": argument(changed)} if changed else {}),
    }


def _is_placed(subject: Subject) -> bool:
    """Tell whether the file itself says which namespace is meant, or whether no flag has to."""
    if subject.ref.namespace in ("", "default"):
        return True
    return subject.document.positions.value(fields("metadata", "namespace")) is not None


def _word(value: Json) -> str:
    return one_line(value) if isinstance(value, str) else encode(plain(value))


def _one_line(text: str) -> str:
    return " ".join(text.split())
