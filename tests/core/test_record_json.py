"""Records written as JSON and read again."""

import json
from collections.abc import Mapping
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_applylint.core.paths import ByKey, ByValue, Field, Index, Path
from kubectl_applylint.core.record_json import RecordFormatError, decode, encode
from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import MISSING
from kubectl_applylint.lint.model import Severity

SCALARS = st.none() | st.booleans() | st.integers() | st.text()
STEPS = st.one_of(
    st.builds(Field, st.text()),
    st.builds(Index, st.integers(0)),
    st.builds(ByValue, SCALARS),
    st.builds(ByKey, st.lists(st.tuples(st.text(), SCALARS)).map(tuple)),
)
VALUES = st.recursive(
    SCALARS | st.builds(Unknown, st.text()) | st.just(MISSING),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@dataclass(frozen=True, slots=True)
class _Whole:
    name: str
    path: Path = ()
    severity: Severity = Severity.INFO
    status: int | None = None
    means: Literal["comment", "baseline"] = "comment"
    row: tuple[str, int] = ("", 0)
    names: frozenset[str] = frozenset()
    numbers: Mapping[str, int] = field(default_factory=dict)
    value: Any = None
    is_sure: bool = False
    aside: object = field(default=None, compare=False)


WHOLES = st.builds(
    _Whole,
    name=st.text(),
    path=st.lists(STEPS).map(tuple),
    severity=st.sampled_from(Severity),
    status=st.none() | st.integers(),
    means=st.sampled_from(["comment", "baseline"]),
    row=st.tuples(st.text(), st.integers()),
    names=st.frozensets(st.text()),
    numbers=st.dictionaries(st.text(), st.integers()),
    value=VALUES,
    is_sure=st.booleans(),
)


@given(WHOLES)
def test_an_encoded_record_is_decoded_to_itself(whole: _Whole) -> None:
    text = json.dumps(encode(whole, _Whole))

    assert decode(json.loads(text), _Whole) == whole


def test_defaults_are_left_out() -> None:
    assert encode(_Whole("a", aside=1), _Whole) == {"name": "a"}
    assert encode(_Whole("a", status=0), _Whole) == {"name": "a", "status": 0}


def test_a_value_that_looks_like_a_mark_stays_one() -> None:
    value = {"\0unknown": "x"}

    assert decode(encode(_Whole("a", value=value), _Whole), _Whole).value == value


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        pytest.param([], "expected dict, found list", id="no map"),
        pytest.param({}, "_Whole is not complete", id="a field is missing"),
        pytest.param({"name": "a", "more": 1}, "_Whole has no more", id="an unknown field"),
        pytest.param({"name": 1}, "expected str, found int", id="a number"),
        pytest.param({"name": "a", "status": True}, "expected int, found bool", id="a truth value"),
        pytest.param({"name": "a", "severity": "grave"}, "expected one of error, warning, info", id="an enumeration"),
        pytest.param({"name": "a", "severity": []}, "expected one of error, warning, info", id="a list for a word"),
        pytest.param({"name": "a", "means": "luck"}, "expected one of comment, baseline", id="a literal"),
        pytest.param({"name": "a", "row": ["x"]}, "expected 2 values, found 1", id="a short row"),
        pytest.param({"name": "a", "path": [{"Door": {}}]}, "expected one of Field, Index", id="an unknown class"),
        pytest.param({"name": "a", "numbers": {"x": "y"}}, "expected int, found str", id="a value of a map"),
    ],
)
def test_an_invalid_record_is_reported(text: Any, fault: str) -> None:
    with pytest.raises(RecordFormatError, match=fault):
        decode(text, _Whole)


def test_a_type_without_a_form_is_a_fault_of_ours() -> None:
    with pytest.raises(TypeError, match="has no form"):
        encode(b"", bytes)
