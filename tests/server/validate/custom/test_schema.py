"""Patterns of definitions: matched in linear time, or left open."""

import sys
import time
from collections.abc import Iterator

import pytest

from kubectl_applylint.core.patterns import linear
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.server.validate.custom.schema import Result, ValidatedValue, check

SLOW = {"type": "string", "pattern": "^(a+)+$"}
TEXT = "a" * 40 + "!"


@pytest.fixture(name="without_library")
def _without_library(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Hide the library that matches in linear time."""
    monkeypatch.setitem(sys.modules, "re2", None)
    _forget()
    yield
    _forget()


def _forget() -> None:
    linear._library.cache_clear()
    linear.compile_linear.cache_clear()


def _check_result(schema: JsonObject, value: str = TEXT) -> Result:
    return check(ValidatedValue(value, schema, "spec.a"))


def test_a_pattern_that_backtracks_ends() -> None:
    begin = time.process_time()
    result = _check_result(SLOW)

    assert [refusal.message for refusal in result.refusals] == [
        f"Invalid value: \"{TEXT}\": spec.a in body should match '^(a+)+$'"
    ]
    assert time.process_time() - begin < 2


def test_a_long_list_is_validated_in_linear_time() -> None:
    schema = {"type": "array", "items": {"type": "object"}}
    begin = time.process_time()
    result = check(ValidatedValue([{"name": f"n{number}"} for number in range(4000)], schema, "spec.a"))

    assert result.valid
    assert time.process_time() - begin < 2


@pytest.mark.usefixtures("without_library")
@pytest.mark.parametrize(
    "schema",
    [
        pytest.param(SLOW, id="itself"),
        pytest.param({"type": "string", "not": SLOW}, id="not"),
        pytest.param({"type": "string", "allOf": [SLOW]}, id="all of"),
        pytest.param({"type": "string", "anyOf": [SLOW, {"maxLength": 1}]}, id="any of"),
        pytest.param({"type": "string", "oneOf": [SLOW, {"minLength": 1}]}, id="one of"),
    ],
)
def test_without_the_library_such_a_pattern_is_left_open(schema: JsonObject) -> None:
    result = _check_result(schema)

    assert result.refusals == ()
    assert {(each.field, each.rule) for each in result.open} == {("spec.a", "^(a+)+$")}


@pytest.mark.usefixtures("without_library")
def test_nothing_is_left_open_where_another_alternative_decides() -> None:
    assert _check_result({"type": "string", "anyOf": [SLOW, {"minLength": 1}]}).open == ()


@pytest.mark.parametrize(
    ("pattern", "value"),
    [("^a$", "a\n"), (r"^\d$", "٣"), ("^[[:alpha:]]+$", "é"), (r"^\pL$", "1"), ("(?i)^a\\z", "b"), (r"^\p{Lu}$", "a")],
)
def test_patterns_are_read_as_go_reads_them(pattern: str, value: str) -> None:
    assert len(_check_result({"type": "string", "pattern": pattern}, value).refusals) == 1
