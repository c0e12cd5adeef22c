"""Claims that ask for more than before, as kube-apiserver 1.36.3 answers it."""

import pytest

from kubectl_applylint.core.state import UNSEEN, ClusterView
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.server.admission.persistent_volume_claim_resize import validate
from tests.server.admission.objects import (
    answer_to_patch,
    cluster_view,
    namespaced_object,
    of_cluster,
    status_and_messages,
    write_of,
)

REJECTED = (
    403,
    [
        'persistentvolumeclaims "x" is forbidden: only dynamically provisioned pvc can be resized and the storageclass'
        " that provisions the pvc must support resize"
    ],
)
PENDING = (
    422,
    [
        "Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound"
        " claims"
    ],
)
ALL = ("storage.k8s.io", "StorageClass", "")
FAST = cluster_view(of_cluster("storage.k8s.io/v1", "StorageClass", "fast", allowVolumeExpansion=True), whole=[ALL])
FIXED = cluster_view(of_cluster("storage.k8s.io/v1", "StorageClass", "fast"), whole=[ALL])
OPEN = ("the claim grows only if its StorageClass has allowVolumeExpansion: true",)


def asking(size: str) -> JsonObject:
    return {"resources": {"requests": {"storage": size}}}


def claim(size: str, phase: str = "Bound", name: Json = "fast") -> JsonObject:
    spec = {"accessModes": ["ReadWriteOnce"], "storageClassName": name, "volumeMode": "Filesystem"}
    status = {"phase": phase, "capacity": {"storage": size}}
    kept = {key: value for key, value in {**spec, **asking(size)}.items() if value is not None}
    return namespaced_object("v1", "PersistentVolumeClaim", "shop", spec=kept, status=status)


@pytest.mark.parametrize(
    ("known", "live", "size", "expected"),
    [
        pytest.param(FAST, claim("1Gi"), "2Gi", (0, []), id="class with expansion"),
        pytest.param(FIXED, claim("1Gi"), "2Gi", REJECTED, id="class without expansion"),
        pytest.param(FIXED, claim("1Gi", name=None), "2Gi", REJECTED, id="no class"),
        pytest.param(FIXED, claim("1Gi"), "1024Mi", (0, []), id="the same size"),
        pytest.param(FAST, claim("1Gi", "Pending"), "2Gi", PENDING, id="not bound"),
        pytest.param(UNSEEN, claim("1Gi"), "2Gi", (0, []), id="class that is not known"),
    ],
)
def test_a_claim_grows(known: ClusterView, live: JsonObject, size: str, expected: tuple[int, list[str]]) -> None:
    status, messages = status_and_messages(answer_to_patch(live, {"spec": asking(size)}, known))

    assert (status, [message.partition("\n")[0] for message in messages]) == expected


@pytest.mark.parametrize("name", ["slow", None])
def test_growing_a_claim_of_an_unknown_class_stays_open(name: Json) -> None:
    sides = [claim(size, name=name) for size in ("2Gi", "1Gi")]

    assert validate(write_of("v1", "PersistentVolumeClaim", sides[0], sides[1])).open == OPEN
