"""The findings about the objects of a plan, for a line below each of them."""

from collections.abc import Callable, Iterable
from typing import Final, TypeAlias

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.outcome import Outcome, Verdict
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.state import Identity
from kubectl_applylint.lint.dispatch import Dispatch
from kubectl_applylint.lint.hiding.suppress import Policy
from kubectl_applylint.lint.model import Finding, Report, Severity, Subject
from kubectl_applylint.lint.run import lint_by
from kubectl_applylint.run.load.run_input import RunInput
from kubectl_applylint.run.loaded_units import LoadedUnit

_SIZE: Final = regex(r"[0-9]+ bytes")
Findings: TypeAlias = tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class HazardRules:
    """The rules for the objects of a plan, and what hides their findings."""

    dispatch: Dispatch
    policy: Policy


def hazards(
    run: LoadedUnit, outcomes: Iterable[tuple[Document, Outcome]], read_rules: Callable[[], HazardRules]
) -> Findings:
    """Return the warnings and errors about the objects of an apply, including those that it does not change.

    An apply of earlier manifests that changes nothing has none. As in ``check``, findings that the earlier manifests
    have as well are left out. A rejected object has none: its outcome has the reason and the remedy. An orphaned object
    has none either: its verdict says that it stays.
    """
    verdicts = {outcome.ref.identity: outcome.verdict for _, outcome in outcomes if _is_examined(outcome)}
    is_same = run.input.earlier_apply is not None and {*verdicts.values()} == {Verdict.UNCHANGED}
    if not verdicts or is_same:
        return ()
    examined = set(verdicts)
    rules = read_rules()
    found = _findings(run.input, examined, rules)
    earlier = run.earlier() if found else None
    if earlier is None:
        return found
    known = set(map(finding_key, _findings(earlier, {finding.ref.identity for finding in found}, rules)))
    return tuple(finding for finding in found if finding_key(finding) not in known)


def _is_examined(outcome: Outcome) -> bool:
    return not outcome.refused and outcome.verdict not in (Verdict.KEPT, Verdict.UNKNOWN)


def _findings(found: RunInput, names: set[Identity], rules: HazardRules) -> Findings:
    """Return the warnings and errors about the objects with these names."""
    subjects = [replace(one, alternatives=()) for one in _every(found) if one.ref.identity in names]
    report = lint_by(rules.dispatch, subjects, texts=found.texts, policy=rules.policy) if subjects else Report()
    return tuple(finding for finding in report.findings if finding.severity is not Severity.INFO)


def _every(found: RunInput) -> Iterable[Subject]:
    return (*found.subjects, *found.unapplied())


def finding_key(finding: Finding) -> tuple[object, ...]:
    """Return the key that is equal for the same finding in two revisions; sizes in messages are ignored."""
    return (finding.rule, finding.ref.identity, finding.path, _SIZE.sub("bytes", finding.message))
