"""Finding nodes below nodes."""

import pytest

from kubectl_applylint.core.paths import ByKey, ByValue, Field, Index, Path, fields
from kubectl_applylint.schema.load import load
from kubectl_applylint.schema.lookup import at, declared_type_name, descend, is_struct, similar_field
from kubectl_applylint.schema.types import Node, Shape

CONTAINERS = fields("spec", "template", "spec", "containers")


@pytest.fixture
def deployment() -> Node:
    kind = load("1.36").kind("apps/v1", "Deployment")
    assert kind is not None
    return kind.root


@pytest.mark.parametrize(
    ("path", "type_name"),
    [
        ((), "Deployment"),
        (fields("spec"), "DeploymentSpec"),
        ((*CONTAINERS, Index(0)), "Container"),
        ((*CONTAINERS, ByKey((("name", "web"),)), Field("env"), Index(3), Field("valueFrom")), "EnvVarSource"),
    ],
    ids=["the object", "a field", "by position", "by key"],
)
def test_a_path_leads_to_a_declared_type(deployment: Node, path: Path, type_name: str) -> None:
    node = at(deployment, path)

    assert node is not None
    assert declared_type_name(node) == type_name


@pytest.mark.parametrize(
    ("path", "shape"),
    [
        (fields("metadata", "labels", "a"), Shape.STRING),
        ((*fields("metadata", "finalizers"), ByValue("x/y")), Shape.STRING),
        ((*CONTAINERS, Index(0), *fields("resources", "limits", "cpu")), Shape.STRING),
        (fields("spec", "replicas"), Shape.INTEGER),
    ],
    ids=["map entry", "by value", "map of quantities", "scalar"],
)
def test_a_path_leads_into_maps_and_lists(deployment: Node, path: Path, shape: Shape) -> None:
    node = at(deployment, path)

    assert node is not None
    assert (node.shape, declared_type_name(node)) == (shape, "")


@pytest.mark.parametrize(
    "path",
    [
        fields("spec", "nope"),
        fields("spec", "nope", "further"),
        fields("spec", "replicas", "x"),
        (Field("spec"), Index(0)),
        (Field("spec"), ByValue(1), Field("x")),
    ],
    ids=["unknown", "below unknown", "below a scalar", "struct as list", "below nothing"],
)
def test_a_path_that_the_schema_does_not_know_leads_to_none(deployment: Node, path: Path) -> None:
    assert at(deployment, path) is None


def test_a_declared_field_comes_before_the_values_of_a_map() -> None:
    node = Node(Shape.OBJECT, value=Node(Shape.ANY), load_fields=lambda: {"a": Node(Shape.STRING)})

    assert (descend(node, "a"), descend(node, "b")) == (Node(Shape.STRING), Node(Shape.ANY))


@pytest.mark.parametrize(
    ("path", "expected"),
    [((), True), (fields("spec", "strategy"), True), (fields("metadata", "labels"), False), (CONTAINERS, False)],
    ids=["object", "struct", "map", "list"],
)
def test_structs_are_distinguished_from_maps(deployment: Node, path: Path, expected: bool) -> None:
    node = at(deployment, path)

    assert node is not None
    assert is_struct(node) is expected


@pytest.mark.parametrize(
    ("path", "likeness", "name"),
    [
        (fields("spec", "replicsa"), 0.75, "replicas"),
        (fields("metadata", "lables"), 0.75, "labels"),
        (fields("metadata", "lables"), 0.85, ""),
        ((*CONTAINERS, Index(0), Field("imagePullpolicy")), 0.75, "imagePullPolicy"),
        (fields("spec", "replicas"), 0.75, ""),
        (fields("spec", "xyzzy"), 0.75, ""),
        (fields("spec", "xyzzy", "name"), 0.75, ""),
        (fields("metadata", "labels", "ap"), 0.75, ""),
        ((*CONTAINERS, Index(0)), 0.75, ""),
        ((), 0.75, ""),
    ],
)
def test_a_similar_field_is_declared_at_the_same_place(
    deployment: Node, path: Path, likeness: float, name: str
) -> None:
    assert similar_field(deployment, path, likeness=likeness) == name
