"""Semantic versions and ranges, compared with the answers of Masterminds/semver 3.5.0."""

from pathlib import Path

import pytest

from kubectl_applylint.core.version_ranges import is_exact, newest, parse_range, parse_version

TABLE = Path(__file__).with_name("version_ranges.tsv")
VERSIONS, *ROWS = [line.split("\t") for line in TABLE.read_text().splitlines()]


@pytest.mark.parametrize(("text", "answers"), ROWS, ids=repr)
def test_a_range_allows_the_versions_that_the_library_allows(text: str, answers: str) -> None:
    found = parse_range(text)
    got = "invalid" if found is None else ""
    for version in VERSIONS if found else ():
        parsed = parse_version(version)
        got += "?" if found is None or parsed is None else str(int(found.allows(parsed)))

    assert got == answers


@pytest.mark.parametrize(
    ("wanted", "chosen"),
    [
        ("", "v1.10.0"),
        ("1.x", "v1.10.0"),
        ("1.2.3", "1.2.3"),
        ("^1.2 <1.9", "1.2.3"),
        (">=2.0.0-0", "2.0.0-rc.10"),
        ("2.0.0-rc.2", "2.0.0-rc.2"),
        ("latest", "latest"),
        ("3.x", None),
        ("no range", None),
    ],
)
def test_the_newest_version_in_a_range_is_chosen(wanted: str, chosen: str | None) -> None:
    versions = ["1.2.3", "v1.10.0", "1.9.0", "2.0.0-rc.2", "2.0.0-rc.10", "latest"]

    assert newest(versions, wanted) == chosen


@pytest.mark.parametrize("text", ["1." + "9" * 30, "1" * 600])
def test_numbers_out_of_range_are_no_versions(text: str) -> None:
    assert parse_version(text) is None
    assert parse_range(text) is None


def test_only_a_whole_version_is_exact() -> None:
    exact = [
        text for text in ("1.2.3", "v1.2.3", "1.2.3-rc.1", "1.2", "1.2.x", "^1.2.3", "01.2.3", "") if is_exact(text)
    ]

    assert exact == ["1.2.3", "v1.2.3", "1.2.3-rc.1"]
