"""Creating objects in namespaces that are missing or going, as kube-apiserver 1.36.3 answers it."""

import pytest

from kubectl_applylint.core.state import UNSEEN, ClusterView
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.server.write import Refused
from tests.server.admission.objects import (
    NAMESPACES,
    answer_to_create,
    answer_to_patch,
    cluster_view,
    namespace,
    namespaced_object,
    status_and_messages,
)

SETTINGS = namespaced_object("v1", "ConfigMap", "shop")
GOING = 'configmaps "x" is forbidden: unable to create new content in namespace shop because it is being terminated'


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        pytest.param(cluster_view(namespace("shop")), (0, []), id="there"),
        pytest.param(cluster_view(whole=[NAMESPACES]), (404, ['namespaces "shop" not found']), id="missing"),
        pytest.param(cluster_view(namespace("shop", phase="Terminating")), (403, [GOING]), id="going"),
        pytest.param(cluster_view(namespace("bar")), (0, []), id="not known"),
        pytest.param(UNSEEN, (0, []), id="nothing known"),
    ],
)
def test_a_create(known: ClusterView, expected: tuple[int, list[str]]) -> None:
    assert status_and_messages(answer_to_create(SETTINGS, known)) == expected


def test_the_object_that_would_have_been_stored_is_returned() -> None:
    refused = answer_to_create(SETTINGS, cluster_view(namespace("shop", phase="Terminating")))

    assert isinstance(refused, Refused)
    assert refused.causes[0].field == "metadata.namespace"
    assert refused.intended is not None
    assert refused.intended["kind"] == "ConfigMap"


@pytest.mark.parametrize("phase", ["Active", "Terminating"])
def test_existing_objects_can_be_changed(phase: str) -> None:
    assert status_and_messages(
        answer_to_patch(SETTINGS, {"data": {"a": "b"}}, cluster_view(namespace("shop", phase=phase)))
    ) == (0, [])


def test_a_missing_namespace_outranks_what_is_not_valid() -> None:
    invalid = {**SETTINGS, "data": {"a b": ""}}

    assert status_and_messages(answer_to_create(invalid, cluster_view(whole=[NAMESPACES])))[0] == 404


def test_kinds_outside_of_namespaces_need_none() -> None:
    known = cluster_view(whole=[NAMESPACES])
    role: JsonObject = {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": {"name": "x"}}

    assert status_and_messages(answer_to_create({**role, "rules": []}, known)) == (0, [])
    assert status_and_messages(answer_to_create(namespace("shop"), known)) == (0, [])


def test_a_server_may_not_look() -> None:
    assert status_and_messages(
        answer_to_create(SETTINGS, cluster_view(whole=[NAMESPACES]), disabled=frozenset({"NamespaceLifecycle"}))
    ) == (
        0,
        [],
    )
