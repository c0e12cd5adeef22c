"""Definitions from before servers were as strict as now, as kube-apiserver 1.36.3 answers it."""

from typing import Final

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.validate.objects import LAMPS, fields

VERSION: Final = LAMPS["spec"]["versions"][0]
NAMES: Final = [f"a{number}" for number in range(9)]


def definition(version: JsonObject, **spec: object) -> JsonObject:
    """Return a definition of lamps with one version."""
    status = {"storedVersions": [VERSION["name"]]}
    return {**LAMPS, "spec": {**LAMPS["spec"], "versions": [{**VERSION, **version}], **spec}, "status": status}


def schema(**properties: JsonObject) -> JsonObject:
    return {"schema": {"openAPIV3Schema": {"type": "object", "properties": properties}}}


SELECTABLE: Final = {
    **schema(**{name: {"type": "string"} for name in NAMES}),
    "selectableFields": [{"jsonPath": f".{name}"} for name in NAMES],
}


@pytest.mark.parametrize(
    ("new", "old", "expected"),
    [
        pytest.param({"schema": None}, {"schema": None}, [], id="no schema, as before"),
        pytest.param({"schema": None}, {}, ["spec.versions[0].schema.openAPIV3Schema"], id="the schema leaves"),
        pytest.param(schema(a={"description": "new"}), schema(a={}), [], id="a schema without types, as before"),
        pytest.param(
            schema(a={}),
            schema(a={"type": "string"}),
            ["spec.validation.openAPIV3Schema.properties[a].type"],
            id="a type leaves",
        ),
    ],
)
def test_old_definitions_keep_what_new_ones_may_not_have(new: JsonObject, old: JsonObject, expected: list[str]) -> None:
    stored = definition(old, preserveUnknownFields=True)

    assert fields(definition(new, preserveUnknownFields=True), stored) == expected


def test_as_many_selectable_fields_as_before() -> None:
    labelled = {**definition(SELECTABLE), "metadata": {**LAMPS["metadata"], "labels": {"a": "b"}}}

    assert fields(labelled, definition(SELECTABLE)) == []
    assert fields(definition(SELECTABLE)) == ["spec.selectableFields"]
