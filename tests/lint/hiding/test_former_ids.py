"""Ids of earlier versions in ignores and baselines."""

import pytest

from kubectl_applylint.lint.hiding.former_ids import current_id, current_ids, former_id, rename_note

KNOWN = {"apply-rejected", "my-refused", "image-without-tag"}


@pytest.mark.parametrize(
    ("name", "current"),
    [
        pytest.param("apply-refused", "apply-rejected", id="renamed"),
        pytest.param("apply-rejected", "apply-rejected", id="current"),
        pytest.param("my-refused", "my-refused", id="a rule of the user"),
        pytest.param("other-refused", "other-refused", id="unknown"),
    ],
)
def test_a_former_id_has_a_current_one(name: str, current: str) -> None:
    assert current_id(name, KNOWN) == current


def test_lists_of_names() -> None:
    names = ("apply-refused", "image-without-tag")

    assert current_ids(names, KNOWN) == ("apply-rejected", "image-without-tag")
    assert rename_note(names, KNOWN) == "apply-refused is now apply-rejected"
    assert rename_note(["image-without-tag"], KNOWN) == ""
    assert [former_id(name) for name in ("apply-rejected", "image-without-tag")] == [
        "apply-refused",
        "image-without-tag",
    ]
