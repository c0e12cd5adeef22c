"""The index of a Helm repository: the versions of one chart, with the places of their archives."""

import json
import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import urljoin

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.values import Json, items, mapping, text_at, texts_at
from kubectl_applylint.sources.store.absence import Absence, chart_hint
from kubectl_applylint.sources.store.chart_source import ChartSource
from kubectl_applylint.sources.store.download_errors import AbsentError, DownloadError
from kubectl_applylint.sources.text.manifests import first_document

_MOST_PARSED: Final = 8 << 20
"""The maximum size in bytes of the part of an index that is parsed."""


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """A version of a chart in an index."""

    version: str
    url: str
    digest: str = ""
    """The SHA-256 digest of the archive in hexadecimal, empty if the index has none."""
    created: str = ""


def index_entries(index: bytes, source: ChartSource, url: str) -> list[IndexEntry]:
    """Return the versions of the chart of a source in the index of the repository at ``url``.

    Raises ``AbsentError`` if the index does not have the chart, ``DownloadError`` if it is not an index.
    """
    entries = mapping(mapping(_document(index, source.name)).get("entries"))
    if source.name in entries:
        return [*_entries(entries[source.name], url)]
    if not entries:
        raise DownloadError("the index of the repository lists no charts")
    raise AbsentError(source, Absence(is_whole=True, hint=chart_hint(source.name, entries)))


def _entries(found: Json, url: str) -> Iterator[IndexEntry]:
    for entry in items(found):
        version, urls = mapping(entry).get("version"), texts_at(entry, "urls")
        if version and urls:
            place = urljoin(f"{url.rstrip('/')}/", urls[0])
            digest = text_at(entry, "digest").removeprefix("sha256:")
            yield IndexEntry(str(version), place, digest, text_at(entry, "created"))


def _document(index: bytes, chart: str) -> Json:
    """Return an index, or the part of it that is about a chart: an index may have millions of lines."""
    if index.lstrip()[:1] == b"{":
        try:
            found: Json = json.loads(index)
        except (ValueError, RecursionError):
            raise DownloadError("the index of the repository is not valid") from None
        return found
    start = re.search(rb"^  [\"']?%s[\"']?:[ \t]*\r?$" % re.escape(chart.encode()), index, re.MULTILINE)
    if start:
        end = re.compile(rb"^(?:  [^\s-]|[^\s#])", re.MULTILINE).search(index, start.end())
        index = b"entries:\n" + index[start.start() : end.start() if end else len(index)]
    if len(index) > _MOST_PARSED:
        raise DownloadError(f"the index of the repository is too large to look for {chart!r}")
    return first_document(index)


def reduced_index(entries: list[IndexEntry], chart: str) -> bytes:
    """Return an index of a repository with only these versions; the archive of version N is ``charts/N.tgz``."""
    listed = [
        {"apiVersion": "v2", "name": chart, "version": one.version, "urls": [f"charts/{number}.tgz"]}
        | ({"created": one.created} if one.created else {})
        for number, one in enumerate(entries)
    ]
    return json.dumps({"apiVersion": "v1", "entries": {chart: listed}}).encode()
