import pytest

from kubectl_applylint.server.validate.constraints import (
    at_least,
    between,
    keys_well_formed,
    on_create,
    one_of,
    ratcheted,
    required,
    unchangeable,
    unique,
    well_formed,
)
from kubectl_applylint.server.validate.formats import config_key, dns_label
from kubectl_applylint.server.validate.spots import Constraint, Occasion, Spot, Table
from kubectl_applylint.server.validate.walk import plan, walk
from kubectl_applylint.values import MISSING, Json

PORTS: Table = {
    "spec.type": [one_of("ClusterIP", "NodePort")],
    "spec.ports": [required(), unique("name")],
    "spec.ports[*]": {"port": [required(), between(1, 65535)], "name": [well_formed(dns_label)]},
    "data": [keys_well_formed(config_key)],
    "data.*": [required()],
}


def refusals(value: Json, table: Table, old: Json = MISSING) -> list[tuple[str, str]]:
    spot = Spot(value, old, occasion=Occasion(creating=old is MISSING))
    return [(refusal.field, refusal.message) for refusal in walk(spot, plan(table))]


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
    assert refusals(value, PORTS) == expected


@pytest.mark.parametrize(
    ("constraint", "new", "old", "expected"),
    [
        (unchangeable, {"a": 1}, {"a": 2}, ["Invalid value: 1: field is immutable"]),
        (unchangeable, {"a": None}, {}, []),
        (unchangeable, {"a": {}}, {}, ["Invalid value: {}: field is immutable"]),
        (unchangeable, {}, {"a": "x"}, ["Invalid value: null: field is immutable"]),
        (ratcheted(at_least(5)), {"a": 1}, {"a": 1}, []),
        (ratcheted(at_least(5)), {"a": 1}, {"a": 2}, ["Invalid value: 1: must be greater than or equal to 5"]),
        (on_create(at_least(5)), {"a": 1}, {"a": 2}, []),
    ],
)
def test_what_is_stored_counts(constraint: Constraint, new: Json, old: Json, expected: list[str]) -> None:
    assert [message for _, message in refusals(new, {"a": [constraint]}, old)] == expected
