import pytest

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import MISSING, Json
from kubectl_applylint.server.validate.constraints import (
    between,
    keys_well_formed,
    one_of,
    required,
    unique,
    well_formed,
)
from kubectl_applylint.server.validate.field_context import Content, FieldContext, Occasion, StepSpelling, Table, struct
from kubectl_applylint.server.validate.formats import config_key, dns_label
from kubectl_applylint.server.validate.walk import inside, plan, walk

PORTS: Table = {
    "spec.type": [one_of("ClusterIP", "NodePort")],
    "spec.ports": [required(), unique("name")],
    "spec.ports[*]": {"port": [required(), between(1, 65535)], "name": [well_formed(dns_label)]},
    "data": [keys_well_formed(config_key)],
    "data.*": [required()],
}


def refusals(value: Json, content: Content, old: Json = MISSING) -> list[FieldError]:
    return walk(FieldContext(value, old, occasion=Occasion(creating=old is MISSING)), plan(content))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"spec": {}}, [("spec.ports", "Required value")]),
        ({}, []),
        (
            {"spec": {"type": "x", "ports": [{"port": 0}]}},
            [
                ("spec.type", 'Unsupported value: "x": supported values: "ClusterIP", "NodePort"'),
                ("spec.ports[0].port", "Invalid value: 0: must be between 1 and 65535, inclusive"),
            ],
        ),
        (
            {"spec": {"ports": [{"port": 1, "name": "a"}, {"port": 2, "name": "a"}]}},
            [("spec.ports[1].name", 'Duplicate value: "a"')],
        ),
        (
            {"data": {"a b": "x", "c": ""}},
            [
                (
                    "data[a b]",
                    "Invalid value: \"a b\": a valid config key must consist of alphanumeric characters, '-', '_' or "
                    "'.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is "
                    "'[-._a-zA-Z0-9]+')",
                ),
                ("data[c]", "Required value"),
            ],
        ),
    ],
    ids=["required", "not entered", "enumeration and range", "unique", "map entries"],
)
def test_a_table_is_walked_in_the_servers_words(value: Json, expected: list[tuple[str, str]]) -> None:
    assert [(refusal.field, refusal.message) for refusal in refusals(value, PORTS)] == expected


@pytest.mark.parametrize(
    ("value", "content", "expected"),
    [
        pytest.param({}, {"a": [struct], "a.b": [required()]}, ["a.b"], id="a struct is never absent"),
        pytest.param({}, {"a.b": [required()]}, [], id="a pointer may be"),
        pytest.param({"a": None}, {"a": [struct], "a.b.c": [struct, required()]}, [], id="structs in pointers"),
        pytest.param({"a": {}}, [{"a": [required()]}, {"a.b": [required()]}], ["a", "a.b"], id="two tables"),
        pytest.param({"a": ""}, {"a": [[required()], required()]}, ["a", "a"], id="lists in lists"),
        pytest.param(
            {"a": {"b": [{}]}},
            {"a": [StepSpelling(".A")], "a.b[*]": [StepSpelling(""), {"c": [required()]}]},
            ["A.b.c"],
            id="other spellings",
        ),
        pytest.param({}, {"a": [StepSpelling(".A"), required()]}, ["A"], id="another spelling of what is absent"),
        pytest.param({"a": Unknown("x")}, {"a": [required(), {"b": [required()]}]}, [], id="what nobody knows"),
        pytest.param({"a": [Unknown("x"), {}]}, {"a[*].b": [required()]}, ["a[1].b"], id="an element nobody knows"),
        pytest.param({"a": {}}, {"": [inside({"a": [required()]})]}, ["a"], id="a table on a condition"),
    ],
)
def test_tables_hold_where_they_say(value: Json, content: Content, expected: list[str]) -> None:
    assert [refusal.field for refusal in refusals(value, content)] == expected


def test_an_absent_struct_is_stored_as_an_empty_one() -> None:
    content: Table = {"a": [struct, lambda fld: [fld.invalid("new" if fld.old is MISSING else "stored")]]}

    assert [refusal.message for refusal in refusals({}, content, old={})] == ["Invalid value: {}: stored"]
    assert [refusal.message for refusal in refusals({}, content)] == ["Invalid value: {}: new"]
