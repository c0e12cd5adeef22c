"""Fields removed from the schema of a definition, and their effect on stored objects on a real server."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from kubectl_applylint.core.state import Present
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.lint import checks
from tests.rules.stories import subject

if TYPE_CHECKING:
    from tests.cluster.cluster import Cluster

SECONDS = 30.0


def eventually(holds: Callable[[], bool]) -> None:
    """Wait until the server serves what it was given."""
    end = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.1)


TEXT: JsonObject = {"type": "string"}


def thing(**properties: Json) -> JsonObject:
    return {"type": "object", "properties": properties}


def definition(schema: JsonObject, **spec: Json) -> JsonObject:
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "prunes.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"plural": "prunes", "singular": "prune", "kind": "Prune", "listKind": "PruneList"},
            "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}],
            **spec,
        },
    }


def lost(before: JsonObject, after: JsonObject, **spec: Json) -> list[str]:
    asked = subject(definition(after), live=Present(definition(before, **spec)))
    hits = checks.load("crd_properties_removed")(asked, params={})
    return [str(hit.facts["properties"]) for hit in hits]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (thing(spec=thing(a=TEXT, b=TEXT)), thing(spec=thing(a=TEXT)), ["spec.b"]),
        (thing(spec=thing(a=thing(b=TEXT))), thing(spec=thing()), ["spec.a"]),
        (thing(spec=thing(a=TEXT)), thing(spec=thing(a=TEXT, b=TEXT)), []),
        (thing(status=thing(a=TEXT)), thing(status=thing()), []),
        (thing(a={"type": "array", "items": thing(b=TEXT)}), thing(a={"type": "array", "items": thing()}), ["a[].b"]),
        (
            thing(a={"type": "object", "additionalProperties": thing(b=TEXT)}),
            thing(a={"type": "object", "additionalProperties": thing()}),
            ["a.*.b"],
        ),
        (thing(a=thing(b=TEXT)), thing(a={"type": "object", "additionalProperties": TEXT}), []),
        (
            thing(a=thing(b=TEXT)),
            thing(a={"type": "object", "x-kubernetes-preserve-unknown-fields": True}),
            [],
        ),
        (
            thing(**{f"a{number}": TEXT for number in range(10)}),
            thing(),
            ["a0, a1, a2, a3, a4, a5, a6, a7 (+2)"],
        ),
    ],
    ids=["one", "outermost", "added", "status", "list", "map", "now a map", "kept", "many"],
)
def test_properties_that_only_the_earlier_schema_has(
    before: JsonObject, after: JsonObject, expected: list[str]
) -> None:
    assert lost(before, after) == expected


def test_versions_that_lose_the_same_properties_are_reported_together() -> None:
    def versions(schema: JsonObject) -> list[JsonObject]:
        [only] = definition(schema)["spec"]["versions"]
        return [only, {**only, "name": "v2", "storage": False}]

    after = definition(thing(), versions=versions(thing()))
    asked = subject(after, live=Present(definition(thing(), versions=versions(thing(a=TEXT)))))
    hits = checks.load("crd_properties_removed")(asked, params={})

    assert [hit.facts for hit in hits] == [{"versions": "v1, v2", "properties": "a"}]


def test_a_definition_that_preserves_unknown_fields_loses_none() -> None:
    assert lost(thing(a=TEXT), thing(), preserveUnknownFields=True) == []


def test_a_server_returns_no_value_of_a_removed_property(cluster: "Cluster", namespace: str) -> None:
    definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
    address = f"/apis/example.com/v1/namespaces/{namespace}/prunes"
    manifest = {
        "apiVersion": "example.com/v1",
        "kind": "Prune",
        "metadata": {"name": "x"},
        "spec": {"a": "1", "b": "2"},
    }
    assert cluster.post(definitions, definition(thing(spec=thing(a=TEXT, b=TEXT)))).ok
    try:
        eventually(lambda: cluster.post(address, manifest).ok)
        versions = {"spec": {"versions": definition(thing(spec=thing(a=TEXT)))["spec"]["versions"]}}
        assert cluster.patch(f"{definitions}/prunes.example.com", versions).ok

        eventually(lambda: cluster.get(f"{address}/x").json["spec"] == {"a": "1"})
    finally:
        cluster.delete(f"{definitions}/prunes.example.com")
