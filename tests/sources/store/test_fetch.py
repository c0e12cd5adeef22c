"""Fetching: what is there is not downloaded again, what is not allowed is not contacted."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from kubectl_applylint.core.records import replace
from kubectl_applylint.sources.store import fetch, store
from kubectl_applylint.sources.store.absence import Absence
from kubectl_applylint.sources.store.chart_source import ChartSource, SourceKind
from kubectl_applylint.sources.store.download import Downloaded
from kubectl_applylint.sources.store.download import download as real_download
from kubectl_applylint.sources.store.download_errors import AbsentError, DownloadError
from kubectl_applylint.sources.store.fetch import NeededSource, distinct, fetch_all, rejection
from kubectl_applylint.sources.store.gateway import Gateway
from kubectl_applylint.sources.store.host_rules import HostRules
from kubectl_applylint.sources.store.hosts import host_path, mirrors
from kubectl_applylint.sources.store.store_place import NO_STORE, Store, use_store
from tests.sources.store.packed import packed_chart

RANGE = ChartSource(SourceKind.HELM, "https://charts.example/stable", "web", "1.x")
EXACT = ChartSource(SourceKind.OCI, "oci://charts.example/db", version="1.2.3")
OTHER = ChartSource(SourceKind.OCI, "oci://other.example/web", version="1.2.3")
RULES = HostRules(trusted=(host_path("charts.example"),))


@pytest.fixture(autouse=True)
def downloads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[ChartSource]]:
    """The sources that are downloaded."""
    found: list[ChartSource] = []

    def download(source: ChartSource, rules: HostRules, gateway: Gateway) -> Downloaded:
        found.append(source)
        if source.version == "9.9.9":
            raise DownloadError("no such version")
        if source.version == "9.9.7":
            raise AbsentError(source, Absence(hint="its newest version is 1.2.3", is_private=True))
        if source.version == "9.9.8":
            raise DownloadError("charts.example rejects the request without a login (401)")
        return Downloaded(packed_chart(source.name), size=10)

    monkeypatch.setattr(fetch, "download", download)
    with use_store(Store(str(tmp_path / "cache"))):
        yield found


def test_a_source_is_downloaded_once(downloads: list[ChartSource]) -> None:
    needed = [NeededSource(RANGE, "a.yaml:1"), NeededSource(EXACT), NeededSource(RANGE, "b.yaml:1")]
    steps: list[tuple[int, int]] = []
    first = fetch_all(needed, RULES, report=lambda done, total, name: steps.append((done, total)))
    again = fetch_all(needed, RULES)

    assert sorted(downloads, key=str) == sorted([RANGE, EXACT], key=str)
    assert [one.is_new for one in (*first, *again)] == [True, True, False, False]
    assert [bool(one.chart and one.chart.resolved) for one in first] == [True, False]
    assert sorted(steps) == [(1, 2), (2, 2)]
    assert [one.place for one in distinct(needed)] == ["a.yaml:1", ""]


def test_only_ranges_are_resolved_again(downloads: list[ChartSource]) -> None:
    needed = [NeededSource(RANGE), NeededSource(EXACT)]
    fetch_all(needed, RULES)
    downloads.clear()
    fetch_all(needed, RULES, updates_ranges=True)

    assert downloads == [RANGE]


def test_sources_that_are_not_allowed_are_named_and_not_downloaded(downloads: list[ChartSource]) -> None:
    git = ChartSource(SourceKind.GIT, "ext::sh -c true", "charts/web")
    found = fetch_all([NeededSource(OTHER), NeededSource(git)], RULES)

    assert downloads == []
    assert found[0].reason == "the host other.example is not allowed"
    assert found[0].advice == "allow it with --allow-host other.example, if you trust it"
    assert found[1].reason == "its protocol is ext, not https"
    assert rejection(EXACT, RULES) == ("", "")


def test_offline_nothing_is_downloaded(downloads: list[ChartSource]) -> None:
    found = fetch_all([NeededSource(EXACT), NeededSource(OTHER)], RULES, is_offline=True)

    assert downloads == []
    assert [one.reason for one in found] == ["", "the host other.example is not allowed"]


def test_a_failure_is_a_reason_and_the_rest_is_stored() -> None:
    missing = ChartSource(SourceKind.HELM, "https://charts.example/stable", "web", "9.9.9")
    found = fetch_all([NeededSource(missing), NeededSource(EXACT)], RULES)

    assert [one.reason for one in found] == ["no such version", ""]
    assert isinstance(store.chart(EXACT), store.StoredChart)


def test_a_source_that_asks_for_a_login_has_advice() -> None:
    denied = ChartSource(SourceKind.HELM, "https://charts.example/stable", "web", "9.9.8")
    (found,) = fetch_all([NeededSource(denied)], RULES)

    assert found.advice.startswith("log in (helm registry login")
    assert "provider (aws, azure, gcp)" in found.advice


def test_a_missing_helm_is_to_be_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(fetch, "download", real_download)
    monkeypatch.setenv("PATH", str(tmp_path))
    (found,) = fetch_all([NeededSource(EXACT)], RULES)

    assert found.reason == "helm, which downloads charts, was not found on the PATH"
    assert found.advice == "install helm"


def test_a_chart_with_another_name_is_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetch, "download", lambda source, rules, gateway: Downloaded(packed_chart("evil")))

    assert fetch_all([NeededSource(EXACT)], RULES)[0].reason == "the name of the chart is 'evil', not 'db'"


def test_a_store_that_cannot_be_written_is_a_reason() -> None:
    with use_store(NO_STORE):
        assert fetch_all([NeededSource(EXACT)], RULES)[0].reason == "it cannot be written into the store"


def test_the_absence_of_a_version_is_stored(downloads: list[ChartSource]) -> None:
    absent = ChartSource(SourceKind.HELM, "https://charts.example/stable", "web", "9.9.7")
    failed = ChartSource(SourceKind.HELM, "https://charts.example/stable", "web", "9.9.9")
    mirrored = HostRules(mirrors=mirrors({"charts.example": "harbor.example/proxy"}))
    found, _ = fetch_all([NeededSource(absent), NeededSource(failed)], RULES)
    answer = Absence(hint="its newest version is 1.2.3", asked=date.today().isoformat(), is_private=True)

    assert found.reason == "it does not have the version 9.9.7 of the chart web; its newest version is 1.2.3"
    assert found.absence == store.absence(absent) == answer
    assert store.absence(failed) is None
    assert fetch_all([NeededSource(absent)], mirrored)[0].absence == replace(answer, server="harbor.example")
    assert len(downloads) == 3
