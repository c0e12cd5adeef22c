"""``metadata.generation``: the kinds that count their changes, and the fields that count."""

from collections.abc import Mapping
from typing import Final

from kubectl_applylint.core.values import Json, JsonObject, equal, mapping
from kubectl_applylint.schema.types import Kind
from kubectl_applylint.server.kinds import behaviour_of

_SPEC: Final = ("spec",)
_COUNTED: Final[Mapping[str, tuple[str, ...]]] = {
    "CSIDriver": _SPEC,
    "DeviceClass": _SPEC,
    "DeviceTaintRule": _SPEC,
    "FlowSchema": _SPEC,
    "Ingress": _SPEC,
    "IngressClass": _SPEC,
    "MutatingAdmissionPolicy": _SPEC,
    "MutatingAdmissionPolicyBinding": _SPEC,
    "MutatingWebhookConfiguration": ("webhooks",),
    "NetworkPolicy": _SPEC,
    "PodDisruptionBudget": _SPEC,
    "PodTemplate": ("template",),
    "PriorityClass": (),
    "PriorityLevelConfiguration": _SPEC,
    "ReplicationController": _SPEC,
    "ResourceSlice": _SPEC,
    "ValidatingAdmissionPolicy": _SPEC,
    "ValidatingAdmissionPolicyBinding": _SPEC,
    "ValidatingWebhookConfiguration": ("webhooks",),
}
"""Built-in kinds that start with generation 1, and the fields whose change adds one.

Kinds with an entry in ``server/kinds`` declare it there.
"""
_UNCOUNTED_AT_BIRTH: Final = frozenset({"CSIDriver"})


def with_generation(new: JsonObject, old: JsonObject | None, kind: Kind, minor: int) -> JsonObject:
    """Return the object with its generation after the write."""
    fields = _counted_fields(kind, minor)
    counted = kind.custom or fields is not None
    if old is None:
        first = 1 if counted and kind.name not in _UNCOUNTED_AT_BIRTH else None
        return _with_value(new, first)
    before = mapping(old.get("metadata")).get("generation")
    changed = counted and _has_changed(new, old, kind, fields or ())
    return _with_value(new, (before or 0) + 1 if changed else before)


def _counted_fields(kind: Kind, minor: int) -> tuple[str, ...] | None:
    """Return the fields of a built-in kind whose changes are counted, ``None`` if it has no generation."""
    record = behaviour_of(kind)
    if record.generation is not None:
        return record.generation if minor >= record.generation_since else None
    return _COUNTED.get(kind.name)


def _with_value(manifest: JsonObject, generation: int | None) -> JsonObject:
    metadata = mapping(manifest.get("metadata"))
    if generation is None and "generation" not in metadata:
        return manifest
    rest = {field: value for field, value in metadata.items() if field != "generation"}
    return {**manifest, "metadata": rest if generation is None else {**rest, "generation": generation}}


def _has_changed(new: JsonObject, old: JsonObject, kind: Kind, fields: tuple[str, ...]) -> bool:
    if kind.custom:
        kept = {"metadata", "apiVersion", "kind", *(("status",) if "status" in kind.subresources else ())}
        return any(not equal(new.get(key), old.get(key)) for key in {*new, *old} - kept)
    return any(not equal(_at(new, path), _at(old, path)) for path in fields)


def _at(manifest: JsonObject, path: str) -> Json:
    value: Json = manifest
    for field in path.split("."):
        value = mapping(value).get(field)
    return value or None
