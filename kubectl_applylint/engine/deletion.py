"""Describes the effects of a deletion on other objects."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from kubectl_applylint.core.name_lists import first_names
from kubectl_applylint.core.state import Absent, ObjectRef, ref_of
from kubectl_applylint.core.values import JsonObject, dig
from kubectl_applylint.engine.cluster_model import CRD_GROUP, CRD_KIND, ClusterModel, defined_kind

_NAMED: Final = 5
"""The maximum number of objects that are named."""


def consequences(item: JsonObject, cluster: ClusterModel) -> Iterator[str]:
    """Yield a sentence for each effect that the deletion of ``item`` has on the objects in ``cluster``."""
    ref = ref_of(item)
    words = _CONSEQUENCES.get((ref.group, ref.kind))
    if words is not None:
        yield from words(item, cluster)


def _namespace(item: JsonObject, cluster: ClusterModel) -> Iterator[str]:
    name = ref_of(item).name
    inside = [ref for ref in map(ref_of, cluster.objects) if ref.namespace == name]
    yield "everything in the namespace is deleted with it" + _names(inside, cluster, none="it is empty")


def _definition(item: JsonObject, cluster: ClusterModel) -> Iterator[str]:
    kind = defined_kind(item)
    resources = [ref for ref in map(ref_of, cluster.objects) if (ref.group, ref.kind) == kind]
    name = kind[1] if kind else "object of its kind"
    names = _names(resources, cluster, none=f"no {name} exists")
    yield f"every {name} is deleted with it, in all namespaces{names}"


def _claim(item: JsonObject, cluster: ClusterModel) -> Iterator[str]:
    yield "its volume and the data are deleted with it, unless the reclaim policy of the volume is Retain"


def _volume(item: JsonObject, cluster: ClusterModel) -> Iterator[str]:
    if dig(item, "spec", "persistentVolumeReclaimPolicy") != "Retain":
        yield "the storage behind it may be deleted with it: its reclaim policy is not Retain"


def _pods(item: JsonObject, cluster: ClusterModel) -> Iterator[str]:
    yield "its pods are stopped"


def _set_of_pods(item: JsonObject, cluster: ClusterModel) -> Iterator[str]:
    yield "its pods are stopped; the claims of its volumes stay"


_CONSEQUENCES: Final[Mapping[tuple[str, str], Callable[[JsonObject, ClusterModel], Iterator[str]]]] = {
    ("", "Namespace"): _namespace,
    (CRD_GROUP, CRD_KIND): _definition,
    ("", "PersistentVolumeClaim"): _claim,
    ("", "PersistentVolume"): _volume,
    ("", "ReplicationController"): _pods,
    ("apps", "DaemonSet"): _pods,
    ("apps", "Deployment"): _pods,
    ("apps", "ReplicaSet"): _pods,
    ("apps", "StatefulSet"): _set_of_pods,
    ("batch", "Job"): _pods,
}


def _names(refs: list[ObjectRef], cluster: ClusterModel, none: str) -> str:
    """Return the names of the objects as the end of a sentence; if the cluster is not known completely, as examples."""
    names = first_names([*map(str, refs)], _NAMED)
    if isinstance(cluster.otherwise, Absent) and not cluster.simulated:
        return f": {names}" if names else f" ({none})"
    return f", such as {names}" if names else ""
