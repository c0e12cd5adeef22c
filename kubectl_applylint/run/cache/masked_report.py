"""Masks the report of a run, and caches which reports need no masking."""

from typing import Final

from kubectl_applylint.lint.model import Report
from kubectl_applylint.run.cache.result_cache import CATEGORY
from kubectl_applylint.run.load.run_input import RunInput
from kubectl_applylint.run.loaded_units import LoadedUnits
from kubectl_applylint.secrets.masking import mask_report, report_text
from kubectl_applylint.sources.system import cache_folder

_FORMAT: Final = b"nothing is masked 2"


def mask_run_report(report: Report, run_input: RunInput | LoadedUnits) -> Report:
    """Return a report with the values of Secrets and other credentials masked.

    If an earlier run had the same report on the same files and nothing was masked, the Secrets are not read again.
    """
    key = _cache_key(report, run_input) if isinstance(run_input, LoadedUnits) else ""
    if key and cache_folder.read(CATEGORY, key) is not None:
        return report
    safe = mask_report(report, run_input.objects)
    if key and safe == report:
        cache_folder.write(CATEGORY, key, b"")
    return safe


def _cache_key(report: Report, runs: LoadedUnits) -> str:
    """Return the cache key of a report, from its text and the content of the run; empty if that is unknown."""
    if not runs.content_key or not cache_folder.is_kept():
        return ""
    return cache_folder.key_of(
        [_FORMAT, runs.content_key.encode(), report_text(report).encode("utf-8", "surrogatepass")]
    )
