"""Validation distinguishes rejected parts of a custom resource from undecided ones."""

import pytest

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.schema.load import load
from kubectl_applylint.server.validate import validate_custom
from kubectl_applylint.server.validate.result import Open, ValidationResult
from tests.server.validate.objects import LAMPS, lamps

OPEN = Open("spec", "self.foo()", "unknown name 'foo'")
WRONG = FieldError("spec", "FieldValueInvalid", "Invalid value: too dark")


@pytest.mark.parametrize(
    ("rules", "result"),
    [
        pytest.param([], ValidationResult(), id="nothing"),
        pytest.param([{"rule": "self.foo()"}], ValidationResult(open=(OPEN,)), id="left open"),
        pytest.param([{"rule": "false", "message": "too dark"}], ValidationResult((WRONG,)), id="refused"),
        pytest.param(
            [{"rule": "self.foo()"}, {"rule": "false", "message": "too dark"}],
            ValidationResult((WRONG,), (OPEN,)),
            id="both",
        ),
    ],
)
def test_validation_returns_errors_and_open_questions(rules: list[Json], result: ValidationResult) -> None:
    spec = {"type": "object", "x-kubernetes-validations": rules}
    definition = {**LAMPS, "spec": {**LAMPS["spec"], **lamps(spec)["spec"]}}
    kind = load("1.36", crds=[definition]).kind("example.com/v1", "Lamp")
    lamp: JsonObject = {"apiVersion": "example.com/v1", "kind": "Lamp", "metadata": {"name": "x"}, "spec": {}}

    assert kind is not None
    assert validate_custom(lamp, None, kind, "1.36") == result
