"""Manifests after a fix, as cases have them."""

import pytest

from kubectl_applylint.core.values import Json
from tests.cases.fixed import FixEntry, fixed_faults, read_fixed


@pytest.mark.parametrize(
    ("value", "entries"),
    [
        ([], ()),
        ("a: 1", (FixEntry("a: 1"),)),
        (["a: 1", None], (FixEntry("a: 1"), None)),
        ({"flags": ["--server-side"]}, (FixEntry(flags=("--server-side",)),)),
        ([{"manifest": "a: 1", "files": {"b.yaml": "b: 1"}}], (FixEntry("a: 1", files={"b.yaml": "b: 1"}),)),
    ],
    ids=["nothing", "a manifest", "one for each alternative", "flags", "files"],
)
def test_there_is_an_entry_for_each_alternative(value: Json, entries: tuple[FixEntry | None, ...]) -> None:
    assert list(fixed_faults(value)) == []
    assert read_fixed(value) == entries


def test_each_fault_is_named() -> None:
    assert list(fixed_faults([{"file": "x"}, {"flags": "--force"}, 5])) == [
        "unknown key 'file'; valid keys: manifest, then, files, flags",
        "flags is not a list",
        "is not text, a map or null",
    ]
