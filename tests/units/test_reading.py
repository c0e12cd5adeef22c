import json

import pytest

from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.values import Json
from kubectl_applylint.units.model import Reason
from kubectl_applylint.units.reading import boolean_at, folders_of, is_kind, is_too_deep, matching, read, reason
from tests.units.documents import documents


@pytest.mark.parametrize("value", [{}, {"a": None}, {"a": {"b": 1}}, {"a": []}, None, [], "a", 1])
def test_a_value_of_another_type_is_no_boolean(value: Json) -> None:
    assert boolean_at(value, "a", "b") is None


def test_a_truth_value_is_read() -> None:
    assert boolean_at({"a": {"b": False}}, "a", "b") is False


def test_a_reason_names_the_object_and_the_line_of_the_field() -> None:
    (one,) = documents("apiVersion: a.b/v1\nkind: K\nmetadata:\n  name: x\nspec:\n  path: y\n")

    assert reason(one, fields("spec", "path")) == Reason("K x", "apps.yaml", 6)
    assert (is_kind(one, "K", "a.b"), is_kind(one, "K", "b")) == (True, False)


@pytest.mark.parametrize(
    ("content", "values"),
    [
        (b"a: 1\n---\n- x\n---\nb: 2\n", [{"a": 1}, {"b": 2}]),
        (b"a: 1\n---\n\tb: {\n", [{"a": 1}]),
        (b"", []),
        (b"\xff\xfe\x00", []),
        (b"{" * 20_000, []),
    ],
    ids=["several", "broken", "empty", "not text", "deep"],
)
def test_the_readable_part_of_a_file_is_read(content: bytes, values: list[Json]) -> None:
    assert [one.object for one in read("x.yaml", content)] == values


def test_a_place_in_a_later_document_counts_from_the_start_of_the_file() -> None:
    *_, last = read("x.yaml", b"a: 1\n---\nb: 2\n")

    assert reason(last, fields("b")) == Reason("", "x.yaml", 3)


def test_a_pattern_that_go_rejects_matches_nothing() -> None:
    assert list(matching("a/*", ["a/b", "c"])) == ["a/b"]
    assert list(matching("[", ["["])) == []


def test_folders_are_those_that_hold_files() -> None:
    assert folders_of(["a/b/c.yaml", "a/d.yaml", "e.yaml"]) == {"", "a", "a/b"}
    assert folders_of([]) == {""}


@pytest.mark.parametrize(
    ("value", "is_so"),
    [
        ({"a": [{"b": 1}]}, False),
        (1, False),
        (json.loads("[" * 99 + "]" * 99), False),
        (json.loads("[" * 101 + "]" * 101), True),
    ],
    ids=["shallow", "scalar", "just so", "deep"],
)
def test_a_deep_value_is_recognized(value: Json, *, is_so: bool) -> None:
    assert is_too_deep(value) is is_so
