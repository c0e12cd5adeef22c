"""Evaluates the loaded units of a run: by the rules (``check``), by predicting each object (``plan``), or not at all
(``render``).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field
from functools import partial
from typing import Any, Protocol, TypeAlias

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.outcome import Confidence, Level, Outcome, PredictionError, Verdict
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.state import Present, Unknown
from kubectl_applylint.engine.predictions import attempt
from kubectl_applylint.lint.dispatch import Dispatch
from kubectl_applylint.lint.hiding.suppress import NO_POLICY, Policy, with_extent
from kubectl_applylint.lint.model import Report, Rule, Scenario, Severity, Subject
from kubectl_applylint.lint.run import Spread, lint_by, prediction_problem, rejection_remedy
from kubectl_applylint.run.edits.proofs import prove_fixes
from kubectl_applylint.run.hazards import HazardRules, finding_key, hazards
from kubectl_applylint.run.load.run_input import RunInput
from kubectl_applylint.run.load.unit_policies import rejection_notes
from kubectl_applylint.run.loaded_units import LoadedUnit
from kubectl_applylint.sources.cluster.discovery import is_segment

EvaluateObjects: TypeAlias = Callable[[Callable[[Subject], Any], Sequence[Subject]], Iterable[Any]]
"""Evaluates objects as ``map`` does: in their order, possibly in several processes."""


class Evaluation(Protocol):
    """Evaluates a unit: by the rules, or by predicting its objects, or not at all."""

    @property
    def verb(self) -> str:
        """The verb of the progress line: ``checking``."""

    @property
    def without_live(self) -> str:
        """The consequence of an unknown live state, for a note; empty if there is no note."""

    @property
    def divides_objects(self) -> bool:
        """Whether several processes may evaluate the objects of one unit."""

    def __call__(self, run: LoadedUnit, evaluate_objects: EvaluateObjects = map) -> Report:
        """Return the report of a unit."""


@dataclass(frozen=True, slots=True)
class RuleEvaluation:
    """Checks units by rules.

    Findings that the earlier manifests have as well (the same rule, object, path and message) are only counted, unless
    it ``shows_known``: the change has not brought them. Findings of the earlier manifests alone are counted as fixed.
    Edits are proven for findings of at least the severity ``lightest``.
    """

    dispatch: Dispatch
    policy: Policy = NO_POLICY
    shows_known: bool = False
    lightest: Severity | None = Severity.INFO
    verb: str = "checking"
    without_live: str = ""
    divides_objects: bool = True

    def __call__(self, run: LoadedUnit, evaluate_objects: EvaluateObjects = map) -> Report:
        """Return the findings of a unit."""
        if run.cached:
            return run.cached.report
        examine = partial(check, rules=self.dispatch, policy=self.policy, spread=evaluate_objects)
        report = examine(run.input)
        report = report if self.shows_known else _without_known_findings(run, report, examine)
        rules, silent = self.dispatch.rules, self.dispatch.silent
        return prove_fixes(run.input, report, rules=rules, silent=silent, lightest=self.lightest)


@dataclass(frozen=True, slots=True)
class PlanEvaluation:
    """Predicts the objects of units.

    ``rules`` are read only if an apply is rejected, for the remedy, and ``hazard_rules`` only if something changes or
    live objects are compared.
    """

    rules: Callable[[], Sequence[Rule]] = field(default=tuple, repr=False)
    hazard_rules: Callable[[], HazardRules] | None = field(default=None, repr=False)
    verb: str = "predicting"
    without_live: str = ""
    divides_objects: bool = False

    def __call__(self, run: LoadedUnit, evaluate_objects: EvaluateObjects = map) -> Report:
        """Return the outcomes of a unit, and the findings about them."""
        report = plan(run.input, self.rules, evaluate_objects=evaluate_objects)
        return (
            replace(report, findings=hazards(run, report.outcomes, self.hazard_rules)) if self.hazard_rules else report
        )


@dataclass(frozen=True, slots=True)
class RenderEvaluation:
    """Predicts nothing: the report of a unit has the problems and notes of loading it."""

    verb: str = "rendering"
    without_live: str = ""
    divides_objects: bool = False

    def __call__(self, run: LoadedUnit, evaluate_objects: EvaluateObjects = map) -> Report:
        """Return the report of a unit."""
        return run.input.complete(Report(checked=len(run.input.documents)))


def check(run_input: RunInput, rules: Dispatch, *, policy: Policy = NO_POLICY, spread: Spread = map) -> Report:
    """Return the findings of the rules for the objects that a run applies, and for those that it does not apply.

    ``spread`` is that of ``lint_by``.
    """
    examined = (*run_input.subjects, *run_input.unapplied())
    bounded = with_extent(policy, run_input.extent, run_input.problems)
    report = lint_by(rules, examined, texts=run_input.texts, policy=bounded, spread=spread)
    return run_input.complete(_with_rejection_notes(run_input, report))


def _with_rejection_notes(run_input: RunInput, report: Report) -> Report:
    return replace(report, notes=(*report.notes, *rejection_notes(run_input.whole)))


def _without_known_findings(run: LoadedUnit, report: Report, examine: Callable[[RunInput], Report]) -> Report:
    """Return the report without the findings that the earlier manifests have as well."""
    earlier = run.earlier()
    if earlier is None:
        return report
    existing = {subject.document.ref.identity for subject in run.input.subjects}
    before = {finding_key(finding): finding.ref.identity for finding in examine(earlier).findings}
    now = {finding_key(finding) for finding in report.findings}
    new = tuple(finding for finding in report.findings if finding_key(finding) not in before)
    fixed = sum(name in existing for key, name in before.items() if key not in now)
    return replace(report, findings=new, known=len(report.findings) - len(new), fixed=fixed)


def plan(
    run_input: RunInput, rules: Callable[[], Sequence[Rule]] = tuple, *, evaluate_objects: EvaluateObjects = map
) -> Report:
    """Return the outcome of each object of a run.

    ``rules`` are read only if an apply is rejected, for the remedy.
    """
    known = [subject for subject in run_input.subjects if subject.document.has_manifest]
    predicted = list(evaluate_objects(predict, known))
    applied = [
        (subject, item[0], _with_read_doubt(subject, item[1], run_input))
        for subject, item in zip(known, predicted, strict=True)
        if not isinstance(item, Problem)
    ]
    problems = tuple(item for item in predicted if isinstance(item, Problem))
    left = () if problems else run_input.unapplied_outcomes
    outcomes = (*run_input.with_former_names(_with_remedies(applied, rules)), *left)
    report = Report(outcomes=outcomes, problems=problems, checked=len(known))
    return run_input.complete(_with_rejection_notes(run_input, report))


def predict(subject: Subject) -> tuple[Document, Outcome] | Problem:
    """Return the outcome of an apply of one object, or the problem of an internal error."""
    found = attempt(partial(_computed_outcome, subject))
    return prediction_problem(subject, found) if isinstance(found, PredictionError) else (subject.document, found)


def _computed_outcome(subject: Subject) -> Outcome:
    """Return the outcome of an apply with its changes computed, so that an error in them is raised here."""
    outcome = subject.predict(Scenario.APPLY)
    return replace(outcome, changes=tuple(outcome.changes))


def _with_read_doubt(subject: Subject, outcome: Outcome, run_input: RunInput) -> Outcome:
    """Return the outcome, or an unknown one if the live object was requested and could not be read.

    An object that kubectl itself rejects is rejected in any case. The scope of a kind without definition is unknown, so
    that the server may accept an object that it rejects for its namespace.
    """
    if run_input.is_unit and subject.kind is None and outcome.refused and outcome.status is not None:
        reason = f"whether the server rejects it depends on the definition of {subject.ref.kind}"
        return replace(outcome, verdict=Verdict.UNKNOWN, confidence=Confidence(Level.LOW, (reason,)), validated=False)
    live, origin = subject.state.live, subject.state.origin
    is_sought = bool(origin) if run_input.origin else run_input.is_unreachable
    is_sure = outcome.refused and (outcome.status is None or not is_segment(subject.ref.name))
    if not isinstance(live, Unknown) or subject.state.simulated or not is_sought or is_sure:
        return _with_kind_doubt(subject, outcome, run_input)
    doubt = Confidence(Level.LOW, (f"the live object could not be read: {live.reason}",))
    return Outcome(outcome.ref, Verdict.UNKNOWN, warnings=outcome.warnings, confidence=doubt)


def _with_kind_doubt(subject: Subject, outcome: Outcome, run_input: RunInput) -> Outcome:
    """Return the outcome, with a doubt if the object is new and nothing shows that its kind is installed."""
    ref, confidence = subject.ref, outcome.confidence
    is_known = outcome.validated and not outcome.bundled_definition
    is_shown = is_known or outcome.refused or isinstance(subject.state.live, Present)
    if is_shown or run_input.shows_kind((ref.api_version, ref.kind)):
        return outcome
    reasons = (f"nothing shows that kind {ref.kind} in {ref.api_version} is installed", *confidence.reasons)
    level = Level.MEDIUM if confidence.level is Level.HIGH else confidence.level
    return replace(outcome, confidence=replace(confidence, level=level, reasons=reasons))


def _with_remedies(
    applied: Sequence[tuple[Subject, Document, Outcome]], rules: Callable[[], Sequence[Rule]]
) -> Iterator[tuple[Document, Outcome]]:
    """Yield the outcomes, those of rejected objects with the remedy of a rule."""
    known = rules() if any(outcome.refused for _, _, outcome in applied) else ()
    for subject, document, outcome in applied:
        remedy = outcome.remedy or rejection_remedy(subject, known) if outcome.refused else outcome.remedy
        yield document, replace(outcome, remedy=remedy)
