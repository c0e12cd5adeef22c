import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_applylint.units.configured import Configured, configured_declarations
from kubectl_applylint.units.declared import Declared
from kubectl_applylint.units.model import Applied

FOLDERS = ("", "clusters", "clusters/prod", "clusters/prod/apps", "clusters/test", "clusters/test/apps", "a[b", "a[b/c")


@pytest.mark.parametrize(
    ("path", "folder", "paths"),
    [
        ("clusters/*/apps", "", ["clusters/prod/apps", "clusters/test/apps"]),
        ("clusters/prod", "", ["clusters/prod"]),
        ("clusters/prod/", "", ["clusters/prod"]),
        ("./clusters/*", "", ["clusters/prod", "clusters/test"]),
        ("**/apps", "", ["clusters/prod/apps", "clusters/test/apps"]),
        (".", "", [""]),
        ("*/apps", "clusters", ["clusters/prod/apps", "clusters/test/apps"]),
        ("../clusters/t*", "clusters", ["clusters/test"]),
        ("c", "a[b", ["a[b/c"]),
        ("no", "", []),
        ("../x", "", []),
        ("/clusters", "", []),
        ("clusters/[", "", []),
    ],
)
def test_a_pattern_makes_a_unit_a_match(path: str, folder: str, paths: list[str]) -> None:
    applied = Applied("flux", "shop")

    entry = Configured(path, folder, applied, is_recursive=True)
    assert list(configured_declarations([entry], FOLDERS)) == [
        Declared(one, applied, is_recursive=True) for one in paths
    ]


def test_patterns_of_a_configuration_elsewhere_start_at_the_root() -> None:
    found = configured_declarations([Configured("clusters/prod", "/etc")], FOLDERS, lambda folder: None)

    assert [one.path for one in found] == ["clusters/prod"]


def test_entries_come_in_their_order() -> None:
    found = configured_declarations([Configured("clusters/test"), Configured("clusters/*")], FOLDERS)

    assert [one.path for one in found] == ["clusters/test", "clusters/prod", "clusters/test"]


def test_an_entry_is_shown_by_its_pattern() -> None:
    assert str(Configured("clusters/*")) == "clusters/*"


@given(st.text(max_size=20), st.text(max_size=5))
def test_any_text_is_a_pattern(path: str, folder: str) -> None:
    assert {one.path for one in configured_declarations([Configured(path, folder)], FOLDERS)} <= {*FOLDERS}
