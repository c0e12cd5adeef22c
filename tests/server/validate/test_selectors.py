import pytest

from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import MISSING, Json, JsonObject
from kubectl_applylint.server.validate.selectors import (
    LABEL_SELECTOR,
    chooses,
    has_bad_values,
    is_usable,
    selector_table,
    selects_nothing_in_particular,
)
from tests.server.validate.objects import errors_of

SOMEBODY = Unknown("only the server knows")


def asks(key: str, operator: str, *values: Json) -> JsonObject:
    return {"matchExpressions": [{"key": key, "operator": operator, **({"values": [*values]} if values else {})}]}


@pytest.mark.parametrize(
    ("selector", "labels", "expected"),
    [
        pytest.param(MISSING, {}, False, id="no selector"),
        pytest.param({}, {}, True, id="no terms"),
        pytest.param({"matchLabels": {"a": "b"}}, {"a": "b", "c": "d"}, True, id="a label"),
        pytest.param({"matchLabels": {"a": "b"}}, {"a": "c"}, False, id="another value"),
        pytest.param({"matchLabels": {"a": "b"}}, {}, False, id="no label"),
        pytest.param({"matchLabels": {"a": "b"}}, {"a": SOMEBODY}, True, id="a label that nobody knows"),
        pytest.param({"matchLabels": {"a": SOMEBODY}}, {"a": "b"}, True, id="asked for what nobody knows"),
        pytest.param(asks("a", "In", "b", "c"), {"a": "c"}, True, id="in"),
        pytest.param(asks("a", "In", "b"), {}, False, id="in without label"),
        pytest.param(asks("a", "NotIn", "b"), {}, True, id="not in without label"),
        pytest.param(asks("a", "NotIn", "b"), {"a": "b"}, False, id="not in"),
        pytest.param(asks("a", "Exists"), {"a": ""}, True, id="exists"),
        pytest.param(asks("a", "DoesNotExist"), {"a": ""}, False, id="does not exist"),
    ],
)
def test_selectors_choose_labels(selector: Json, labels: JsonObject, expected: bool) -> None:
    assert chooses(selector, labels) == expected


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        ({}, True),
        ({"matchLabels": {"a": "b"}}, True),
        ({"matchLabels": {"a b": "c"}}, False),
        ({"matchLabels": {"a": "not ok!"}}, False),
        (asks("a", "In", "b"), True),
        (asks("a", "In"), False),
        (asks("a", "Exists", "b"), False),
        (asks("a", "Near"), False),
        (asks("a b", "Exists"), False),
        (asks("a", "In", "not ok!"), False),
    ],
)
def test_only_some_selectors_are_usable(selector: Json, expected: bool) -> None:
    assert is_usable(selector) == expected


@pytest.mark.parametrize(
    ("selector", "fields"),
    [
        (asks("a", "In"), ["a.matchExpressions[0].values"]),
        (asks("a", "Exists", "b"), ["a.matchExpressions[0].values"]),
        (asks("a", "near"), ["a.matchExpressions[0].operator"]),
        (asks("", "Exists"), ["a.matchExpressions[0].key"] * 2),
        (asks("a", "In", "b c"), ["a.matchExpressions[0].values[0]"]),
        ({"matchLabels": {"a b": "c d"}}, ["a.matchLabels"] * 2),
        ({"matchLabels": {"a": "b"}}, []),
    ],
)
def test_selectors_are_well_formed(selector: Json, fields: list[str]) -> None:
    assert [text.partition(":")[0] for text in errors_of(selector, LABEL_SELECTOR)] == fields


def test_bad_values_may_be_tolerated() -> None:
    bad = asks("a", "In", "b c")

    assert errors_of(bad, selector_table(tolerant=lambda fld: True)) == []
    assert (has_bad_values(bad), has_bad_values(asks("a", "Exists")), has_bad_values(None)) == (True, False, False)


def test_a_selector_without_terms() -> None:
    assert selects_nothing_in_particular({"matchLabels": {}})
    assert not selects_nothing_in_particular(asks("a", "Exists"))
