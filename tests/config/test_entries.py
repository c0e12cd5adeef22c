from pathlib import Path

import pytest

from kubectl_applylint.config.entries import ENTRY_OPTIONS, keys, suggestion
from kubectl_applylint.config.settings import ConfigFault, Setting, SettingEntry
from kubectl_applylint.core.location import Location, Span

PLACE = Location("x.yaml", Span(1, 1, 1, 2))


def entry(**texts: str) -> SettingEntry:
    return SettingEntry(tuple(Setting(name, (text,), PLACE, Path()) for name, text in texts.items()), PLACE)


def test_each_key_is_read_as_an_option() -> None:
    assert keys(entry(rule="a", reason="so"), ENTRY_OPTIONS) == {"rule": ["a"], "reason": ["so"]}


@pytest.mark.parametrize(
    ("one", "text"),
    [
        (entry(rule="a", resource="b"), "'b' is not an object; write it like deployment/web or shop/deployment/web"),
        (entry(reson="a"), "unknown key 'reson'; did you mean reason?"),
    ],
    ids=["value", "key"],
)
def test_the_first_fault_is_reported_with_its_place(one: SettingEntry, text: str) -> None:
    assert keys(one, ENTRY_OPTIONS) == ConfigFault(f"x.yaml:1:1: {text}")


def test_a_name_like_no_other_is_answered_with_all() -> None:
    assert suggestion("zzz", ENTRY_OPTIONS) == f"valid options: {', '.join(ENTRY_OPTIONS)}"
