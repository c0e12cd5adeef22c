"""Custom resource definitions come and go."""

from kubectl_applylint.core.values import Json
from tests.cluster.api import discover
from tests.cluster.cluster import Cluster
from tests.cluster.crds import install, served_kinds, uninstall

GADGETS: dict[str, Json] = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "gadgets.test.example.com"},
    "spec": {
        "group": "test.example.com",
        "scope": "Namespaced",
        "names": {"kind": "Gadget", "plural": "gadgets"},
        "versions": [
            {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {"type": "object"}}},
            {"name": "v0", "served": False, "storage": False, "schema": {"openAPIV3Schema": {"type": "object"}}},
        ],
    },
}


def test_only_served_versions_make_kinds() -> None:
    assert served_kinds(GADGETS) == [("test.example.com/v1", "Gadget")]


def test_a_kind_is_served_until_it_is_uninstalled(cluster: Cluster) -> None:
    assert install(cluster.api, [GADGETS]) == [GADGETS]
    assert install(cluster.api, [GADGETS]) == []
    resource = discover(cluster.api)["test.example.com/v1", "Gadget"]
    uninstall(cluster.api, [GADGETS])

    assert (resource.prefix, resource.plural, resource.namespaced) == ("/apis/test.example.com/v1", "gadgets", True)
    assert not cluster.get(f"{resource.prefix}/gadgets").ok
