"""Paths of rules: what is copied, removed and added there."""

import pytest

from kubectl_applylint.tools.kapp.paths import (
    EVERY,
    Matching,
    PathError,
    change_objects,
    copy_at,
    is_empty,
    path_text,
    read_path,
    remove_at,
    with_texts,
)

POD = {"spec": {"containers": [{"name": "a", "env": [1]}, {"name": "b"}]}}
ENV = ("spec", "containers", EVERY, "env")


def test_a_path_is_read_and_shown() -> None:
    path = read_path(["spec", {"allIndexes": True}, {"index": 1}, {"regex": "^x"}])

    assert path == ("spec", EVERY, 1, Matching("^x"))
    assert path_text(path) == "spec,(all),1,^x"
    with pytest.raises(PathError, match="Unknown path part"):
        read_path([7])


@pytest.mark.parametrize(
    ("path", "left"),
    [
        (("spec", "containers"), {"spec": {}}),
        (ENV, {"spec": {"containers": [{"name": "a"}, {"name": "b"}]}}),
        (("spec", "containers", 1, "name"), {"spec": {"containers": [{"name": "a", "env": [1]}, {}]}}),
        (("spec", "absent", "x"), POD),
        (("absent", "x"), POD),
        (("spec", "containers", EVERY, "name", "x"), POD),
        ((Matching("^sp"), "containers"), {"spec": {}}),
    ],
    ids=lambda value: path_text(value) if isinstance(value, tuple) else "",
)
def test_a_field_is_removed(path: tuple[str], left: object) -> None:
    assert remove_at(POD, path) == left


@pytest.mark.parametrize(
    ("path", "message"),
    [
        (("spec", EVERY, "name"), "Unexpected non-array found: map"),
        (("spec", "containers", EVERY), "Expected last part of the path to be map key"),
    ],
)
def test_only_a_field_of_a_map_is_removed(path: tuple[str], message: str) -> None:
    with pytest.raises(PathError, match=message):
        remove_at(POD, path)


def test_texts_are_added_where_maps_are_or_may_be_made() -> None:
    assert with_texts({}, ("metadata", "labels"), {"a": "1"}, makes=True) == {"metadata": {"labels": {"a": "1"}}}
    assert with_texts({"metadata": None}, ("metadata",), {"a": "1"}, makes=True) == {"metadata": {"a": "1"}}
    assert with_texts({}, ("metadata", "labels"), {"a": "1"}, makes=False) == {}
    assert with_texts({"list": None}, ("list", EVERY, "labels"), {"a": "1"}, makes=True) == {"list": None}
    assert with_texts({"list": [{}]}, ("list", EVERY, "labels"), {"a": "1"}, makes=True) == {
        "list": [{"labels": {"a": "1"}}]
    }
    with pytest.raises(PathError, match="Unexpected non-map found: string"):
        with_texts({"metadata": "x"}, ("metadata",), {"a": "1"}, makes=True)


def test_objects_at_a_path_are_replaced() -> None:
    assert change_objects(POD, ("spec", "containers", EVERY), lambda _: {}) == {"spec": {"containers": [{}, {}]}}
    assert change_objects({"a": None}, ("a", EVERY), lambda _: {}) == {"a": None}
    with pytest.raises(PathError, match="Unexpected non-map found: <nil>"):
        change_objects({"a": None}, ("a",), lambda _: {})


@pytest.mark.parametrize(
    ("value", "path", "empty"),
    [
        ({}, ("a",), True),
        ({"a": {}}, ("a",), True),
        ({"a": {"b": 0}}, ("a",), False),
        (None, ("a",), True),
        ("x", ("a",), False),
        ({"a": [{"b": []}]}, ("a", EVERY, "b"), True),
        ({"a": [{"b": [1]}]}, ("a", 0, "b"), False),
        ({"a": [{"b": [1]}]}, ("a", 1, "b"), True),
        ({"a": None}, ("a", EVERY, "b"), True),
        ({"a": "x"}, ("a", EVERY, "b"), False),
    ],
)
def test_missing_null_and_empty_values_are_empty(value: object, path: tuple[str], empty: bool) -> None:
    assert is_empty(value, path) is empty


def test_the_first_source_that_has_a_field_is_copied() -> None:
    new, live = {"spec": {"a": 1}}, {"spec": {"a": 2, "b": 3}}

    assert copy_at(new, ("spec", "a"), [new, live], [new, live]) == {"spec": {"a": 1}}
    assert copy_at(new, ("spec", "a"), [live, new], [live, new]) == {"spec": {"a": 2}}
    assert copy_at(new, ("spec", "b"), [new, live], [new, live]) == {"spec": {"a": 1, "b": 3}}
    assert copy_at(new, ("spec", "c", "d"), [live], [live]) == new
    assert copy_at({}, ("spec", "b"), [live], [live]) == {"spec": {"b": 3}}
    assert copy_at(new, ("spec", Matching("^b$")), [live], [live]) == {"spec": {"a": 1, "b": 3}}
    assert copy_at(new, ("spec", Matching("^z$")), [live], [live]) == new
    assert copy_at(new, (Matching("^spec$"), "z"), [live], [live]) == new


def test_a_field_of_every_item_is_copied_from_the_item_at_the_same_place() -> None:
    new = {"spec": {"containers": [{"name": "x"}, {"name": "y"}, {"name": "z"}]}}

    assert copy_at(new, ENV, [POD], [POD]) == {
        "spec": {"containers": [{"name": "x", "env": [1]}, {"name": "y"}, {"name": "z"}]}
    }
    assert copy_at({"spec": {}}, ENV, [POD], [POD]) == {"spec": {}}
    assert copy_at(new, ("spec", "containers", 7, "env"), [POD], [POD]) == new
    with pytest.raises(PathError, match="Expected last part of the path to be map key"):
        copy_at(new, ("spec", "containers", EVERY), [POD], [POD])
