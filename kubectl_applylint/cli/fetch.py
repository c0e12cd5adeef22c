"""The command ``fetch``: downloads the charts that units need into the store."""

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from kubectl_applylint.cli.parsing.arguments import Arguments
from kubectl_applylint.cli.state import request_of
from kubectl_applylint.cli.terminal.output import say, write
from kubectl_applylint.cli.terminal.progress import showing_units
from kubectl_applylint.config.configuration import Config, ConfigError
from kubectl_applylint.core.problem import UnreadableError
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.safe_text import Target
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.ending import CLEAN, INCOMPLETE
from kubectl_applylint.report.fetch import FetchedSource, fetch_json, fetch_text
from kubectl_applylint.run.compare.against import NOTHING, AgainstKind
from kubectl_applylint.run.discover.discovery import UnknownPathError
from kubectl_applylint.run.needed_sources import NeededSources, UnknownSource, needed_sources
from kubectl_applylint.run.progress import report_unit
from kubectl_applylint.run.request import Request, is_by_units
from kubectl_applylint.sources.files.output_file import write_file
from kubectl_applylint.sources.git.git import GitError
from kubectl_applylint.sources.store import store
from kubectl_applylint.sources.store.chart_source import SourceKind
from kubectl_applylint.sources.store.fetch import FetchResult, fetch_all
from kubectl_applylint.sources.store.host_rules import HostRules, places
from kubectl_applylint.sources.store.store_place import is_usable
from kubectl_applylint.sources.system.contents import missing_problem

_JSON: Final = "json"
_LEADING: Final = (SourceKind.GIT, SourceKind.FILE)
"""The kinds of sources that may name further ones."""
_MOST_ROUNDS: Final = 10
_NO_FOLDER: Final = "there is no cache directory to keep charts in: set APPLYLINT_CACHE_DIR or HOME"
_NOT_STORED: Final = "it is not in the store"
_PACK_ADVICE: Final = "write it again with applylint fetch -o FILE"
_UNKNOWN_ADVICE: Final = "add it to the repository, or render it elsewhere"


def fetch(program: str, arguments: Arguments, config: Config) -> int:
    """Download what units need; return 3 if something is missing. Raises ``ConfigError`` without a store."""
    options = arguments.fetch
    if not is_usable():
        raise ConfigError([_NO_FOLDER])
    if config.store and (options.update or options.pack not in ("", _JSON)):
        raise ConfigError([f"--store {config.store}: a store in one file is read and never written"])
    needed, results = _fetch_in_rounds(arguments, config)
    if config.store:
        results = [one if one.chart else replace(one, reason=_NOT_STORED, advice=_PACK_ADVICE) for one in results]
    listed = [*map(_source, results), *map(_missing_source, needed.unknown)]
    if options.pack == _JSON:
        write(fetch_json(listed, Context(command="fetch")), target=Target.JSON)
    else:
        write(fetch_text(listed))
    say(program, _lines(listed))
    if options.pack not in ("", _JSON) and not options.dry_run:
        _pack(options.pack, results, include_private=options.include_private)
    return INCOMPLETE if any(one.status == "missing" for one in listed) else CLEAN


def fetch_for(program: str, arguments: Arguments, config: Config) -> None:
    """Download what the units of another command need, and name what is missing."""
    if is_usable() and not config.store and _has_units(request_of(arguments, config)):
        _, results = _fetch_in_rounds(arguments, config)
        say(program, _lines(map(_source, results)))


def _has_units(request: Request) -> bool:
    """Return whether a request is about units, or about kustomizations as one apply."""
    return is_by_units(request) or (bool(request.files) and all(map(os.path.isdir, request.files)))


def _fetch_in_rounds(arguments: Arguments, config: Config) -> tuple[NeededSources, list[FetchResult]]:
    """Download what units need, and then what that needs, as bases may name others, and have HelmReleases."""
    new: set[str] = set()
    for _ in range(_MOST_ROUNDS):
        needed = _sources_of(arguments, config)
        results = _results(
            needed, rules_for(config, needed.earlier), arguments, config, updates=arguments.fetch.update and not new
        )
        found = {one.needed.source.key for one in results if one.is_new} - new
        new |= found
        if not any(one.needed.source.key in found and one.needed.source.kind in _LEADING for one in results):
            break
    return needed, [replace(one, is_new=one.needed.source.key in new) for one in results]


def rules_for(config: Config, earlier: Iterable[str]) -> HostRules:
    """Return the rules for hosts from the trusted configuration and the URLs of the earlier revision."""
    return HostRules(config.allow_host, places(url.replace("oci://", "https://", 1) for url in earlier), config.mirrors)


def _sources_of(arguments: Arguments, config: Config) -> NeededSources:
    is_compared = "against" in arguments.flags and config.against.kind is not AgainstKind.NONE
    missing = next((name for name in arguments.files if not is_compared and not os.path.lexists(name)), None)
    if missing is not None:
        raise UnreadableError(missing_problem(missing))
    request = request_of(arguments, config if is_compared else replace(config, against=NOTHING))
    try:
        with showing_units():
            return needed_sources(request)
    except UnknownPathError as fault:
        raise ConfigError([str(fault)]) from None
    except GitError as fault:
        raise UnreadableError(fault.problem) from fault


def _results(
    needed: NeededSources, rules: HostRules, arguments: Arguments, config: Config, *, updates: bool
) -> list[FetchResult]:
    """Return the result for each source; ``updates``: ranges are resolved again."""

    def report(done: int, total: int, name: str) -> None:
        report_unit("fetched chart", done, total, name)

    options = arguments.fetch
    is_offline = options.dry_run or bool(config.store)
    with showing_units():
        return fetch_all(needed.known, rules, updates_ranges=updates, is_offline=is_offline, report=report)


def _source(result: FetchResult) -> FetchedSource:
    found = FetchedSource(str(result.needed.source), result.needed.place, "stored")
    if result.chart is None:
        is_allowed = not result.reason
        return replace(found, status="listed" if is_allowed else "missing", reason=result.reason, advice=result.advice)
    return replace(
        found,
        status="fetched" if result.is_new else "stored",
        version=result.chart.version,
        digest=f"sha256:{result.chart.digest}",
        resolved=result.chart.resolved,
        is_private=result.chart.is_private,
        size=result.size,
        seconds=result.seconds,
    )


def _missing_source(one: UnknownSource) -> FetchedSource:
    return FetchedSource(one.name, one.place, "missing", reason=one.reason, advice=_UNKNOWN_ADVICE)


def _lines(listed: Iterable[FetchedSource]) -> Iterator[str]:
    """Yield a line for each source that is missing."""
    for one in listed:
        if one.status == "missing":
            yield f"{one.place}: {one.source}: {one.reason}; {one.advice}"


def _pack(file: str, results: Sequence[FetchResult], *, include_private: bool) -> None:
    """Write a store in one file; raise ``ConfigError`` if that fails."""
    charts = [(one.needed.source, one.chart) for one in results if one.chart]
    absences = [(one.needed.source, one.absence) for one in results if one.absence]
    content = store.store_file(
        ((source, chart) for source, chart in charts if include_private or not chart.is_private),
        ((source, absence) for source, absence in absences if include_private or not absence.is_private),
    )
    try:
        write_file(file, content)
    except OSError as fault:
        raise ConfigError([f"{file}: cannot be written: {fault.strerror}"]) from None
