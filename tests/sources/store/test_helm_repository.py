"""Indexes of Helm repositories: versions with absolute and relative URLs, in YAML and JSON."""

import json

import pytest

from kubectl_applylint.sources.store import helm_repository
from kubectl_applylint.sources.store.chart_source import ChartSource, SourceKind
from kubectl_applylint.sources.store.download_errors import AbsentError, DownloadError
from kubectl_applylint.sources.store.helm_repository import IndexEntry, index_entries, reduced_index

INDEX = b"""\
apiVersion: v1
entries:
  db:
  - {name: db, version: 0.1.0, urls: [db.tgz]}
  web:
    - version: 1.0.0
      created: "2026-01-01T00:00:00Z"
      digest: sha256:abc
      urls:
      - web-1.0.0.tgz
    - version: 2.0.0
      urls: [https://files.example/web-2.0.0.tgz]
    - {version: 3.0.0}
    - no mapping
  "www":
  - {version: 1.0.0, urls: [/www.tgz]}
generated: now
"""
URL = "https://charts.example/stable"


def source(chart: str) -> ChartSource:
    return ChartSource(SourceKind.HELM, URL, chart, "1.x")


def test_versions_are_read_with_their_urls() -> None:
    assert index_entries(INDEX, source("web"), URL) == [
        IndexEntry("1.0.0", f"{URL}/web-1.0.0.tgz", "abc", "2026-01-01T00:00:00Z"),
        IndexEntry("2.0.0", "https://files.example/web-2.0.0.tgz"),
    ]
    assert index_entries(INDEX, source("www"), URL) == [IndexEntry("1.0.0", "https://charts.example/www.tgz")]


def test_an_index_may_be_json() -> None:
    index = json.dumps({"entries": {"web": [{"version": "1.0.0", "urls": ["a.tgz"]}]}}).encode()

    assert index_entries(index, source("web"), URL) == [IndexEntry("1.0.0", f"{URL}/a.tgz")]
    with pytest.raises(DownloadError, match="is not valid"):
        index_entries(b"{", source("web"), URL)


@pytest.mark.parametrize("index", [INDEX, b"entries: {other: []}", b'{"entries": {"other": []}}'])
def test_a_chart_that_is_not_in_the_index_is_absent(index: bytes) -> None:
    with pytest.raises(AbsentError, match="it does not have the chart none") as caught:
        index_entries(index, source("none"), URL)

    assert caught.value.absence.is_whole


@pytest.mark.parametrize("index", [b"", b"entries: []", b"a: [", b"<html></html>"])
def test_an_index_without_charts_is_an_error(index: bytes) -> None:
    with pytest.raises(DownloadError, match="lists no charts") as caught:
        index_entries(index, source("none"), URL)

    assert not isinstance(caught.value, AbsentError)


def test_a_chart_is_found_in_an_index_of_another_style(monkeypatch: pytest.MonkeyPatch) -> None:
    index = b"entries: {web: [{version: 1.0.0, urls: [a.tgz]}]}"
    assert index_entries(index, source("web"), URL) == [IndexEntry("1.0.0", f"{URL}/a.tgz")]

    monkeypatch.setattr(helm_repository, "_MOST_PARSED", 10)
    with pytest.raises(DownloadError, match="too large"):
        index_entries(index, source("web"), URL)


def test_a_reduced_index_names_archives_by_number() -> None:
    found = json.loads(reduced_index(index_entries(INDEX, source("web"), URL), "web"))

    assert [one["urls"] for one in found["entries"]["web"]] == [["charts/0.tgz"], ["charts/1.tgz"]]
    assert found["entries"]["web"][0]["created"] == "2026-01-01T00:00:00Z"
