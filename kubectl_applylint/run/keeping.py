"""Keeps what a run has found for later ones."""

from collections.abc import Iterable

from kubectl_applylint.core.records import replace
from kubectl_applylint.lint.model import Report
from kubectl_applylint.report.literals import names
from kubectl_applylint.report.masking import has_credentials, mask_report
from kubectl_applylint.run.kept_results import KeptResult, keep
from kubectl_applylint.run.renders import is_rendered
from kubectl_applylint.run.unit_runs import UnitRun


def keep_results(told: Iterable[tuple[UnitRun, Report]]) -> None:
    """Keep the reports of the runs that have a key and say nothing that is masked; parts of a unit go together."""
    each: dict[str, list[KeptResult | None]] = {}
    for run, report in told:
        if run.key:
            each.setdefault(run.key, []).append(_result(run, report))
    for key, results in each.items():
        whole = [one for one in results if one]
        if len(whole) == len(results):
            keep(key, whole)


def _result(run: UnitRun, report: Report) -> KeptResult | None:
    found = run.found
    objects = list(found.objects)
    if run.unit is None or found.is_unreachable or mask_report(report, objects) != report:
        return None
    masking = frozenset(one.file for one in found.documents if has_credentials(one.object))
    if masking and is_rendered(run.unit):
        return None
    # What an edit was made of may be the value of a Secret; the edit itself is proven, and masked as all texts are.
    findings = tuple(replace(finding, wanted=()) for finding in report.findings)
    kept = replace(report, findings=findings)
    return KeptResult(run.unit, kept, found.notes, found.gaps, found.problems, frozenset(names(objects)), masking)
