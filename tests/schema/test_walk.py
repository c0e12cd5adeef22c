from kubectl_applylint.core.paths import render
from kubectl_applylint.core.values import Json
from kubectl_applylint.schema.load import load
from kubectl_applylint.schema.types import Node, Shape
from kubectl_applylint.schema.walk import identity, merging_lists, walk

SCHEMA = load("1.36")


def root(api_version: str, kind: str) -> Node:
    found = SCHEMA.kind(api_version, kind)
    assert found
    return found.root


def test_walk_yields_fields_of_the_schema() -> None:
    service: Json = {"spec": {"ports": [{"port": 53}], "selector": {"app": "dns"}, "unheard-of": {"a": 1}}}

    found = [(render(path), node.merge_key) for path, _, node in walk(service, root("v1", "Service"))]

    assert found == [
        ("", ""),
        ("spec", ""),
        ("spec.ports", "port"),
        ("spec.ports[0]", ""),
        ("spec.ports[0].port", ""),
        ("spec.selector", ""),
        ("spec.selector.app", ""),
    ]


def test_walk_stops_where_nothing_is_known_of_the_elements() -> None:
    assert [render(path) for path, _, _ in walk([{"a": 1}], Node(Shape.LIST))] == [""]


def test_merging_lists_are_those_with_a_merge_key() -> None:
    container: Json = {"name": "web", "args": ["a"], "env": [{"name": "A"}], "ports": "odd"}
    pod: Json = {"metadata": {"finalizers": ["a"]}, "spec": {"containers": [container], "tolerations": [{"key": "a"}]}}

    found = [(value, node.merge_key) for value, node in merging_lists(pod, root("v1", "Pod"))]

    assert sorted(found, key=str) == [([{"name": "A"}], "name"), ([container], "name")]


def test_identity_fills_in_defaults() -> None:
    ports = root("v1", "Service").fields["spec"].fields["ports"]

    assert identity({"port": 53}, ports) == (53, "TCP")
    assert identity({"port": 53, "protocol": "UDP"}, ports) == (53, "UDP")


def test_identity_of_elements_that_nothing_is_known_of() -> None:
    assert identity({"port": 53}, Node(Shape.LIST, map_keys=("port", "protocol"))) == (53, None)
