import pytest

from kubectl_applylint.core.state import Present, Unknown, ref_of
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.engine.cluster_model import ClusterModel
from kubectl_applylint.engine.deletion import consequences


def item(version: str, kind: str, name: str, namespace: str = "", **spec: Json) -> JsonObject:
    metadata = {"name": name, **({"namespace": namespace} if namespace else {})}
    return {"apiVersion": version, "kind": kind, "metadata": metadata, "spec": spec}


SHOP = item("v1", "Namespace", "shop")
LAMPS = item("apiextensions.k8s.io/v1", "CustomResourceDefinition", "lamps.x.io", group="x.io", names={"kind": "Lamp"})
LAMP = item("x.io/v1", "Lamp", "lamp", "bank")
MANY = [item("v1", "ConfigMap", f"c{number}", "shop") for number in range(7)]


def sentences(deleted: JsonObject, *there: JsonObject, whole: bool = True) -> str:
    known = {ref_of(each).identity: Present(each) for each in there}
    cluster = ClusterModel(known) if whole else ClusterModel(known, Unknown("not read"))
    return "; ".join(consequences(deleted, cluster))


@pytest.mark.parametrize(
    ("deleted", "there", "words"),
    [
        pytest.param(
            SHOP, [MANY[0], LAMP, SHOP], "everything in the namespace is deleted with it: configmap/c0", id="one"
        ),
        pytest.param(
            SHOP,
            MANY,
            "everything in the namespace is deleted with it: configmap/c0, configmap/c1, configmap/c2, configmap/c3,"
            " configmap/c4 and 2 more",
            id="many",
        ),
        pytest.param(SHOP, [], "everything in the namespace is deleted with it (it is empty)", id="none"),
        pytest.param(
            LAMPS, [LAMP], "every Lamp is deleted with it, in all namespaces: lamp.x.io/lamp", id="definition"
        ),
        pytest.param(
            item("v1", "PersistentVolumeClaim", "data"),
            [],
            "its volume and the data are deleted with it, unless the reclaim policy of the volume is Retain",
            id="claim",
        ),
        pytest.param(
            item("v1", "PersistentVolume", "disk"),
            [],
            "the storage behind it may be deleted with it: its reclaim policy is not Retain",
            id="volume",
        ),
        pytest.param(
            item("v1", "PersistentVolume", "disk", persistentVolumeReclaimPolicy="Retain"), [], "", id="kept volume"
        ),
        pytest.param(item("apps/v1", "Deployment", "web"), [], "its pods are stopped", id="pods"),
        pytest.param(
            item("apps/v1", "StatefulSet", "db"), [], "its pods are stopped; the claims of its volumes stay", id="db"
        ),
        pytest.param(MANY[0], [], "", id="nothing else"),
    ],
)
def test_the_effects_of_a_deletion(deleted: JsonObject, there: list[JsonObject], words: str) -> None:
    assert sentences(deleted, *there) == words


def test_objects_of_a_cluster_that_is_not_known_completely_are_examples() -> None:
    assert sentences(SHOP, MANY[0], whole=False).endswith("deleted with it, such as configmap/c0")
    assert sentences(SHOP, whole=False) == "everything in the namespace is deleted with it"
