"""Encoding of decoded objects; the objects are those that real servers wrote."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import Json, dig, equal
from kubectl_applylint.schema import tables
from kubectl_applylint.schema.types import Kind, Node, Shape
from kubectl_applylint.server.decode import decode
from kubectl_applylint.server.encode import encode
from tests.server.stored import cases, kind_of

FORMATS: dict[str, st.SearchStrategy[Json]] = {
    "byte": st.sampled_from(["", "YQ==", "YWE=\n"]),
    "date-time": st.sampled_from(["2026-01-01T00:00:00Z", "2026-01-01T00:00:00.5+01:00"]),
    "micro-time": st.just("2026-01-01T00:00:00.000001Z"),
    "int-or-string": st.sampled_from([0, 80, "", "80", "25%"]),
    "quantity": st.sampled_from(["0", "1000m", "0.5Gi", "+1", 2, 0.25]),
}
SHAPES: dict[Shape, st.SearchStrategy[Json]] = {
    Shape.ANY: st.none() | st.sampled_from([True, {}, {"type": "object"}]),
    Shape.BOOLEAN: st.booleans(),
    Shape.INTEGER: st.integers(-2, 2),
    Shape.NUMBER: st.sampled_from([0, 1.0, 0.5]),
    Shape.STRING: st.sampled_from(["", "a"]),
}


def values_of(node: Node, depth: int) -> st.SearchStrategy[Json]:
    """Return values that fit a node, nulls among them; ``depth`` says how far structs nest."""
    if node.item is not None:
        return st.lists(st.none() | values_of(node.item, depth), max_size=2)
    if node.value is not None:
        return st.dictionaries(st.sampled_from("ab"), st.none() | values_of(node.value, depth), max_size=2)
    if node.shape is Shape.OBJECT:
        return structs(node, depth)
    return FORMATS[node.format] if node.format in FORMATS else SHAPES[node.shape]


@st.composite
def structs(draw: st.DrawFn, node: Node, depth: int) -> Json:
    names = draw(st.lists(st.sampled_from(sorted(node.fields)), max_size=6 if depth else 0)) if node.fields else []
    return {name: draw(st.none() | values_of(node.fields[name], depth - 1)) for name in names}


@cache
def kinds() -> list[Kind]:
    return [kind_of({"apiVersion": api_version, "kind": name}) for api_version, name in tables.kinds(36)]


@given(st.data(), st.booleans())
@pytest.mark.slow
def test_an_encoded_object_is_decoded_and_encoded_to_itself(data: st.DataObject, creating: bool) -> None:
    """Round trips of the server's codecs: a second one changes nothing."""
    kind = data.draw(st.sampled_from(kinds()))
    written = encode(decode(data.draw(structs(kind.root, 7)), kind, creating=creating), kind)

    assert equal(encode(decode(written, kind, creating=creating), kind), written)


def test_unknown_values_are_encoded_as_unknown() -> None:
    unknown = Unknown("only the server knows")
    service = kind_of({"apiVersion": "v1", "kind": "Service"})

    assert encode({"spec": {"ports": unknown, "clusterIP": unknown}, "metadata": unknown}, service) == {
        "spec": {"ports": unknown, "clusterIP": unknown},
        "metadata": unknown,
        "status": {"loadBalancer": {}},
    }


@pytest.mark.parametrize(("server", "stored"), cases())
@pytest.mark.parametrize("creating", [True, False], ids=["POST", "PATCH"])
def test_a_stored_object_comes_out_as_it_went_in(server: str, stored: Json, creating: bool) -> None:
    """Codecs of the server: decoding what was encoded gives the same object, and encoding that the same text."""
    kind = kind_of(stored, server)

    assert equal(encode(decode(stored, kind, creating=creating), kind), stored)


@pytest.mark.parametrize(
    ("api_version", "name", "path", "written"),
    [
        pytest.param("v1", "Service", ("spec",), {}, id="a struct that is no pointer"),
        pytest.param("v1", "Service", ("status", "loadBalancer"), {}, id="a struct inside"),
        pytest.param("rbac.authorization.k8s.io/v1", "Role", ("rules",), None, id="a list that is always written"),
        pytest.param("apps/v1", "Deployment", ("spec", "selector"), None, id="a pointer that is always written"),
        pytest.param("apps/v1", "Deployment", ("spec", "template", "metadata"), {}, id="no creation timestamp"),
        pytest.param("autoscaling/v2", "HorizontalPodAutoscaler", ("spec", "maxReplicas"), 0, id="a number"),
        pytest.param("scheduling.k8s.io/v1", "PriorityClass", ("value",), 0, id="a number at the top"),
        pytest.param("apps/v1", "ControllerRevision", ("revision",), 0, id="a large number"),
        pytest.param("apps/v1", "ControllerRevision", ("data",), None, id="a free value"),
        pytest.param("storage.k8s.io/v1", "StorageClass", ("provisioner",), "", id="a text"),
    ],
)
def test_an_empty_object_shows_what_is_always_written(
    api_version: str, name: str, path: tuple[str, ...], written: Json
) -> None:
    kind = kind_of({"apiVersion": api_version, "kind": name})

    assert equal(dig(encode({}, kind), *path), written)


def test_templates_of_older_servers_have_an_empty_creation_timestamp() -> None:
    """Seen on 1.30.14 and 1.33.13, not on 1.36.3, where ObjectMeta is marked omitzero."""
    deployment = {"apiVersion": "apps/v1", "kind": "Deployment"}
    templates = [
        dig(encode({}, kind_of(deployment, version)), "spec", "template", "metadata") for version in ("1.33", "1.34")
    ]

    assert templates == [{"creationTimestamp": None}, {}]


@pytest.mark.parametrize(
    ("container", "written"),
    [
        pytest.param({}, {"name": "", "resources": {}}, id="a container"),
        pytest.param(
            {"env": [{"valueFrom": {"resourceFieldRef": {}}}]},
            {
                "name": "",
                "resources": {},
                "env": [{"name": "", "valueFrom": {"resourceFieldRef": {"resource": "", "divisor": "0"}}}],
            },
            id="an amount",
        ),
        pytest.param(
            {"ports": [{}]}, {"name": "", "resources": {}, "ports": [{"containerPort": 0}]}, id="an element of a list"
        ),
    ],
)
def test_zero_values_are_written_at_any_depth(container: Json, written: Json) -> None:
    pod = encode({"spec": {"containers": [container]}}, kind_of({"apiVersion": "v1", "kind": "Pod"}))

    assert dig(pod, "spec", "containers") == [written]
