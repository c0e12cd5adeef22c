"""Keeps what a run has found for later ones."""

from collections.abc import Iterable

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.records import replace
from kubectl_applylint.lint.model import Report
from kubectl_applylint.run.kept_results import KeptResult, keep
from kubectl_applylint.run.renders import is_rendered
from kubectl_applylint.run.unit_run import UnitRun
from kubectl_applylint.secrets.literals import spellings_of
from kubectl_applylint.secrets.masking import says_masked
from kubectl_applylint.secrets.names_and_credentials import names_and_credentials


def keep_results(told: Iterable[tuple[UnitRun, Report]]) -> None:
    """Keep the reports of the runs that have a key and say nothing that is masked; parts of a unit go together."""
    each: dict[str, list[KeptResult | None]] = {}
    for run, report in told:
        if run.key:
            each.setdefault(run.key, []).append(run.kept or result_of(run, report))
    whole = {key: [one for one in results if one] for key, results in each.items()}
    keep({key: results for key, results in whole.items() if len(results) == len(each[key])})


def result_of(run: UnitRun, report: Report) -> KeptResult | None:
    """Return what is kept of a unit; ``None`` if its report says something that is masked, or cannot be told again."""
    found = run.found
    objects = list(found.objects)
    known = names_and_credentials(objects)
    if run.unit is None or found.is_unreachable or says_masked(report, objects if known.credentials else ()):
        return None
    telling = [one for one in found.documents if id(one.object) in known.credentials]
    if is_rendered(run.unit) and not all(map(_is_told_by_source, telling)):
        return None
    masking = frozenset(one.file for one in telling)
    # What an edit was made of may be the value of a Secret; the edit itself is proven, and masked as all texts are.
    findings = tuple(replace(finding, wanted=()) for finding in report.findings)
    kept = replace(report, findings=findings)
    return KeptResult(run.unit, kept, found.notes, found.gaps, found.problems, known.names, masking)


def _is_told_by_source(rendered: Document) -> bool:
    """Tell whether the file that an object was rendered from has all of its credentials, to be read again."""
    return rendered.source is not None and spellings_of([rendered.object]) <= spellings_of([rendered.source])
