"""Levels of trust in pods, as kube-apiserver 1.36.3 answered dry runs on 2026-11-21."""

import pytest

from kubectl_applylint.core.state import UNSEEN
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.server.write import Stored
from tests.server.admission.objects import (
    DISABLED,
    answer_to_create,
    answer_to_patch,
    cluster_view,
    namespace,
    namespaced_object,
    status_and_messages,
)
from tests.server.admission.recorded import Case, cases

LABEL = "pod-security.kubernetes.io/"
CONTAINER: JsonObject = {"name": "a", "image": "i"}
ROOT = namespaced_object("v1", "Pod", "shop", spec={"containers": [CONTAINER]})
STRICT = cluster_view(namespace("shop", {f"{LABEL}enforce": "restricted"}))


@pytest.mark.parametrize("case", cases())
def test_pods_and_workloads(case: Case) -> None:
    answer = status_and_messages(answer_to_create(case.manifest, cluster_view(namespace("shop", case.labels))))

    assert answer == (403 if case.refused else 0, [case.said] if case.said else [])


def test_pods_of_an_unknown_namespace_are_not_rejected() -> None:
    assert status_and_messages(answer_to_create(ROOT, UNSEEN)) == (0, [])
    assert status_and_messages(answer_to_create(ROOT, cluster_view(namespace("bar")))) == (0, [])
    assert status_and_messages(answer_to_create(ROOT, STRICT, disabled=DISABLED | {"PodSecurity"})) == (0, [])


@pytest.mark.parametrize(
    ("patch", "status"),
    [
        pytest.param({"metadata": {"labels": {"a": "b"}}}, 0, id="label"),
        pytest.param({"spec": {"containers": [{**CONTAINER, "image": "j"}]}}, 403, id="image"),
    ],
)
def test_a_live_pod_is_checked_if_its_images_change(patch: Json, status: int) -> None:
    live = answer_to_create(ROOT, UNSEEN)

    assert isinstance(live, Stored)
    assert status_and_messages(answer_to_patch(live.object, patch, STRICT))[0] == status


@pytest.mark.parametrize(
    ("labels", "refused"),
    [
        pytest.param({"enforce": "baseline", "enforce-version": "v1.30"}, [], id="good"),
        pytest.param({"warn": "strict"}, ["warn"], id="no level"),
        pytest.param({"audit-version": "1.30", "warn-version": "v1.030"}, ["audit-version", "warn-version"], id="none"),
    ],
)
def test_the_labels_of_a_namespace(labels: JsonObject, refused: list[str]) -> None:
    status, found = status_and_messages(
        answer_to_create(namespace("shop", {LABEL + key: value for key, value in labels.items()}), UNSEEN)
    )

    assert (status, len(found)) == (422 if refused else 0, len(refused))


def test_wrong_labels_that_are_stored_may_stay() -> None:
    wrong = namespace("shop", {f"{LABEL}warn": "strict"})

    assert status_and_messages(answer_to_patch(wrong, {"metadata": {"labels": {"a": "b"}}}, UNSEEN))[0] == 0
    assert (
        status_and_messages(answer_to_patch(wrong, {"metadata": {"labels": {f"{LABEL}warn": "mild"}}}, UNSEEN))[0]
        == 422
    )


def test_wrong_labels_count_as_the_strictest_to_enforce_only() -> None:
    enforced = status_and_messages(
        answer_to_create(ROOT, cluster_view(namespace("shop", {f"{LABEL}enforce": "strict"})))
    )
    warned = status_and_messages(
        answer_to_create(ROOT, cluster_view(namespace("shop", {f"{LABEL}warn": "strict", f"{LABEL}warn-version": "1"})))
    )

    assert enforced[0] == 403
    assert 'violates PodSecurity "restricted:latest"' in enforced[1][0]
    assert warned == (0, [])
