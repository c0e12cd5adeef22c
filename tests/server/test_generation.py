"""Changes that increase the generation."""

from dataclasses import replace

import pytest

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.schema.load import load
from kubectl_applylint.schema.types import Kind
from kubectl_applylint.server.generation import with_generation


def kind_of(api_version: str, name: str) -> Kind:
    kind = load("1.36").kind(api_version, name)
    assert kind is not None
    return kind


def generation(kind: Kind, new: JsonObject, old: JsonObject | None, minor: int = 36) -> Json:
    stored = {**old, "metadata": {**old.get("metadata", {}), "generation": 3}} if old is not None else None
    return with_generation(new, stored, kind, minor)["metadata"].get("generation")


@pytest.mark.parametrize(
    ("api_version", "kind", "minor", "expected"),
    [
        pytest.param("apps/v1", "Deployment", 36, 1, id="counted"),
        pytest.param("v1", "ConfigMap", 36, None, id="not counted"),
        pytest.param("v1", "Pod", 36, 1, id="pods since 1.33"),
        pytest.param("v1", "Pod", 32, None, id="pods before"),
        pytest.param("storage.k8s.io/v1", "CSIDriver", 36, None, id="counted from the first change on"),
    ],
)
def test_a_new_object(api_version: str, kind: str, minor: int, expected: int | None) -> None:
    assert generation(kind_of(api_version, kind), {"metadata": {"generation": 9}}, None, minor) == expected


@pytest.mark.parametrize(
    ("api_version", "kind", "new", "old", "expected"),
    [
        pytest.param("apps/v1", "Deployment", {"spec": {"a": 1}}, {"spec": {"a": 1}}, 3, id="nothing changed"),
        pytest.param("apps/v1", "Deployment", {"spec": {"a": 2}}, {"spec": {"a": 1}}, 4, id="spec"),
        pytest.param("apps/v1", "Deployment", {"metadata": {"labels": {"a": "b"}}}, {}, 3, id="labels"),
        pytest.param("apps/v1", "Deployment", {"metadata": {"annotations": {"a": "b"}}}, {}, 4, id="annotations"),
        pytest.param("apps/v1", "StatefulSet", {"metadata": {"annotations": {"a": "b"}}}, {}, 3, id="not of others"),
        pytest.param(
            "discovery.k8s.io/v1", "EndpointSlice", {"metadata": {"labels": {"a": "b"}}}, {}, 4, id="labels of it"
        ),
        pytest.param("scheduling.k8s.io/v1", "PriorityClass", {"description": "x"}, {}, 3, id="never again"),
        pytest.param("v1", "ConfigMap", {"data": {"a": "b"}}, {}, 3, id="a kind without"),
    ],
)
def test_an_update(api_version: str, kind: str, new: JsonObject, old: JsonObject, expected: int) -> None:
    assert generation(kind_of(api_version, kind), {"metadata": {}, **new}, old) == expected


@pytest.mark.parametrize(
    ("new", "old", "expected"),
    [
        pytest.param({"spec": {}, "status": {"a": 1}}, {"spec": {}}, 3, id="status"),
        pytest.param({"data": 1}, {}, 4, id="anything else"),
        pytest.param({}, {"data": 1}, 4, id="something less"),
    ],
)
def test_a_custom_resource(new: JsonObject, old: JsonObject, expected: int) -> None:
    kind = replace(kind_of("apps/v1", "Deployment"), definition={"kind": "CustomResourceDefinition"})

    assert generation(kind, {"metadata": {}, **new}, old) == expected


def test_metadata_that_has_none_is_left_alone() -> None:
    manifest: JsonObject = {"metadata": {}}

    assert with_generation(manifest, None, kind_of("v1", "ConfigMap"), 36) is manifest
