"""Facts of the built-in kinds, over several minors."""

import pytest

from kubectl_applylint.schema import tables
from kubectl_applylint.schema.types import Kind, Node, Shape

MINORS = range(tables.OLDEST, tables.NEWEST + 1)


def kind_of(api_version: str, name: str, minor: int = 36) -> Kind:
    found = tables.kind(minor, (api_version, name))
    assert found is not None
    return found


@pytest.mark.parametrize("minor", MINORS)
def test_every_field_of_every_kind_can_be_looked_up(minor: int) -> None:
    pending = [kind_of(*gvk, minor).root for gvk in tables.kinds(minor)]
    seen: set[str] = set()
    while pending:
        node = pending.pop()
        if node.struct and node.struct in seen:
            continue
        seen.add(node.struct)
        pending.extend(inner for inner in (node.item, node.value, *node.fields.values()) if inner is not None)

    assert len(seen) > 400


@pytest.mark.parametrize(
    ("api_version", "name", "resource", "namespaced", "subresources"),
    [
        ("v1", "Namespace", "namespaces", False, ("status",)),
        ("v1", "Endpoints", "endpoints", True, ()),
        ("apps/v1", "Deployment", "deployments", True, ("scale", "status")),
        ("networking.k8s.io/v1", "Ingress", "ingresses", True, ("status",)),
        ("policy/v1", "PodDisruptionBudget", "poddisruptionbudgets", True, ("status",)),
        ("apiextensions.k8s.io/v1", "CustomResourceDefinition", "customresourcedefinitions", False, ("status",)),
        ("apiregistration.k8s.io/v1", "APIService", "apiservices", False, ("status",)),
        ("authorization.k8s.io/v1", "SubjectAccessReview", "subjectaccessreviews", False, ()),
    ],
)
def test_a_kind_has_its_place_in_urls(
    api_version: str, name: str, resource: str, namespaced: bool, subresources: tuple[str, ...]
) -> None:
    kind = kind_of(api_version, name)

    assert (kind.resource, kind.namespaced, kind.subresources) == (resource, namespaced, subresources)
    assert (kind.api_version, kind.name, kind.strategic, kind.custom) == (api_version, name, True, False)


@pytest.mark.parametrize("name", ["DeploymentList", "Status", "DeleteOptions", "Scale", "WatchEvent"])
def test_what_no_url_serves_is_no_kind(name: str) -> None:
    assert [gvk for minor in MINORS for gvk in tables.kinds(minor) if gvk[1] == name] == []


def test_a_merge_list_carries_both_its_strategies() -> None:
    pod = kind_of("v1", "Pod").root.fields["spec"]
    ports = container_of(pod).fields["ports"]

    assert ports == Node(
        Shape.LIST,
        item=tables.struct(36, "io.k8s.api.core.v1.ContainerPort"),
        patch_strategy=("merge",),
        merge_key="containerPort",
        list_type="map",
        map_keys=("containerPort", "protocol"),
    )


def container_of(pod: Node) -> Node:
    item = pod.fields["containers"].item
    assert item is not None
    return item
