"""The walk: what it shares, what it leaves alone, how it chooses the minor."""

import copy
from dataclasses import replace

import pytest

from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.schema.load import load
from kubectl_applylint.server.defaults import apply_defaults, minor_of
from tests.server.defaults.support import fields_with_defaults

DEPLOYMENT = {
    "metadata": {"name": "a", "labels": {"app": "a"}},
    "spec": {"template": {"spec": {"containers": [{"name": "c", "image": "app"}]}}},
}


def test_unchanged_values_are_shared() -> None:
    once = fields_with_defaults("apps/v1", "Deployment", DEPLOYMENT)

    assert once["metadata"] is DEPLOYMENT["metadata"]
    assert fields_with_defaults("apps/v1", "Deployment", once) is once


def test_the_argument_is_not_changed() -> None:
    before = copy.deepcopy(DEPLOYMENT)
    fields_with_defaults("apps/v1", "Deployment", DEPLOYMENT)

    assert before == DEPLOYMENT


def test_null_is_an_empty_field() -> None:
    assert fields_with_defaults("apps/v1", "ReplicaSet", {"spec": {"replicas": None}})["spec"]["replicas"] == 1


def test_a_struct_that_is_always_there_gets_its_defaults_where_nothing_is_written() -> None:
    assert fields_with_defaults("networking.k8s.io/v1", "NetworkPolicy", {}) == {"spec": {"policyTypes": ["Ingress"]}}


def test_a_kind_without_defaults_is_left_alone() -> None:
    settings: JsonObject = {"data": {}}

    assert fields_with_defaults("v1", "ConfigMap", settings) is settings


def test_a_custom_resource_is_left_alone() -> None:
    kind = load("1.36").kind("apps/v1", "Deployment")
    assert kind is not None
    custom = replace(kind, definition={"kind": "CustomResourceDefinition"})

    assert apply_defaults(DEPLOYMENT, custom, "1.36") is DEPLOYMENT


@pytest.mark.parametrize(
    ("version", "minor"),
    [("1.36", 36), ("1.36.3", 36), ("1.20", 29), ("1.99", 37)],
    ids=["1.36", "patch", "old", "new"],
)
def test_the_minor_that_answers(version: str, minor: int) -> None:
    assert minor_of(version) == minor


def test_a_value_that_is_not_known_gets_no_defaults() -> None:
    overhead = Unknown("the overhead of its RuntimeClass")
    pod = fields_with_defaults(
        "v1", "Pod", {"spec": {"overhead": overhead, "containers": [{"name": "c", "image": "app"}]}}
    )

    assert pod["spec"]["overhead"] is overhead
