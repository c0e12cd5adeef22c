"""Defaults of the core kinds that are neither pods, volumes nor services; mirrors pkg/apis/core/v1/defaults.go."""

from typing import Final

from kubectl_applylint.core.values import JsonObject, dig, mapping
from kubectl_applylint.server.default_rules import Defaults, Derived

_NAME_LABEL: Final = "kubernetes.io/metadata.name"


def _selector(controller: JsonObject) -> JsonObject:
    """A ReplicationController without a selector or without labels gets the labels of its pod template."""
    labels = mapping(dig(controller, "spec", "template", "metadata", "labels"))
    spec, metadata = mapping(controller.get("spec")), mapping(controller.get("metadata"))
    if not labels:
        return {}
    changed = {} if spec.get("selector") else {"spec": {**spec, "selector": labels}}
    return changed if metadata.get("labels") else {**changed, "metadata": {**metadata, "labels": labels}}


def _name_label(namespace: JsonObject) -> JsonObject:
    """Every namespace has its name as a label; another value is replaced."""
    metadata = mapping(namespace.get("metadata"))
    labels, name = mapping(metadata.get("labels")), metadata.get("name")
    if not name or labels.get(_NAME_LABEL) == name:
        return {}
    return {"metadata": {**metadata, "labels": {**labels, _NAME_LABEL: name}}}


def _allocatable(status: JsonObject) -> JsonObject:
    """The allocatable resources of a node default to its capacity."""
    if status.get("allocatable") is not None or status.get("capacity") is None:
        return {}
    return {"allocatable": status["capacity"]}


def _pod_cidrs(spec: JsonObject) -> JsonObject:
    """``podCIDR`` is an old name for the first of ``podCIDRs`` and wins if they differ."""
    first, ranges = spec.get("podCIDR"), spec.get("podCIDRs") or []
    if first and ranges[:1] != [first]:
        return {"podCIDRs": [first]}
    return {"podCIDR": ranges[0]} if ranges and not first else {}


def _limits(item: JsonObject) -> JsonObject:
    """A container's default limit is the maximum; its default request that limit, or else the minimum."""
    if item.get("type") != "Container":
        return {}
    limit = {**mapping(item.get("max")), **mapping(item.get("default"))}
    request = {**mapping(item.get("min")), **limit, **mapping(item.get("defaultRequest"))}
    derived = {"default": limit, "defaultRequest": request}
    return {field: amounts for field, amounts in derived.items() if amounts.keys() - mapping(item.get(field)).keys()}


CORE: Final = Defaults(
    package="io.k8s.api.core",
    constant={
        "EndpointPort": {"protocol": "TCP"},
        "Secret": {"type": "Opaque"},
        "ReplicationControllerSpec": {"replicas": 1},
        "NamespaceStatus": {"phase": "Active"},
    },
    derived={
        "ReplicationController": (
            Derived(("spec.selector", "metadata.labels"), ("spec.template.metadata.labels",), _selector),
        ),
        "Namespace": (Derived(("metadata.labels",), ("metadata.name",), _name_label),),
        "NodeSpec": (Derived(("podCIDR", "podCIDRs"), ("podCIDR", "podCIDRs"), _pod_cidrs),),
        "NodeStatus": (Derived(("allocatable",), ("capacity",), _allocatable),),
        "LimitRangeItem": (Derived(("default", "defaultRequest"), ("max", "default", "min"), _limits),),
    },
)
