"""The StorageClass of claims, as seen on Kubernetes 1.36.3."""

import pytest

from kubectl_applylint.core.state import UNSEEN
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.server.admission.default_storage_class import mutate
from tests.server.admission.objects import of_cluster, write_of

STORAGE_MARK = "storageclass.kubernetes.io/is-default-class"


def storage(name: str, mark: str = STORAGE_MARK, value: str = "true", since: str = "2026-01-01") -> JsonObject:
    found = of_cluster("storage.k8s.io/v1", "StorageClass", name, {mark: value})
    return {**found, "metadata": {**found["metadata"], "creationTimestamp": since}}


@pytest.mark.parametrize(
    ("classes", "chosen"),
    [
        pytest.param([], None, id="none"),
        pytest.param([storage("slow", value="false")], None, id="none is marked"),
        pytest.param([storage("slow", value="false"), storage("fast")], "fast", id="one"),
        pytest.param([storage("fast", "storageclass.beta.kubernetes.io/is-default-class")], "fast", id="old mark"),
        pytest.param([storage("a"), storage("b", since="2026-02-01")], "b", id="the newest"),
        pytest.param([storage("b"), storage("a")], "a", id="the first by name"),
    ],
)
def test_the_class_of_a_claim(classes: list[JsonObject], chosen: str | None) -> None:
    result = mutate(write_of("v1", "PersistentVolumeClaim", {"spec": {}}, known=UNSEEN.joined(classes))).object

    assert result["spec"].get("storageClassName") == chosen


@pytest.mark.parametrize(
    ("new", "old"),
    [
        pytest.param({"spec": {"storageClassName": ""}}, None, id="written"),
        pytest.param({"metadata": {"annotations": {"volume.beta.kubernetes.io/storage-class": "x"}}}, None, id="noted"),
        pytest.param({"spec": {}}, {"spec": {}}, id="update"),
    ],
)
def test_claims_that_keep_their_class(new: JsonObject, old: JsonObject | None) -> None:
    result = mutate(write_of("v1", "PersistentVolumeClaim", new, old, UNSEEN.joined([storage("fast")]))).object

    assert result.get("spec") == new.get("spec")
