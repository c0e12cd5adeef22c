"""Sources without the requested version: their texts, and how long they are trusted."""

from datetime import date

import pytest

from kubectl_applylint.core.records import replace
from kubectl_applylint.sources.store.absence import (
    Absence,
    absence_of_entry,
    branch_hint,
    chart_hint,
    version_hint,
)
from kubectl_applylint.sources.store.chart_source import ChartSource, SourceKind, git_source

HELM, OCI = SourceKind.HELM, SourceKind.OCI
INDEX, IMAGE, GIT = "https://charts.example/stable", "oci://ghcr.io/owner/web", "https://git.example/org/repo"


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (ChartSource(HELM, INDEX, "web", "9.9.9"), "the version 9.9.9 of the chart web"),
        (ChartSource(HELM, INDEX, "web", "9.x"), "a version in the range '9.x' of the chart web"),
        (ChartSource(HELM, INDEX, "web"), "a version of the chart web"),
        (ChartSource(OCI, IMAGE, version="9.9.9"), "the tag 9.9.9"),
        (ChartSource(OCI, IMAGE, version="9.x", is_tag=True), "the tag 9.x"),
        (ChartSource(OCI, IMAGE, version="9.x", filter="-rc"), "a tag that matches '-rc' in the range '9.x'"),
        (git_source(GIT, "v9", is_tag=True), "the tag v9"),
        (git_source(GIT, "refs/tags/v9"), "the tag v9"),
        (git_source(GIT, "refs/heads/main"), "the branch main"),
        (git_source(GIT, "semver:9.x"), "a tag in the range '9.x'"),
        (git_source(GIT, "v9"), "the revision v9"),
    ],
)
def test_an_absent_source_is_named(source: ChartSource, words: str) -> None:
    assert Absence().wanted_words(source) == words


def test_a_whole_chart_or_repository_is_named() -> None:
    whole = Absence(is_whole=True)

    assert whole.wanted_words(ChartSource(HELM, INDEX, "web", "1.x")) == "the chart web"
    assert whole.wanted_words(ChartSource(OCI, IMAGE, version="1.x")) == "this repository"


def test_an_answer_has_its_day_and_the_mirror_that_gave_it() -> None:
    found = Absence(hint="its newest version is 1.2.3", asked="2026-11-27")
    source = ChartSource(OCI, "oci://user:secret@ghcr.io/owner/web", version="9.9.9")

    assert found.sentence(source) == (
        "oci://ghcr.io/owner/web does not have the tag 9.9.9 (asked on 2026-11-27; its newest version is 1.2.3)"
    )
    assert replace(found, hint="", server="harbor.example").sentence(source) == (
        "harbor.example, the mirror of oci://ghcr.io/owner/web, does not have the tag 9.9.9 (asked on 2026-11-27)"
    )


@pytest.mark.parametrize(
    ("asked", "is_current"),
    [("2026-11-27", True), ("2026-11-20", True), ("2026-11-19", False), ("2026-12-27", False), ("", False)],
)
def test_an_answer_is_trusted_for_a_week(asked: str, is_current: bool) -> None:
    assert Absence(asked=asked).is_current(date(2026, 11, 27)) is is_current


def test_an_entry_of_the_store_has_all_of_an_answer() -> None:
    found = Absence(True, "did you mean web?", "harbor.example", "2026-11-27", is_private=True)
    entry = found.entry(ChartSource(OCI, "oci://user:secret@ghcr.io/owner/wbe"))

    assert absence_of_entry(entry) == found
    assert "secret" not in str(entry)
    assert absence_of_entry({"whole": "yes", "hint": 5}) == Absence()


@pytest.mark.parametrize(
    ("wanted", "versions", "hint"),
    [
        ("9.9.9", ["1.2.3", "1.10.0", "2.0.0-rc.1"], "its newest version is 1.10.0"),
        ("1.2.3", ["v1.2.3", "v1.3.0"], "did you mean v1.2.3?"),
        ("v1.2.3", ["1.2.3"], "did you mean 1.2.3?"),
        ("1.x", ["0.1.0-rc.1", "0.1.0-rc.2"], "its newest version is 0.1.0-rc.2, a prerelease"),
        ("lastest", ["edge", "latest"], "did you mean latest?"),
        ("1.2.3", ["edge"], ""),
        ("1.2.3", [f"{'1' * 200}.0.0"], ""),
    ],
)
def test_near_versions(wanted: str, versions: list[str], hint: str) -> None:
    assert version_hint(wanted, versions) == hint


def test_near_names() -> None:
    assert chart_hint("podinf", ["podinfo", "other"]) == "did you mean podinfo?"
    assert chart_hint("podinfo", ["x" * 200]) == ""
    assert branch_hint("master", ["main", "mastr"]) == "did you mean main?"
    assert branch_hint("develp", ["main", "develop"]) == "did you mean develop?"
    assert branch_hint("none", ["main"]) == ""
