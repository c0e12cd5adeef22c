"""The kinds that CustomResourceDefinitions declare."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.values import MISSING, Json
from kubectl_applylint.schema.crd import kinds_of
from kubectl_applylint.schema.load import load
from kubectl_applylint.schema.lookup import at
from kubectl_applylint.schema.types import Kind, Node, Shape

METADATA = Node(Shape.OBJECT, struct="ObjectMeta", load_fields=lambda: {"name": Node(Shape.STRING)})
FREE = Node(Shape.ANY, preserve_unknown=True)
DEEP = 5_000


def crd(schema: Json = MISSING, **version: Json) -> dict[str, Json]:
    """Return a CRD of Widgets with one version, whose schema or other fields may be given."""
    shown = {} if schema is MISSING else {"schema": {"openAPIV3Schema": schema}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"kind": "Widget", "plural": "widgets"},
            "versions": [{"name": "v1", "served": True, "storage": True} | shown | version],
        },
    }


def widget(definition: Json) -> Kind:
    return kinds_of(definition, metadata=METADATA)["example.com/v1", "Widget"]


def spec_of(schema: Json) -> Node:
    """Return the node that a schema of ``spec`` gives."""
    return widget(crd({"type": "object", "properties": {"spec": schema}})).root.fields["spec"]


def nested_schema(depth: int, key: str) -> Json:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(depth):
        inner = {"a": schema} if key == "properties" else schema
        schema = {"type": "array" if key == "items" else "object", key: inner}
    return schema


def test_a_kind_knows_its_place_in_urls() -> None:
    kind = widget(crd())

    assert (kind.api_version, kind.name, kind.resource) == ("example.com/v1", "Widget", "widgets")
    assert (kind.namespaced, kind.strategic, kind.custom, kind.subresources) == (True, False, True, ())
    assert kind.definition == crd()


def test_a_cluster_scoped_kind_has_no_namespace() -> None:
    definition = crd()
    definition["spec"]["scope"] = "Cluster"

    assert widget(definition).namespaced is False


def test_subresources_are_those_of_the_version() -> None:
    subresources = {"status": {}, "scale": {"specReplicasPath": ".spec.replicas"}}

    assert widget(crd(subresources=subresources)).subresources == ("scale", "status")


def test_only_served_versions_are_kinds() -> None:
    definition = crd()
    definition["spec"]["versions"] += [{"name": "v2", "served": False}, {"name": "v3", "served": True}, "v4"]

    assert list(kinds_of(definition, metadata=METADATA)) == [("example.com/v1", "Widget"), ("example.com/v3", "Widget")]


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string", "format": "date-time"}, Node(Shape.STRING, format="date-time")),
        ({"type": "integer", "format": "int32", "default": 3}, Node(Shape.INTEGER, format="int32", default=3)),
        ({"type": "boolean", "default": None, "nullable": True}, Node(Shape.BOOLEAN, default=None, nullable=True)),
        ({"type": "number"}, Node(Shape.NUMBER)),
        ({"x-kubernetes-int-or-string": True}, Node(Shape.STRING, format="int-or-string")),
        ({"x-kubernetes-preserve-unknown-fields": True}, FREE),
        ({"type": "object", "required": ["a", "b"]}, Node(Shape.OBJECT, required=("a", "b"))),
        (
            {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
            Node(Shape.OBJECT, preserve_unknown=True),
        ),
        (
            {"type": "object", "x-kubernetes-map-type": "atomic", "additionalProperties": {"type": "string"}},
            Node(Shape.OBJECT, map_type="atomic", value=Node(Shape.STRING)),
        ),
        ({"type": "object", "additionalProperties": True}, Node(Shape.OBJECT, value=Node(Shape.ANY))),
        ({"type": "object", "additionalProperties": False}, Node(Shape.OBJECT)),
        (
            {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}},
            Node(Shape.LIST, list_type="set", item=Node(Shape.STRING)),
        ),
        (
            {
                "type": "array",
                "x-kubernetes-list-type": "map",
                "x-kubernetes-list-map-keys": ["port", "protocol"],
                "items": {"type": "object", "required": ["port"]},
            },
            Node(
                Shape.LIST,
                list_type="map",
                map_keys=("port", "protocol"),
                item=Node(Shape.OBJECT, required=("port",)),
            ),
        ),
    ],
    ids=lambda value: " ".join(f"{k}={v}" for k, v in value.items())[:60] if isinstance(value, dict) else "",
)
def test_a_structural_schema_becomes_a_node(schema: Json, expected: Node) -> None:
    node = spec_of(schema)

    assert node == expected
    assert node.source == schema


def test_properties_become_fields_with_their_schema() -> None:
    spec = spec_of({"type": "object", "properties": {"size": {"type": "integer", "minimum": 1}}})

    assert spec.fields == {"size": Node(Shape.INTEGER)}
    assert spec.fields["size"].source == {"type": "integer", "minimum": 1}


def test_the_object_itself_has_the_metadata_of_every_object() -> None:
    name = {"type": "object", "properties": {"name": {"type": "string", "maxLength": 9}}}
    root = widget(crd({"type": "object", "properties": {"metadata": name, "kind": {"type": "integer"}}})).root

    assert dict(root.fields) == {"apiVersion": Node(Shape.STRING), "kind": Node(Shape.STRING), "metadata": METADATA}
    assert root.fields["metadata"].source == name


def test_an_embedded_object_has_metadata_too() -> None:
    template = spec_of(
        {"type": "object", "x-kubernetes-embedded-resource": True, "properties": {"spec": {"type": "string"}}}
    )

    assert template.embedded
    assert set(template.fields) == {"apiVersion", "kind", "metadata", "spec"}
    assert template.fields["metadata"] == METADATA


@pytest.mark.parametrize(
    "schema",
    [MISSING, None, "object", [], {}, {"type": "array"}, {"type": ["object"]}],
    ids=["missing", "null", "string", "list", "empty", "array", "two types"],
)
def test_without_a_usable_schema_everything_beside_the_metadata_is_free(schema: Json) -> None:
    root = widget(crd(schema)).root

    assert (root.shape, root.preserve_unknown) == (Shape.OBJECT, True)
    assert set(root.fields) == {"apiVersion", "kind", "metadata"}


@pytest.mark.parametrize(
    "schema",
    [None, 3, {}, {"type": "file"}, {"type": None}, {"properties": {"a": {"type": "string"}}}],
    ids=["null", "number", "empty", "no type", "null type", "untyped"],
)
def test_nothing_is_known_of_a_malformed_field(schema: Json) -> None:
    assert spec_of(schema) == FREE


def test_a_list_without_items_holds_anything() -> None:
    assert spec_of({"type": "array"}).item == FREE


def test_ill_typed_keywords_count_as_absent() -> None:
    schema = {
        "type": "object",
        "format": 1,
        "required": "a",
        "nullable": "yes",
        "properties": [],
        "additionalProperties": "x",
        "x-kubernetes-map-type": {},
        "x-kubernetes-list-map-keys": [1, "a"],
    }

    assert spec_of(schema) == Node(Shape.OBJECT, map_keys=("a",))


@pytest.mark.parametrize("key", ["items", "additionalProperties"])
def test_nesting_without_end_ends(key: str) -> None:
    node = spec_of(nested_schema(DEEP, key))
    depth = 0
    while (inner := node.item or node.value) is not None:
        node, depth = inner, depth + 1

    assert (node, depth) == (FREE, 65)


def test_fields_may_nest_as_deep_as_they_like() -> None:
    node = spec_of(nested_schema(DEEP, "properties"))
    for _ in range(DEEP):
        node = node.fields["a"]

    assert node == Node(Shape.STRING)


@pytest.mark.parametrize(
    "definition",
    [
        None,
        [],
        {},
        {"apiVersion": "apiextensions.k8s.io/v1beta1", "kind": "CustomResourceDefinition", "spec": crd()["spec"]},
        {"apiVersion": "v1", "kind": "CustomResourceDefinition", "spec": crd()["spec"]},
        crd() | {"spec": None},
        crd() | {"spec": {"group": "example.com", "names": {"kind": "Widget"}, "versions": []}},
        crd() | {"spec": crd()["spec"] | {"group": 3}},
        crd() | {"spec": crd()["spec"] | {"versions": {"v1": {}}}},
    ],
    ids=["null", "list", "empty", "v1beta1", "other group", "no spec", "no plural", "ill-typed group", "no versions"],
)
def test_other_objects_declare_no_kind(definition: Json) -> None:
    assert dict(kinds_of(definition, metadata=METADATA)) == {}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=12,
)
KEYWORDS = st.sampled_from(
    [
        "type",
        "properties",
        "items",
        "additionalProperties",
        "required",
        "default",
        "nullable",
        "format",
        "x-kubernetes-list-type",
        "x-kubernetes-list-map-keys",
        "x-kubernetes-map-type",
        "x-kubernetes-preserve-unknown-fields",
        "x-kubernetes-int-or-string",
        "x-kubernetes-embedded-resource",
    ]
)
TYPES = st.sampled_from(["object", "array", "string", "integer", True, False])
SCHEMAS = st.recursive(
    JSON | TYPES, lambda inner: st.dictionaries(KEYWORDS | st.text(max_size=3), inner, max_size=5), max_leaves=20
)


def visit(node: Node) -> None:
    for inner in (node.item, node.value, *node.fields.values()):
        if inner is not None and inner is not METADATA:
            visit(inner)


@given(JSON)
def test_no_json_makes_it_fail(definition: Json) -> None:
    assert isinstance(dict(kinds_of(definition, metadata=METADATA)), dict)


@given(SCHEMAS)
def test_no_schema_makes_it_fail(schema: Json) -> None:
    visit(widget(crd(schema)).root)


@given(JSON)
def test_no_version_makes_it_fail(version: Json) -> None:
    definition = crd()
    definition["spec"]["versions"] = version

    assert dict(kinds_of(definition, metadata=METADATA)) == {}


def test_a_schema_knows_the_kinds_of_the_crds_that_came_with_it() -> None:
    schema = load("1.36", crds=[crd(), crd({"type": "object", "properties": {"spec": {"type": "string"}}})])
    kind = schema.kind("example.com/v1", "Widget")

    assert kind is not None
    assert kind.root.fields["spec"] == Node(Shape.STRING)
    finalizers = at(kind.root, fields("metadata", "finalizers"))
    assert finalizers is not None
    assert finalizers.list_type == "set"
    assert schema.kind("apps/v1", "Deployment") is load("1.36").kind("apps/v1", "Deployment")
