from kubectl_applylint.core.state import Absent, ObjectRef, Present, State, Unknown, ref_of
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.engine.cluster_model import BORN_NAMESPACES, ClusterModel

WEB: JsonObject = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "web", "namespace": "shop"}}
BARN: JsonObject = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "barn"}}


def crd(*versions: Json) -> JsonObject:
    spec = {"group": "example.com", "names": {"kind": "Widget"}, "versions": [*versions]}
    metadata = {"name": "widgets.example.com"}
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": metadata} | {
        "spec": spec
    }


def model(*objects: JsonObject) -> ClusterModel:
    return ClusterModel({ref_of(item).identity: Present(item) for item in objects}, origin="folder base")


def test_objects_missing_in_a_complete_model_are_absent() -> None:
    assert model(WEB).state(ref_of(WEB)) == State(Present(WEB), "folder base")
    assert model(BARN).state(ref_of(WEB)) == State(Absent(), "folder base")
    assert ClusterModel(otherwise=Unknown("nobody looked")).state(ref_of(WEB)).live == Unknown("nobody looked")


def test_an_object_in_another_version_is_unknown() -> None:
    known = {("apps", "Deployment", "shop", "web"): Present({"apiVersion": "apps/v1", "kind": "Deployment"})}

    state = ClusterModel(known).state(ObjectRef("apps/v1beta1", "Deployment", "shop", "web"))

    assert state.live == Unknown("the cluster has deployment.apps/web as apps/v1, not as apps/v1beta1")


def test_namespaces_are_known_by_themselves_and_by_what_lives_in_them() -> None:
    assert model(WEB, BARN).namespaces() - {""} == BORN_NAMESPACES | {"shop", "barn"}


def test_definitions_list_the_served_versions() -> None:
    found = model(crd({"name": "v1", "served": True}, {"name": "v1beta1", "served": False}), WEB).definitions()

    assert found == {("example.com", "Widget"): frozenset({"v1"})}


def test_new_states_leave_the_other_objects_of_a_model() -> None:
    before = model(WEB, BARN)

    after = before.with_states({ref_of(WEB).identity: Absent()})

    assert list(after.objects) == [BARN]
    assert list(before.objects) == [WEB, BARN]
