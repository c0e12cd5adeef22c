"""Defaults of the other core kinds."""

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.defaults.support import defaulted_spec, fields_with_defaults

LABELS = {"app": "a"}


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        pytest.param({}, {"type": "Opaque"}, id="none"),
        pytest.param({"type": ""}, {"type": "Opaque"}, id="empty"),
        pytest.param({"type": "kubernetes.io/tls"}, {"type": "kubernetes.io/tls"}, id="written"),
    ],
)
def test_the_type_of_a_secret(fields: JsonObject, expected: JsonObject) -> None:
    assert fields_with_defaults("v1", "Secret", fields) == expected


@pytest.mark.parametrize(
    ("own", "selector"),
    [({}, LABELS), ({"selector": {"x": "y"}}, {"x": "y"})],
    ids=["from the template", "its own"],
)
def test_a_replication_controller_takes_the_labels_of_its_template(own: JsonObject, selector: JsonObject) -> None:
    controller = {"spec": {"template": {"metadata": {"labels": LABELS}}, **own}}
    result = fields_with_defaults("v1", "ReplicationController", controller)

    assert (result["metadata"]["labels"], result["spec"]["selector"]) == (LABELS, selector)


def test_a_replication_controller_with_labels_and_selector_keeps_them() -> None:
    spec = {"selector": {"x": "y"}, "replicas": 0, "template": {"metadata": {"labels": LABELS}}}
    controller = {"metadata": {"labels": {"x": "y"}}, "spec": spec}

    result = fields_with_defaults("v1", "ReplicationController", controller)

    assert result["metadata"] == controller["metadata"]
    assert result["spec"]["selector"] == {"x": "y"}


def test_a_replication_controller_without_labels_in_its_template() -> None:
    assert fields_with_defaults("v1", "ReplicationController", {"spec": {}}) == {"spec": {"replicas": 1}}


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        pytest.param({}, {"kubernetes.io/metadata.name": "n"}, id="none"),
        pytest.param(
            {"a": "b", "kubernetes.io/metadata.name": "other"},
            {"a": "b", "kubernetes.io/metadata.name": "n"},
            id="wrong",
        ),
        pytest.param({"kubernetes.io/metadata.name": "n"}, {"kubernetes.io/metadata.name": "n"}, id="right"),
    ],
)
def test_a_namespace_carries_its_name(labels: JsonObject, expected: JsonObject) -> None:
    namespace = fields_with_defaults("v1", "Namespace", {"metadata": {"name": "n", "labels": labels}, "status": {}})

    assert (namespace["metadata"]["labels"], namespace["status"]) == (expected, {"phase": "Active"})


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        pytest.param({"type": "Pod", "max": {"cpu": "1"}}, {}, id="not for containers"),
        pytest.param({"max": {"cpu": "1"}}, {"default": {"cpu": "1"}, "defaultRequest": {"cpu": "1"}}, id="maximum"),
        pytest.param({"min": {"cpu": "1"}}, {"defaultRequest": {"cpu": "1"}}, id="minimum"),
        pytest.param(
            {"min": {"cpu": "1"}, "max": {"cpu": "4"}, "default": {"memory": "1Gi"}},
            {"default": {"cpu": "4", "memory": "1Gi"}, "defaultRequest": {"cpu": "4", "memory": "1Gi"}},
            id="the default decides",
        ),
        pytest.param({}, {}, id="nothing"),
    ],
)
def test_the_limits_of_containers(item: JsonObject, expected: JsonObject) -> None:
    full = {"type": "Container", **item}

    assert defaulted_spec("v1", "LimitRange", {"limits": [full]}) == {"limits": [{**full, **expected}]}


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        pytest.param({"podCIDR": "a"}, {"podCIDR": "a", "podCIDRs": ["a"]}, id="old name"),
        pytest.param({"podCIDRs": ["a", "b"]}, {"podCIDR": "a", "podCIDRs": ["a", "b"]}, id="new name"),
        pytest.param({"podCIDR": "c", "podCIDRs": ["a", "b"]}, {"podCIDR": "c", "podCIDRs": ["c"]}, id="they differ"),
        pytest.param({}, {}, id="none"),
    ],
)
def test_the_addresses_of_a_nodes_pods(spec: JsonObject, expected: JsonObject) -> None:
    assert defaulted_spec("v1", "Node", spec) == expected


def test_the_whole_of_a_node_can_be_used() -> None:
    status = fields_with_defaults("v1", "Node", {"status": {"capacity": {"cpu": "4"}}})["status"]

    assert status == {"capacity": {"cpu": "4"}, "allocatable": {"cpu": "4"}}


def test_the_allocatable_resources_of_a_node_stay() -> None:
    status = {"capacity": {"cpu": "4"}, "allocatable": {"cpu": "3"}}

    assert fields_with_defaults("v1", "Node", {"status": status})["status"] == status


def test_the_ports_of_endpoints_are_tcp() -> None:
    endpoints = fields_with_defaults("v1", "Endpoints", {"subsets": [{"ports": [{"port": 80}]}]})

    assert endpoints == {"subsets": [{"ports": [{"port": 80, "protocol": "TCP"}]}]}
