"""The words of kube-openapi's validator, as kube-apiserver 1.36.3 passes them on."""

import pytest

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.server.validate.custom import faults


@pytest.mark.parametrize(
    ("fault", "field", "reason", "message"),
    [
        pytest.param(
            faults.invalid("spec.a", 7, "should be less than 5"),
            "spec.a",
            "FieldValueInvalid",
            "Invalid value: 7: spec.a in body should be less than 5",
            id="invalid",
        ),
        pytest.param(
            faults.invalid(".spec.a", "x", "is bad", said="spec"),
            "spec.a",
            "FieldValueInvalid",
            'Invalid value: "x": spec in body is bad',
            id="invalid, elsewhere",
        ),
        pytest.param(faults.required("spec.a"), "spec.a", "FieldValueRequired", "Required value", id="required"),
        pytest.param(
            faults.too_long("spec.a", 3),
            "spec.a",
            "FieldValueTooLong",
            "Too long: may not be more than 3 bytes",
            id="long",
        ),
        pytest.param(
            faults.too_many("spec.l", 4, 3),
            "spec.l",
            "FieldValueTooMany",
            "Too many: 4: must have at most 3 items",
            id="many",
        ),
        pytest.param(
            faults.wrong_type("spec.a", "string", "integer"),
            "spec.a",
            "FieldValueTypeInvalid",
            'Invalid value: "integer": spec.a in body must be of type string: "integer"',
            id="type",
        ),
        pytest.param(
            faults.not_supported("spec.a", "c", ["a", 1]),
            "spec.a",
            "FieldValueNotSupported",
            'Unsupported value: "c": supported values: "a", "1"',
            id="enum",
        ),
        pytest.param(faults.nowhere("bad"), "<nil>", "FieldValueInvalid", 'Invalid value: "": bad', id="no field"),
    ],
)
def test_the_words_of_the_server(fault: FieldError, field: str, reason: str, message: str) -> None:
    assert fault == FieldError(field, reason, message)
