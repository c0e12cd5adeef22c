"""Finalizers of storage, as seen on Kubernetes 1.36.3."""

import pytest

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.server.admission.storage_object_in_use_protection import mutate
from tests.server.admission.objects import write_of


@pytest.mark.parametrize(
    ("kind", "old", "finalizers", "after"),
    [
        pytest.param("PersistentVolumeClaim", None, [], ["kubernetes.io/pvc-protection"], id="claim"),
        pytest.param("PersistentVolume", None, ["x"], ["x", "kubernetes.io/pv-protection"], id="volume"),
        pytest.param(
            "PersistentVolume", None, ["kubernetes.io/pv-protection"], ["kubernetes.io/pv-protection"], id="there"
        ),
        pytest.param("PersistentVolumeClaim", {"metadata": {}}, ["x"], ["x"], id="existing claim"),
        pytest.param("PersistentVolume", {"metadata": {}}, ["x"], ["x"], id="existing volume"),
    ],
)
def test_storage_in_use_is_protected(
    kind: str, old: JsonObject | None, finalizers: list[str], after: list[str]
) -> None:
    result = mutate(write_of("v1", kind, {"metadata": {"finalizers": finalizers}}, old)).object

    assert result["metadata"]["finalizers"] == after


@pytest.mark.parametrize(("old", "after"), [(None, ["kubernetes.io/vac-protection"]), ({"a": "b"}, None)])
def test_classes_of_volume_attributes_in_use_are_protected(old: JsonObject | None, after: list[str] | None) -> None:
    result = mutate(write_of("storage.k8s.io/v1", "VolumeAttributesClass", {"metadata": {}}, old)).object

    assert result["metadata"].get("finalizers") == after
