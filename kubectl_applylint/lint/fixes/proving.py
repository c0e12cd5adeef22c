"""Proves fixes: predicts the result of edits or commands and runs the rules on it again.

The cases are those that are open: the known or predicted live object, or, if it is unknown, a fresh install, an apply
to the result of the manifest itself, and that with the drifts of ``lint.applicability``.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from kubectl_applylint.core.outcome import Outcome, PredictionError, Verdict
from kubectl_applylint.core.paths import Path, fields, get, leaves, render
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.state import LAST_APPLIED, Absent, Present, Unknown
from kubectl_applylint.core.values import MISSING, Json, JsonObject, equal
from kubectl_applylint.engine.set_apply import SetApply, apply_other
from kubectl_applylint.lint.applicability import with_cases
from kubectl_applylint.lint.checks._lists import with_merge_keys
from kubectl_applylint.lint.fixes.commands import Command
from kubectl_applylint.lint.fixes.field_edits import FieldEdit, NotEditableError, apply_edits
from kubectl_applylint.lint.fixes.playing import Simulation, simulate
from kubectl_applylint.lint.model import Certainty, Finding, LiveAssumption, Proof, Rule, Scenario, Severity, Subject
from kubectl_applylint.lint.run import lint
from kubectl_applylint.lint.subjects import scenarios

_SETTLED: Final = (Verdict.UNCHANGED, Verdict.SERVERSIDE_APPLIED)
_CHANGED_BY_WRITES: Final = (
    fields("metadata", "managedFields"),
    fields("metadata", "generation"),
    fields("metadata", "resourceVersion"),
    fields("metadata", "annotations", LAST_APPLIED),
)
"""Fields that every write changes, so that their differences are ignored."""


@dataclass(frozen=True, slots=True)
class Harm:
    """The result of commands that must not be recommended."""


@dataclass(frozen=True, slots=True)
class Prover:
    """Proves fixes of the objects of one apply by ``rules``; ``silent`` are those of ``lint``."""

    whole: SetApply
    rules: Sequence[Rule]
    silent: Sequence[Rule] = ()

    def prove(self, subject: Subject, position: int, rules: Counter[str], edits: Sequence[FieldEdit]) -> Proof | None:
        """Return the result of edits of the object at ``position``, ``None`` if they do not help.

        They help if, in at least one case, each of ``rules`` has so many hits less, no rule has more hits than before,
        and
        the apply is not rejected and loses nothing that the manifest still contains.
        """
        try:
            before = _in_open_cases(subject, self.whole)
            return self._proof(before, self._with_edits(before, position, edits), rules)
        except (NotEditableError, PredictionError):
            return None

    def prove_commands(self, simulation: Simulation, rule: str, commands: Sequence[Command]) -> Proof | Harm | None:
        """Return the result of commands of a fix for ``rule`` without edits, or that they do harm.

        ``None`` if they do not help, if their result is unknown, or if they change nothing.
        """
        # Infos about a manifest that is not edited do not count against commands.
        rules = [one for one in self.rules if one.id == rule or one.severity is not Severity.INFO]
        try:
            before = _in_open_cases(simulation.subject, self.whole)
            last = simulate(replace(simulation, subject=before), commands)
            if last is None:
                return None
            prover = replace(self, whole=last.whole, rules=rules)
            return (
                Harm()
                if prover._is_harmed(before, last.subject)
                else prover._proof(before, last.subject, Counter([rule]))
            )
        except PredictionError:
            return None

    def _is_harmed(self, before: Subject, after: Subject) -> bool:
        """Return whether an object is deleted and then rejected, or applied with a new error."""
        if after.predict(Scenario.APPLY).refused:
            return isinstance(after.state.live, Absent) and not isinstance(before.state.live, Absent)
        errors = (
            {one.rule for one in self._findings(each) if one.severity is Severity.ERROR} for each in (before, after)
        )
        there, left = errors
        return not left <= there

    def _proof(self, before: Subject, after: Subject, rules: Counter[str]) -> Proof | None:
        """Return the result of a fix in the cases in which it helps, ``None`` if there are none."""
        bad = self._bad_cases(before, after, rules)
        cases = _cases(after)
        good = [case for case in cases if case not in bad]
        if not good:
            return None
        proof = _effect(_in_case(before, good[0]), _in_case(after, good[0]))
        return proof if len(good) == len(cases) else replace(proof, cases=tuple(case for case in good if case))

    def _with_edits(self, subject: Subject, position: int, edits: Sequence[FieldEdit]) -> Subject:
        """Return the subject with the edited manifest, in the same cases."""
        manifest = apply_edits(subject.manifest, edits)
        ref = replace(subject.ref, api_version=manifest.get("apiVersion", ""))
        document = replace(subject.document, object=manifest, ref=ref)
        every = self.whole.documents.every
        whole = apply_other(self.whole, [*every[:position], document, *every[position + 1 :]], self.whole.cluster)
        # A live object that is only assumed is not in the state of the whole set.
        is_known = not isinstance(self.whole.state(subject.ref).live, Unknown)
        applied = partial(whole.outcome, position) if is_known else None
        found = replace(
            subject,
            document=document,
            kind=subject.schema.kind(ref.api_version, ref.kind),
            predict=scenarios(manifest, subject.state, whole.predict, applied),
            alternatives=(),
        )
        return with_cases(found, subject.earlier, whole.predict) if subject.alternatives else found

    def _bad_cases(self, before: Subject, after: Subject, rules: Counter[str]) -> frozenset[LiveAssumption | None]:
        """Return the cases with new findings or a rejected apply.

        Infos that disappear with the next apply of the same manifest do not count.
        """
        there, left = self._findings(before), self._findings(after)
        numbers = Counter(finding.rule for finding in there)
        if not rules <= numbers:
            return frozenset(_cases(after))
        allowed = numbers - rules
        known = {(finding.rule, finding.path) for finding in there}
        found = Counter(finding.rule for finding in left)
        more = [one for one in left if found[one.rule] > allowed[one.rule]]
        new = [one for one in more if one.rule in rules or (one.rule, one.path) not in known]
        if all(one.severity is Severity.INFO for one in new):
            lasting = {one.rule for one in self._findings(self._after_apply(after))} if new else set()
            new = [one for one in new if one.rule in lasting]
        return frozenset((*(case for one in new for case in _cases_of(one, after)), *_failing_cases(before, after)))

    def _after_apply(self, subject: Subject) -> Subject:
        result = subject.predict(Scenario.APPLY).result
        state = replace(subject.state, live=Absent() if result is None else Present(result))
        predict = scenarios(subject.manifest, state, self.whole.predict)
        return replace(subject, state=state, predict=predict, alternatives=())

    def _findings(self, subject: Subject) -> tuple[Finding, ...]:
        """Return the findings of the rules in a subject."""
        return lint([subject], self.rules, silent=self.silent).findings


def _in_open_cases(subject: Subject, whole: SetApply) -> Subject:
    """Return the subject in all open cases if its live object is unknown, else unchanged."""
    if not isinstance(subject.state.live, Unknown):
        return subject
    fresh = subject.predict(Scenario.FRESH)
    live = Absent() if fresh.refused or fresh.result is None else Present(fresh.result)
    state = replace(subject.state, live=live, simulated=True)
    found = replace(
        subject, state=state, base=Present(subject.manifest), predict=scenarios(subject.manifest, state, whole.predict)
    )
    return with_cases(found, subject.document, whole.predict)


def _cases(subject: Subject) -> tuple[LiveAssumption | None, ...]:
    """Return the cases of a subject; ``None`` is the only one of a known live object."""
    if not subject.alternatives:
        return (None,)
    return tuple(dict.fromkeys((LiveAssumption.UPGRADE, *(each.case for each in subject.alternatives))))


def _in_case(subject: Subject, case: LiveAssumption | None) -> Subject:
    """Return the subject in a case, for several drifts in the first one."""
    return next((each.subject for each in subject.alternatives if each.case is case), subject)


def _cases_of(finding: Finding, subject: Subject) -> Iterator[LiveAssumption | None]:
    if not finding.applies:
        yield from _cases(subject)
    yield from (each.case for each in finding.applies if each.sure is not Certainty.CANNOT)


def _failing_cases(before: Subject, after: Subject) -> Iterator[LiveAssumption | None]:
    """Yield the cases in which the apply is rejected, or loses values that the manifest still contains.

    After a drift it may be rejected if it was also rejected before the edits.
    """
    if _fails(before, after):
        yield LiveAssumption.UPGRADE if after.alternatives else None
    there = {each.assumption: each.subject for each in before.alternatives}
    for each in after.alternatives:
        was = there.get(each.assumption, before)
        is_old = each.case is LiveAssumption.DRIFTED and was.predict(Scenario.APPLY).refused
        if not is_old and _fails(was, each.subject):
            yield each.case


def _fails(before: Subject, after: Subject) -> bool:
    """Return whether an apply is rejected or loses values that the manifest still contains."""
    was, now = before.predict(Scenario.APPLY), after.predict(Scenario.APPLY)
    if now.refused or was.refused or before.kind is None:
        return now.refused
    named = (with_merge_keys(after.manifest, before.kind.root, path) for path, _ in leaves(after.manifest))
    return any(get(now.result, path) is MISSING and get(was.result, path) is not MISSING for path in named)


def _effect(before: Subject, after: Subject) -> Proof:
    """Return the effect of an apply of the edited manifest, compared with the original one."""
    was, now = before.predict(Scenario.APPLY), after.predict(Scenario.APPLY)
    return Proof(
        now.verdict,
        was=was.verdict if was.refused else None,
        is_settled=after.predict(Scenario.AGAIN).verdict in _SETTLED,
        restarts=bool(now.restarts) and not was.restarts,
        changes=tuple(render(path) for path in _new_changes(after, was, now)),
    )


def _new_changes(after: Subject, was: Outcome, now: Outcome) -> Iterator[Path]:
    """Yield the fields that only the fixed apply changes."""
    live = after.state.live
    if now.result is None or not isinstance(live, Present):
        return
    already = frozenset(_differing(live.object, was.result or live.object))
    yield from (path for path in _differing(live.object, now.result) if path not in already)


def _differing(was: JsonObject, now: JsonObject) -> Iterator[Path]:
    """Yield the fields in which two stored objects differ, without those that every write changes."""
    old, new = _relevant_leaves(was), _relevant_leaves(now)
    for path in dict.fromkeys((*old, *new)):
        if path not in old or path not in new or not equal(old[path], new[path]):
            yield path


def _relevant_leaves(stored: JsonObject) -> Mapping[Path, Json]:
    """Return the fields of a stored object without those that every write changes."""
    every = leaves(stored)
    return {path: value for path, value in every if not any(path[: len(part)] == part for part in _CHANGED_BY_WRITES)}
