"""The answer of a source that it does not have a chart, a version or a revision.

Only a definite answer is one: a list of versions that was read, or a server that says that it has no such object.
"""

from collections.abc import Collection, Iterable
from datetime import date, timedelta
from itertools import islice
from operator import itemgetter
from typing import Final

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.spelling import nearest
from kubectl_applylint.core.values import JsonObject, text_at
from kubectl_applylint.core.version_ranges import is_exact, newest, parse_range, parse_version
from kubectl_applylint.sources.store.chart_source import SEMVER, ChartSource, SourceKind, public_url

MOST_DAYS: Final = 7
"""The days after which an answer is not trusted any more."""
_LONGEST: Final = 128
_MOST_COMPARED: Final = 2000
_REFERENCES: Final = {"refs/heads/": "branch", "refs/tags/": "tag"}


@dataclass(frozen=True, slots=True)
class Absence:
    """The answer that a source does not have something, and the day of it."""

    is_whole: bool = False
    """Whether the chart or the repository does not exist, in place of the version alone."""
    hint: str = ""
    """What the source has: ``its newest version is 1.2.3``; empty if that is not known."""
    server: str = ""
    """The mirror that has answered in place of the source."""
    asked: str = ""
    """The day of the answer: ``2026-11-27``."""
    is_private: bool = False
    """Whether it was asked with a login."""

    def is_current(self, today: date) -> bool:
        """Return whether the answer is trusted on a day."""
        try:
            return abs(today - date.fromisoformat(self.asked)) <= timedelta(days=MOST_DAYS)
        except ValueError:
            return False

    def sentence(self, source: ChartSource) -> str:
        """Return what the source does not have, with the day and what it has instead."""
        details = "; ".join(filter(None, (f"asked on {self.asked}", self.hint)))
        return f"{self.host(source)} does not have {self.wanted_words(source)} ({details})"

    def host(self, source: ChartSource) -> str:
        """Return the URL that was asked, and the mirror that stands for it."""
        url = public_url(source.url)
        return f"{self.server}, the mirror of {url}," if self.server else url

    def wanted_words(self, source: ChartSource) -> str:
        """Return what the source does not have."""
        return words_of_source(source, is_whole=self.is_whole)

    def entry(self, source: ChartSource) -> JsonObject:
        """Return the entry of the store."""
        return {
            "source": str(source),
            "whole": self.is_whole,
            "hint": self.hint,
            "server": self.server,
            "asked": self.asked,
            "private": self.is_private,
        }


def absence_of_entry(entry: JsonObject) -> Absence:
    """Return the answer in an entry of the store."""
    hint, server, asked = (text_at(entry, name) for name in ("hint", "server", "asked"))
    return Absence(entry.get("whole") is True, hint, server, asked, is_private=entry.get("private") is True)


def words_of_source(source: ChartSource, *, is_whole: bool) -> str:
    """Return what a source is asked for: the chart or repository as a whole, or a version of it."""
    is_chart = source.kind is SourceKind.HELM
    if is_whole:
        return f"the chart {source.name}" if is_chart else "this repository"
    what = _version_words(source)
    return f"{what} of the chart {source.name}" if is_chart else what


def _version_words(source: ChartSource) -> str:
    noun, version, of_range = "tag", source.version, wanted_range(source)
    if source.kind is SourceKind.HELM:
        noun = "version"
    elif source.kind is SourceKind.GIT:
        start = next((one for one in _REFERENCES if version.startswith(one)), "")
        noun = _REFERENCES.get(start, noun if source.is_tag or of_range is not None else "revision")
        version = version.removeprefix(start)
    if of_range is None:
        return f"the {noun} {version}"
    filtered = f" that matches {source.filter!r}" if source.filter else ""
    return f"a {noun}{filtered}{f' in the range {of_range!r}' if of_range else ''}"


def wanted_range(source: ChartSource) -> str | None:
    """Return the range of versions that a source is asked for, ``None`` for one tag or version."""
    version = source.version
    if source.kind is SourceKind.GIT:
        return version.removeprefix(SEMVER) if version.startswith(SEMVER) else None
    if source.kind is SourceKind.HELM:
        return None if is_exact(version) else version
    is_tag = source.is_tag or is_exact(version) or (version != "" and parse_range(version) is None)
    return version if source.filter or not is_tag else None


def chart_hint(name: str, charts: Iterable[str]) -> str:
    """Return which chart of a repository is meant by a name that it does not have, empty if none is like it."""
    found = nearest(name, _names_to_compare(charts))
    return f"did you mean {found}?" if found else ""


def _names_to_compare(names: Iterable[str]) -> list[str]:
    """Return the names that are compared with a misspelled one: a server may list any number, of any length."""
    return [*islice((name for name in names if len(name) <= _LONGEST), _MOST_COMPARED)]


def branch_hint(name: str, branches: Collection[str]) -> str:
    """Return which branch of a repository is meant by a name that it does not have, empty if none is likely."""
    main = next((one for one in ("main", "master") if one in branches and name in ("main", "master")), "")
    found = main or nearest(name, _names_to_compare(branches))
    return f"did you mean {found}?" if found else ""


def version_hint(wanted: str, versions: Collection[str]) -> str:
    """Return which of the versions is meant by one that does not exist, or else the newest; empty without any."""
    twin = next((one for one in (f"v{wanted}", wanted.removeprefix("v")) if one in versions and one != wanted), "")
    if twin:
        return f"did you mean {twin}?"
    known = [text for text in versions if len(text) <= _LONGEST]
    if release := newest(known, ""):
        return f"its newest version is {release}"
    parsed = [(version, text) for text in known if (version := parse_version(text))]
    if parsed:
        return f"its newest version is {max(parsed, key=itemgetter(0))[1]}, a prerelease"
    found = nearest(wanted, _names_to_compare(versions))
    return f"did you mean {found}?" if found else ""
