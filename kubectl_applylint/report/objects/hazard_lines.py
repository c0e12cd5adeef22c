"""The findings about an object of a plan, a line each."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from kubectl_applylint.core.outcome import Outcome
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.safe_text import one_line
from kubectl_applylint.lint.model import Finding
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.finding_groups import cause_key
from kubectl_applylint.report.words import paint, translate, wrap


def hazard_lines(findings: Iterable[Finding], context: Context, *, is_shared: bool = False) -> Iterator[str]:
    """Yield a line for each finding, the most severe first; ``is_shared`` if other objects have the same."""
    rest = f"; {translate('the same for the others', context)}" if is_shared else ""
    for finding in findings:
        word = paint(finding.severity.value, finding.severity.value, context)
        yield wrap(f"    {word}: {one_line(finding.message)}{rest} [{finding.rule}]", context, indent="      ")


def hazards_of(
    findings: Iterable[Finding], root: str, files: Collection[str] | None = None
) -> dict[object, tuple[Finding, ...]]:
    """Return the findings in a unit by the identity of their object, the most severe first.

    ``files`` are the files of the unit, if others have the same root; findings in other files are left out then.
    """
    found: dict[object, list[Finding]] = {}
    for finding in sorted(findings, key=lambda one: one.severity.rank):
        is_in_files = files is None or finding.location.file in files
        if is_in_files and (root in finding.units or not finding.units):
            found.setdefault(finding.ref.identity, []).append(finding)
    return {name: tuple(each) for name, each in found.items()}


def without_repeated_warnings(outcome: Outcome, findings: Iterable[Finding]) -> Outcome:
    """Return an outcome without the warnings whose text is in the message of one of its findings."""
    messages = [finding.message for finding in findings]
    return replace(
        outcome, warnings=tuple(one for one in outcome.warnings if not any(one in message for message in messages))
    )


def common_causes(findings: Sequence[Finding]) -> tuple[object, ...]:
    """Return what the findings of similar objects have in common."""
    return tuple(map(cause_key, findings))
