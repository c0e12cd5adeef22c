"""The StorageClass of claims, as seen on Kubernetes 1.36.3; how one is chosen is in test_default_class.py."""

import pytest

from kubectl_applylint.core.state import UNSEEN
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.server.admission.default_storage_class import assumptions, mutate
from tests.server.admission.objects import cluster_view, of_cluster, write_of

MARK = "storageclass.kubernetes.io/is-default-class"
OLD_MARK = "storageclass.beta.kubernetes.io/is-default-class"
NOTED: JsonObject = {"metadata": {"annotations": {"volume.beta.kubernetes.io/storage-class": "x"}}, "spec": {}}


@pytest.mark.parametrize("mark", [MARK, OLD_MARK])
def test_the_class_of_a_claim(mark: str) -> None:
    known = UNSEEN.with_objects([of_cluster("storage.k8s.io/v1", "StorageClass", "fast", {mark: "true"})])

    assert mutate(write_of("v1", "PersistentVolumeClaim", {}, known=known)).object["spec"] == {
        "storageClassName": "fast"
    }
    assert mutate(write_of("v1", "PersistentVolumeClaim", NOTED, known=known)).object == NOTED


def test_without_knowing_all_classes_it_is_assumed_that_none_is_the_default() -> None:
    known = cluster_view(whole=[("storage.k8s.io", "StorageClass", "")])

    assert assumptions(write_of("v1", "PersistentVolumeClaim", {})) == (
        "no StorageClass is the default of the cluster",
    )
    assert assumptions(write_of("v1", "PersistentVolumeClaim", {}, known=known)) == ()
