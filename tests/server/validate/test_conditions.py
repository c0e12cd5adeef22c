from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.core.values import MISSING, Json, Missing
from kubectl_applylint.server.validate.conditions import any_set, if_set, or_empty, or_zero
from kubectl_applylint.server.validate.constraints import required, when
from kubectl_applylint.server.validate.field_context import Constraint, FieldContext
from tests.server.validate.objects import errors_of

REFUSED = ["a: Required value"]


def reject_any(fld: FieldContext) -> list[FieldError]:
    """Object to whatever there is."""
    return [fld.invalid("seen")]


def messages_of(value: Json | Missing, constraint: Constraint) -> list[str]:
    return errors_of(value, constraint)


def test_if_set_checks_only_existing_fields() -> None:
    assert messages_of("", if_set(required())) == REFUSED
    assert messages_of(MISSING, if_set(required())) == []


def test_a_condition_depends_on_another_field() -> None:
    inside = {"b": [when(any_set("c"), required())]}

    assert errors_of({"b": "", "c": ""}, inside) == ["a.b: Required value"]
    assert errors_of({"b": ""}, inside) == []


def test_absent_fields_count_as_zero_or_empty() -> None:
    assert messages_of(MISSING, or_zero(reject_any)) == ["a: Invalid value: 0: seen"]
    assert messages_of(MISSING, or_empty(reject_any)) == ['a: Invalid value: "": seen']
