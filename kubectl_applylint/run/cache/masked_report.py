"""A report as it may be shown; that nothing of it has to be masked is kept for the next run that says the same."""

from typing import Final

from kubectl_applylint.lint.model import Report
from kubectl_applylint.run.cache.result_cache import SORT
from kubectl_applylint.run.load.run_input import RunInput
from kubectl_applylint.run.unit_run import LoadedUnits
from kubectl_applylint.secrets.masking import mask_report, said_in
from kubectl_applylint.sources.system import cache_folder

_FORM: Final = b"nothing is masked 2"


def mask_run_report(report: Report, run_input: RunInput | LoadedUnits) -> Report:
    """Return a report without what Secrets hold, and without other credentials.

    A check of files that are as they were, and that says the same, need not read the Secrets among them once more.
    """
    key = _cache_key(report, run_input) if isinstance(run_input, LoadedUnits) else ""
    if key and cache_folder.read(SORT, key) is not None:
        return report
    safe = mask_report(report, run_input.objects)
    if key and safe == report:
        cache_folder.write(SORT, key, b"")
    return safe


def _cache_key(report: Report, runs: LoadedUnits) -> str:
    """Return what it is kept by, empty where the objects of the units are not known by keys: by all that is said."""
    if not runs.content_key or not cache_folder.is_kept():
        return ""
    return cache_folder.key_of([_FORM, runs.content_key.encode(), said_in(report).encode("utf-8", "surrogatepass")])
