"""Fetches charts, repositories and files into the store, several at a time."""

from collections.abc import Callable, Iterable
from contextvars import copy_context
from datetime import date
from itertools import count
from typing import Final

from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.sources.store import store
from kubectl_applylint.sources.store.absence import Absence
from kubectl_applylint.sources.store.chart_archive import ArchiveError
from kubectl_applylint.sources.store.chart_source import ChartSource, SourceKind, source_fault
from kubectl_applylint.sources.store.download import Downloaded, download
from kubectl_applylint.sources.store.download_errors import CHECK_ADVICE, AbsentError, DownloadError
from kubectl_applylint.sources.store.gateway import Gateway
from kubectl_applylint.sources.store.host_rules import HostRules, places
from kubectl_applylint.sources.store.http_client import WITH_LOGIN, WITHOUT_LOGIN
from kubectl_applylint.sources.store.store import StoredChart
from kubectl_applylint.sources.system.subprocesses import end_all
from kubectl_applylint.sources.system.workers import ask_all

_AT_ONCE: Final = 6
_LOG_IN: Final = (
    "log in (helm registry login, docker login, the credential helper of git) and allow its path with --allow-host: "
    "logins of the cluster, by secretRef or provider (aws, azure, gcp), are not used"
)


@dataclass(frozen=True, slots=True)
class NeededSource:
    """A source that a unit needs, and the place that names it."""

    source: ChartSource
    place: str = ""
    """``file:line`` of the object that names it."""
    is_earlier: bool = False
    """Whether the earlier revision needs it as well."""


@dataclass(frozen=True, slots=True)
class FetchResult:
    """What became of a source: its chart in the store, or the reason why it is not there."""

    needed: NeededSource
    chart: StoredChart | None = None
    reason: str = ""
    advice: str = ""
    absence: Absence | None = None
    """The answer that the source does not have it."""
    is_new: bool = False
    """Whether it was downloaded by this run."""
    size: int = 0
    """The number of bytes that were received for it."""
    seconds: float = 0.0


def distinct(needed: Iterable[NeededSource]) -> list[NeededSource]:
    """Return each source once, at the first of its places."""
    found: dict[str, NeededSource] = {}
    for one in needed:
        found.setdefault(one.source.key, one)
    return [*found.values()]


def rejection(source: ChartSource, rules: HostRules) -> tuple[str, str]:
    """Return why a source is not downloaded, and what to do; empty if it is."""
    if fault := source_fault(source):
        return fault, CHECK_ADVICE
    url = source.url.replace("oci://", "https://", 1)
    if rules.is_allowed(url):
        return "", ""
    place = next(iter(places([url])), None)
    host = place.address if place else "its host"
    return f"the host {host} is not allowed", f"allow it with --allow-host {host}, if you trust it"


def fetch_all(
    needed: Iterable[NeededSource],
    rules: HostRules,
    *,
    updates_ranges: bool = False,
    is_offline: bool = False,
    report: Callable[[int, int, str], None] = lambda done, total, name: None,
) -> list[FetchResult]:
    """Return the result for each source; what is in the store is not downloaded again.

    If it ``is_offline``, nothing is downloaded: the results are without a chart and without a reason where a download
    would be allowed. ``report`` is called with the number of finished sources, the number of all, and the name of the
    last one.
    """
    every = distinct(needed)
    results: dict[str, FetchResult] = {}
    done = count(1)
    with Gateway().serve() as gateway:

        def fetch(one: NeededSource) -> None:
            results[one.source.key] = _fetch(one, rules, None if is_offline else gateway, updates_ranges=updates_ranges)
            report(next(done), len(every), str(one.source))

        context = copy_context()
        ask_all(lambda one: context.copy().run(fetch, one), every, at_once=_AT_ONCE, end=end_all)
    store.make_room()
    return [results[one.source.key] for one in every]


def _fetch(needed: NeededSource, rules: HostRules, gateway: Gateway | None, *, updates_ranges: bool) -> FetchResult:
    source = needed.source
    kept = store.chart(source)
    if isinstance(kept, StoredChart) and not (updates_ranges and source.is_range):
        return FetchResult(needed, kept)
    reason, advice = rejection(source, rules)
    if reason or gateway is None:
        return FetchResult(needed, reason=reason, advice=advice)
    try:
        found = download(source, rules, gateway)
        resolved = date.today().isoformat() if source.is_range else ""
        chart = _add(source, found, resolved)
    except AbsentError as fault:
        day, mirror = date.today().isoformat(), rules.mirror_of(source.url.replace("oci://", "https://", 1))
        absence = replace(fault.absence, asked=day, server=mirror)
        store.add_absence(source, absence)
        return FetchResult(needed, reason=str(fault), advice=CHECK_ADVICE, absence=absence)
    except DownloadError as fault:
        is_denied = any(words in str(fault) for words in (WITH_LOGIN, WITHOUT_LOGIN))
        return FetchResult(needed, reason=str(fault), advice=_LOG_IN if is_denied else fault.advice)
    except ArchiveError as fault:
        return FetchResult(needed, reason=str(fault), advice=CHECK_ADVICE)
    if isinstance(store.chart(source), StoredChart):
        return FetchResult(needed, chart, is_new=True, size=found.size, seconds=found.seconds)
    return FetchResult(needed, reason="it cannot be written into the store", advice="check the cache directory")


def _add(source: ChartSource, found: Downloaded, resolved: str) -> StoredChart:
    if source.kind in (SourceKind.GIT, SourceKind.FILE, SourceKind.ARTIFACT):
        return store.add_files(source, found.packed, found.revision, resolved=resolved, is_private=found.is_private)
    return store.add(source, found.packed, resolved=resolved, is_private=found.is_private)
