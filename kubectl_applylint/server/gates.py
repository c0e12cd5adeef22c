"""Fields that a server drops because their feature is off by default.

Mirrors ``DropDisabled…`` of pkg/api and of the strategies in pkg/registry. A field stays if the stored object has such
a field already. Fields that a minor does not declare at all are rejected by decoding.
"""

from collections.abc import Mapping
from functools import cache
from typing import Final, TypeAlias

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.schema import tables as schema_tables
from kubectl_applylint.schema.types import Node, Shape

_Field: TypeAlias = tuple[str, str]
"""Declared type and field."""
NEVER: Final = 1000

SINCE: Final[Mapping[str, int]] = {
    "apps.v1.RollingUpdateStatefulSetStrategy.maxUnavailable": 37,
    "autoscaling.v2.HPAScalingRules.tolerance": 35,
    "batch.v1.JobSpec.managedBy": 32,
    "batch.v1.JobSpec.successPolicy": 31,
    "coordination.v1.LeaseSpec.preferredHolder": NEVER,
    "coordination.v1.LeaseSpec.strategy": NEVER,
    "core.v1.Container.resizePolicy": 33,
    "core.v1.Container.restartPolicyRules": 35,
    "core.v1.EnvVarSource.fileKeyRef": 35,
    "core.v1.EphemeralContainer.resizePolicy": 33,
    "core.v1.EphemeralContainer.restartPolicyRules": 35,
    "core.v1.Lifecycle.stopSignal": NEVER,
    "core.v1.LifecycleHandler.sleep": 30,
    "core.v1.PersistentVolumeClaimSpec.volumeAttributesClassName": 34,
    "core.v1.PersistentVolumeSpec.volumeAttributesClassName": 34,
    "core.v1.PodAffinityTerm.matchLabelKeys": 31,
    "core.v1.PodAffinityTerm.mismatchLabelKeys": 31,
    "core.v1.PodSecurityContext.seLinuxChangePolicy": 33,
    "core.v1.PodSecurityContext.supplementalGroupsPolicy": 33,
    "core.v1.PodSpec.hostUsers": 33,
    "core.v1.PodSpec.hostnameOverride": 35,
    "core.v1.PodSpec.resourceClaims": 34,
    "core.v1.PodSpec.resources": 34,
    "core.v1.PodSpec.schedulingGroup": NEVER,
    "core.v1.PodSpec.workloadRef": NEVER,
    "core.v1.ResourceRequirements.claims": 34,
    "core.v1.ServiceSpec.trafficDistribution": 31,
    "core.v1.Volume.image": 35,
    "core.v1.VolumeMount.recursiveReadOnly": 31,
    "core.v1.VolumeProjection.clusterTrustBundle": 37,
    "core.v1.VolumeProjection.podCertificate": 37,
    "discovery.v1.EndpointHints.forNodes": 34,
    "storage.v1.CSIDriverSpec.nodeAllocatableUpdatePeriodSeconds": 35,
    "storage.v1.CSIDriverSpec.preventPodSchedulingIfMissing": 37,
    "storage.v1.CSIDriverSpec.serviceAccountTokenInSecrets": 35,
    "apiextensions.v1.CustomResourceDefinitionVersion.selectableFields": 31,
    "resource.v1.Device.allNodes": 36,
    "resource.v1.Device.allowMultipleAllocations": 36,
    "resource.v1.Device.bindingConditions": 36,
    "resource.v1.Device.bindingFailureConditions": 36,
    "resource.v1.Device.bindsToNode": 36,
    "resource.v1.Device.consumesCounters": 36,
    "resource.v1.Device.nodeAllocatableResourceMappings": NEVER,
    "resource.v1.Device.nodeName": 36,
    "resource.v1.Device.nodeSelector": 36,
    "resource.v1.Device.taints": 36,
    "resource.v1.DeviceAttribute.bools": NEVER,
    "resource.v1.DeviceAttribute.ints": NEVER,
    "resource.v1.DeviceAttribute.strings": NEVER,
    "resource.v1.DeviceAttribute.versions": NEVER,
    "resource.v1.DeviceClassSpec.extendedResourceName": 36,
    "resource.v1.DeviceConstraint.distinctAttribute": 36,
    "resource.v1.DeviceSubRequest.capacity": 36,
    "resource.v1.ExactDeviceRequest.capacity": 36,
    "resource.v1.ResourceSliceSpec.perDeviceNodeSelection": 36,
    "resource.v1.ResourceSliceSpec.sharedCounters": 36,
    "resource.v1beta1.DeviceClassSpec.extendedResourceName": 36,
    "resource.v1beta2.DeviceClassSpec.extendedResourceName": 36,
}
"""The first minor that keeps a field, by group, version, type and field; ``NEVER`` for none so far."""
ONLY_IN: Final[Mapping[str, int]] = {
    "resource.v1.DeviceSubRequest.tolerations": 35,
    "resource.v1.ExactDeviceRequest.tolerations": 35,
}
"""Fields that one minor drops and the one before it kept."""
_POD_SPEC: Final = "io.k8s.api.core.v1.PodSpec"
_CONTAINERS: Final = ("containers", "initContainers", "ephemeralContainers")
_IMAGE_VOLUME: Final = ("io.k8s.api.core.v1.Volume", "image")


def without_disabled(new: JsonObject, old: JsonObject | None, minor: int, struct: str) -> JsonObject:
    """Return an object of a declared type without the fields that Kubernetes 1.``minor`` drops."""
    used = _used_fields(new, minor, struct)
    dropped = used - (_used_fields(old, minor, struct) if used and old is not None else frozenset())
    result: JsonObject = _drop(new, minor, struct, dropped) if dropped else new
    return result


def _used_fields(value: JsonObject, minor: int, struct: str) -> frozenset[_Field]:
    """Return the disabled fields that occur in an object."""
    gated, inside = _plan(minor, struct)
    found = {(struct, field) for field in gated if value.get(field) is not None}
    for field, node in inside.items():
        for element in _elements(value.get(field), node):
            found |= _used_fields(element, minor, _struct_of(node))
    return frozenset(found)


def _elements(value: Json, node: Node) -> list[Json]:
    """Return the structs that a field holds: one, those of a list or a map, or none."""
    found = list(value.values()) if node.value and isinstance(value, dict) else value
    elements = found if isinstance(found, list) else [found]
    return [element for element in elements if isinstance(element, dict)]


def _drop(value: Json, minor: int, struct: str, dropped: frozenset[_Field]) -> Json:
    """Return a value without the dropped fields, at all depths."""
    if isinstance(value, list):
        return [_drop(element, minor, struct, dropped) for element in value]
    if value is None:
        return None
    _, inside = _plan(minor, struct)
    if struct == _POD_SPEC and _IMAGE_VOLUME in dropped:
        value = _without_image_volumes(value)
    kept = {field: item for field, item in value.items() if (struct, field) not in dropped}
    return {
        field: _drop_in(item, minor, inside[field], dropped) if field in inside else item
        for field, item in kept.items()
    }


def _drop_in(value: Json, minor: int, node: Node, dropped: frozenset[_Field]) -> Json:
    struct = _struct_of(node)
    if node.value and isinstance(value, dict):
        return {key: _drop(item, minor, struct, dropped) for key, item in value.items()}
    return _drop(value, minor, struct, dropped)


def _without_image_volumes(spec: JsonObject) -> JsonObject:
    """Return a pod spec without its image volumes and their mounts."""
    volumes = spec.get("volumes") or []
    names = {volume.get("name") for volume in volumes if volume.get("image") is not None}
    lists = {field: spec[field] for field in _CONTAINERS if spec.get(field)}
    changed = {field: [_without_mounts(container, names) for container in lists[field]] for field in lists}
    return {**spec, **changed, "volumes": [volume for volume in volumes if volume.get("name") not in names]}


def _without_mounts(container: JsonObject, names: set[Json]) -> JsonObject:
    mounts = container.get("volumeMounts") or []
    kept = [mount for mount in mounts if mount.get("name") not in names]
    return container if len(kept) == len(mounts) else {**container, "volumeMounts": kept}


@cache
def _plan(minor: int, struct: str) -> tuple[tuple[str, ...], Mapping[str, Node]]:
    """Return the disabled fields of a declared type, and the fields that contain disabled ones."""
    fields = schema_tables.struct(minor, struct).fields
    inside = {
        field: node for field, node in fields.items() if (inner := _struct_of(node)) and _has_disabled(minor, inner)
    }
    return _disabled_fields(minor, struct), inside


def _disabled_fields(minor: int, struct: str) -> tuple[str, ...]:
    name = ".".join(struct.split(".")[-3:])
    fields = schema_tables.struct(minor, struct).fields
    return tuple(f for f in fields if SINCE.get(f"{name}.{f}", 0) > minor or ONLY_IN.get(f"{name}.{f}") == minor)


def _struct_of(node: Node) -> str:
    """Return the declared type of a field, of its elements or its values, empty for other fields."""
    element = node.item or node.value or node
    return element.struct if element.shape is Shape.OBJECT else ""


@cache
def _has_disabled(minor: int, struct: str) -> bool:
    """Return whether a declared type, or a type inside it, has disabled fields."""
    seen, waiting = {""}, [struct]
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        if _disabled_fields(minor, name):
            return True
        seen.add(name)
        waiting += [_struct_of(node) for node in schema_tables.struct(minor, name).fields.values()]
    return False
