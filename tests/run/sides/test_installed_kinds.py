"""Kinds that the files of a revision show."""

from pathlib import Path

import pytest

from kubectl_applylint.run.sides import sides
from kubectl_applylint.run.sides.installed_kinds import kind_finder


@pytest.mark.parametrize(
    ("text", "is_shown"),
    [
        ("apiVersion: x.io/v1\nkind: Lamp\nmetadata: {name: a}\n", True),
        ('{"apiVersion": "x.io/v1beta1", "kind": "Lamp", "metadata": {"name": "a"}}', True),
        ("apiVersion: other.io/v1\nkind: Lamp\nmetadata: {name: a}\n", False),
        ("apiVersion: x.io/v1\nkind: LampShade\nmetadata: {name: Lamp}\n", False),
    ],
    ids=["same version", "another version", "another group", "another kind"],
)
def test_a_kind_is_shown_by_an_object_of_its_group(tmp_path: Path, text: str, is_shown: bool) -> None:
    (tmp_path / "a.yaml").write_text(text)

    assert kind_finder(sides.of_folder(str(tmp_path)))(("x.io/v1", "Lamp")) is is_shown
