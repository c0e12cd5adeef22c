"""Kinds and versions that each Kubernetes serves."""

import pytest

from kubectl_applylint.schema import tables
from kubectl_applylint.schema.served import Standing, is_namespaced, lifetimes, standing, successor, suggestions
from kubectl_applylint.schema.types import Gvk

BODY = ("v1", "Binding")
"""A kind that clients send and never fetch: the lifecycles leave it out."""


@pytest.mark.parametrize("minor", range(tables.OLDEST, tables.NEWEST + 1))
def test_the_lifecycles_agree_with_the_kinds_of_every_minor(minor: int) -> None:
    kinds = {gvk for gvk, life in lifetimes().items() if life.first <= minor <= life.last}

    assert kinds == set(tables.kinds(minor)) - {BODY}


@pytest.mark.parametrize("minor", range(tables.OLDEST, tables.NEWEST + 1))
def test_the_lifecycles_agree_with_the_kinds_on_namespaces(minor: int) -> None:
    kinds = ((gvk, tables.kind(minor, gvk)) for gvk in tables.kinds(minor) if gvk != BODY)

    assert [gvk for gvk, kind in kinds if kind and kind.namespaced is not is_namespaced(gvk)] == []


STANDINGS = {
    "removed with 1.16": ("1.37", "extensions/v1beta1", "Deployment", Standing.REMOVED),
    "served until 1.21": ("1.21", "extensions/v1beta1", "Ingress", Standing.SERVED),
    "removed with 1.22": ("1.22", "extensions/v1beta1", "Ingress", Standing.REMOVED),
    "served until 1.24": ("1.24", "policy/v1beta1", "PodDisruptionBudget", Standing.SERVED),
    "removed with 1.25": ("1.25", "policy/v1beta1", "PodDisruptionBudget", Standing.REMOVED),
    "removed with 1.26": ("1.26", "autoscaling/v2beta2", "HorizontalPodAutoscaler", Standing.REMOVED),
    "removed with 1.27": ("1.27", "storage.k8s.io/v1beta1", "CSIStorageCapacity", Standing.REMOVED),
    "removed with 1.29": ("1.29", "flowcontrol.apiserver.k8s.io/v1beta2", "FlowSchema", Standing.REMOVED),
    "beta on by default": ("1.31", "flowcontrol.apiserver.k8s.io/v1beta3", "FlowSchema", Standing.SERVED),
    "removed with 1.32": ("1.32", "flowcontrol.apiserver.k8s.io/v1beta3", "FlowSchema", Standing.REMOVED),
    "beta off by default": ("1.37", "resource.k8s.io/v1beta1", "ResourceClaim", Standing.OPTIONAL),
    "alpha": ("1.37", "internal.apiserver.k8s.io/v1alpha1", "StorageVersion", Standing.OPTIONAL),
    "not yet": ("1.20", "batch/v1", "CronJob", Standing.LATER),
    "no such version": ("1.37", "apps/v2", "Deployment", Standing.NEVER),
    "no such version of the core": ("1.37", "v1beta1", "Pod", Standing.NEVER),
    "no such kind in the group": ("1.37", "apps/v1", "Ingress", Standing.NEVER),
    "a group without its version": ("1.37", "apps", "Deployment", Standing.NEVER),
    "perhaps in a minor of which there is no table": ("1.38", "apps/v2", "Deployment", Standing.UNKNOWN),
    "removed all the same": ("1.38", "extensions/v1beta1", "Ingress", Standing.REMOVED),
    "a body of a subresource": ("1.37", *BODY, Standing.UNKNOWN),
    "no apiVersion": ("1.37", "", "Deployment", Standing.UNKNOWN),
    "an API of a webhook": ("1.37", "metrics.k8s.io/v1beta1", "PodMetrics", Standing.UNKNOWN),
    "a project of Kubernetes": ("1.37", "gateway.networking.k8s.io/v1beta1", "Gateway", Standing.UNKNOWN),
    "its old group": ("1.37", "networking.x-k8s.io/v1alpha1", "Gateway", Standing.UNKNOWN),
    "snapshots": ("1.37", "snapshot.storage.k8s.io/v1", "VolumeSnapshot", Standing.UNKNOWN),
    "a custom resource": ("1.37", "example.com/v1", "Deployment", Standing.UNKNOWN),
}


@pytest.mark.parametrize(("version", "api_version", "kind", "expected"), STANDINGS.values(), ids=STANDINGS)
def test_standing(version: str, api_version: str, kind: str, expected: Standing) -> None:
    assert standing(version, (api_version, kind)) is expected


@pytest.mark.parametrize(
    ("version", "gvk", "expected"),
    [
        ("1.37", ("extensions/v1beta1", "Deployment"), ("apps/v1", "Deployment")),
        ("1.37", ("extensions/v1beta1", "Ingress"), ("networking.k8s.io/v1", "Ingress")),
        ("1.37", ("autoscaling/v2beta2", "HorizontalPodAutoscaler"), ("autoscaling/v2", "HorizontalPodAutoscaler")),
        ("1.37", ("batch/v1beta1", "CronJob"), ("batch/v1", "CronJob")),
        ("1.37", ("resource.k8s.io/v1alpha3", "DeviceClass"), ("resource.k8s.io/v1", "DeviceClass")),
        ("1.20", ("batch/v1", "CronJob"), ("batch/v1beta1", "CronJob")),
        ("1.37", ("policy/v1beta1", "PodSecurityPolicy"), None),
        ("1.37", ("extensions/v1beta1", "PodSecurityPolicy"), None),
        ("1.37", ("apps/v1", "Ingress"), None),
        ("1.37", ("example.com/v1", "Widget"), None),
    ],
    ids=lambda value: "/".join(value) if isinstance(value, tuple) else None,
)
def test_successor(version: str, gvk: Gvk, expected: Gvk | None) -> None:
    assert successor(version, gvk) == expected


@pytest.mark.parametrize(
    ("gvk", "expected"),
    [
        (("apps/v1", "Ingress"), [("networking.k8s.io/v1", "Ingress")]),
        (("apps/v1", "Deploymnt"), [("apps/v1", "Deployment")]),
        (("v1", "Statefulset"), [("apps/v1", "StatefulSet")]),
        (("v1beta1", "Pod"), [("v1", "Pod")]),
        (("apps/v1", "Zebra"), []),
    ],
    ids=lambda value: "/".join(value) if isinstance(value, tuple) else None,
)
def test_a_similar_served_kind_is_suggested(gvk: Gvk, expected: list[Gvk]) -> None:
    assert list(suggestions("1.37", gvk)) == expected
