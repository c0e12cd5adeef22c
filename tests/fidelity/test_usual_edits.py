"""Usual edits: each operation is drawn, fits the definition, and changes no argument."""

import copy
from random import Random

import pytest

from kubectl_applylint.core.values import Json, JsonObject
from tests.fidelity.edits import donors
from tests.fidelity.usual_edits import OPERATIONS, is_fitting, sample, usual_edits, version_schema

TEXT = {"type": "string"}
SPEC: JsonObject = {
    "type": "object",
    "required": ["size"],
    "properties": {
        "size": {"type": "integer", "minimum": 1, "maximum": 9},
        "mode": {"type": "string", "enum": ["Fast", "Safe"]},
        "paused": {"type": "boolean"},
        "nodes": {
            "type": "array",
            "x-kubernetes-list-map-keys": ["name"],
            "items": {"type": "object", "required": ["name"], "properties": {"name": TEXT, "zone": TEXT}},
        },
        "selector": {"type": "object", "additionalProperties": TEXT},
    },
}
SCHEMA: JsonObject = {"type": "object", "properties": {"spec": SPEC, "status": {"type": "object"}}}
CRD: JsonObject = {
    "spec": {"group": "example.com", "versions": [{"name": "v1", "schema": {"openAPIV3Schema": SCHEMA}}]},
}
PUMP: JsonObject = {
    "apiVersion": "example.com/v1",
    "kind": "Pump",
    "metadata": {"name": "main", "labels": {"app": "pump"}},
    "spec": {
        "size": 3,
        "mode": "Fast",
        "nodes": [{"name": "a", "zone": "x1"}, {"name": "b"}],
        "selector": {"app": "pump"},
    },
}
GIVEN = donors([PUMP])


def draw_edits(seed: int) -> tuple[JsonObject, list[str]]:
    return usual_edits(Random(seed), PUMP, version_schema(CRD, "example.com/v1"), GIVEN)


def test_edits_are_drawn_again_from_the_same_seed_and_change_no_argument() -> None:
    before = copy.deepcopy(PUMP)

    assert [draw_edits(seed) for seed in range(50)] == [draw_edits(seed) for seed in range(50)]
    assert before == PUMP


def test_every_operation_and_mistakes_are_drawn() -> None:
    names = {name.partition(" in ")[0] for seed in range(300) for name in draw_edits(seed)[1]}

    assert {name for name in OPERATIONS if not any(each.startswith(name) for each in names)} == set()
    assert any(name.startswith("mistake: ") for name in names)


def test_edits_that_are_no_mistakes_fit_the_definition() -> None:
    for seed in range(300):
        changed, names = draw_edits(seed)
        if not any(name.startswith("mistake") for name in names):
            spec = changed["spec"]
            assert {key: changed[key] for key in ("apiVersion", "kind")} == {
                "apiVersion": "example.com/v1",
                "kind": "Pump",
            }
            assert changed["metadata"]["name"] == "main"
            assert 1 <= spec["size"] <= 9
            assert spec.get("mode", "Fast") in ("Fast", "Safe")
            assert all("name" in node for node in spec.get("nodes", []))


@pytest.mark.parametrize(
    ("value", "schema", "fits"),
    [
        ("a", {"enum": ["a"]}, True),
        ("b", {"enum": ["a"]}, False),
        (True, {"minimum": 5}, True),
        (4, {"minimum": 5}, False),
        ("10m", {"pattern": "^[0-9]+m$"}, True),
        ("m", {"pattern": "^[0-9]+m$"}, False),
        ("long", {"maxLength": 3}, False),
        ({}, {}, True),
    ],
)
def test_the_limits_of_a_schema(value: Json, schema: JsonObject, fits: bool) -> None:
    assert is_fitting(value, schema) is fits


def test_a_sample_has_the_required_fields() -> None:
    samples = [sample(Random(seed), SPEC) for seed in range(50)]

    assert all("size" in each for each in samples if isinstance(each, dict))
    assert sample(Random(0), {"type": "string", "pattern": "^never$"}) is None
