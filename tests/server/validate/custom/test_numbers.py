"""Numbers of custom resources against their schemas, as kube-apiserver 1.36 validates them."""

import pytest

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.server.validate.custom.numbers import number_faults


def words(value: float, schema: JsonObject, form: str = "") -> list[str]:
    """Return what is said of ``spec.n``, without the value."""
    return [each.message.partition(": ")[2].partition(": ")[2] for each in number_faults(value, schema, "spec.n", form)]


@pytest.mark.parametrize(
    ("value", "schema", "errors"),
    [
        pytest.param(5, {"maximum": 5, "minimum": 5}, [], id="at the bounds"),
        pytest.param(6, {"maximum": 5}, ["spec.n in body should be less than or equal to 5"], id="above"),
        pytest.param(4, {"minimum": 5}, ["spec.n in body should be greater than or equal to 5"], id="below"),
        pytest.param(
            5, {"maximum": 5, "exclusiveMaximum": True}, ["spec.n in body should be less than 5"], id="no more"
        ),
        pytest.param(
            5, {"minimum": 5, "exclusiveMinimum": True}, ["spec.n in body should be greater than 5"], id="no less"
        ),
        pytest.param(5, {"maximum": 5, "exclusiveMaximum": False}, [], id="not exclusive"),
        pytest.param(0, {"maximum": 0.5}, [], id="the bound of a whole number loses its fraction"),
        pytest.param(1, {"maximum": 1.5}, [], id="below a fraction"),
        pytest.param(1.2, {"maximum": 1.5}, [], id="a fraction"),
        pytest.param(1, {"minimum": "5", "maximum": None}, [], id="what is no number bounds nothing"),
        pytest.param(6, {"multipleOf": 3}, [], id="a multiple"),
        pytest.param(0, {"multipleOf": 3}, [], id="zero is a multiple"),
        pytest.param(7, {"multipleOf": 3}, ["spec.n in body should be a multiple of 3"], id="no multiple"),
        pytest.param(1.5, {"multipleOf": 0.5}, [], id="a multiple of a fraction"),
        pytest.param(
            7, {"multipleOf": 0.5}, ["factor MultipleOf declared for spec.n must be positive: 0"], id="cut off to zero"
        ),
    ],
)
def test_bounds_and_multiples(value: float, schema: JsonObject, errors: list[str]) -> None:
    assert words(value, schema) == errors


@pytest.mark.parametrize(
    ("value", "kind", "form", "fits"),
    [
        pytest.param(2**31 - 1, "integer", "int32", True, id="greatest int32"),
        pytest.param(2**31, "integer", "int32", False, id="above int32"),
        pytest.param(-(2**31), "integer", "int32", True, id="least int32"),
        pytest.param(2**63 - 1, "integer", "", True, id="greatest integer"),
        pytest.param(2.0**63, "integer", "int64", False, id="above int64"),
        pytest.param(1.0, "integer", "", True, id="a whole float"),
        pytest.param(1.5, "integer", "", False, id="a fraction"),
        pytest.param(3.5e38, "number", "float", False, id="above float"),
        pytest.param(-3.4e38, "number", "float", True, id="a float"),
        pytest.param(3.5e38, "number", "double", True, id="a double"),
    ],
)
def test_a_number_has_to_fit_its_type(value: float, kind: str, form: str, fits: bool) -> None:
    shown = f"with format {form}" if form else "(default format)"
    type_error = f"Checked value must be of type {kind} {shown} in spec.n"

    assert words(value, {"type": kind}, form) == ([] if fits else [type_error])
