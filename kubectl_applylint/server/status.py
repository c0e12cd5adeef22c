"""A write to the status subresource: stores the status and ignores almost everything else.

Mirrors the status strategies of pkg/registry (``PrepareForUpdate``, ``GetResetFields``) and of custom resources in
apiextensions-apiserver, as of 1.36.
"""

from collections.abc import Mapping
from typing import Final

from kubectl_applylint.core.values import MISSING, Json, JsonObject, Missing, mapping
from kubectl_applylint.merge.fieldset import FieldSet, of_paths
from kubectl_applylint.schema.types import Kind
from kubectl_applylint.server import gates, update
from kubectl_applylint.server.defaults import minor_of
from kubectl_applylint.server.kinds import behaviour_of

_DESCRIPTIVE: Final = ("labels", "annotations", "finalizers", "ownerReferences")
_KEPT: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(
        (
            "DeviceTaintRule",
            "FlowSchema",
            "PodCertificateRequest",
            "PodGroup",
            "PriorityLevelConfiguration",
            "ResourceClaim",
            "ResourcePoolStatusRequest",
            "ServiceCIDR",
            "StorageVersion",
            "StorageVersionMigration",
            "ValidatingAdmissionPolicy",
            "VolumeAttachment",
        ),
        _DESCRIPTIVE,
    )
}
"""Metadata of the stored object that a write to the status cannot change, by built-in kind; other kinds keep none."""
_OWNERLESS: Final[Mapping[str, tuple[tuple[str, ...], ...]]] = {"PodCertificateRequest": (("f:spec",),)}
"""Fields that writers of the status never own, for kinds that differ from "the spec" and "spec and metadata"."""


def reset_fields(kind: Kind) -> FieldSet:
    """Return the fields that writers of the status never own (``GetResetFields`` of each status strategy)."""
    whole = kind.custom or _KEPT.get(kind.name) == _DESCRIPTIVE
    usual = (("f:metadata",), ("f:spec",)) if whole else (("f:spec",),)
    own = None if kind.custom else behaviour_of(kind).status_resets or _OWNERLESS.get(kind.name)
    return of_paths(own or usual)


def prepare(new: JsonObject, old: JsonObject, kind: Kind, version: str) -> JsonObject:
    """Return the object to store when ``new``, an object with its defaults, is written to the status of ``old``.

    Both are in the version of the request.
    """
    if kind.custom:
        return _with_field(old, "status", new.get("status", MISSING))
    allowed = gates.without_disabled(new, old, minor_of(version), kind.root.struct)
    result = _with_field(update.with_metadata(allowed, old), "spec", old.get("spec", MISSING))
    before = mapping(old.get("metadata"))
    metadata = mapping(result.get("metadata"))
    for name in ("generation", *_KEPT.get(kind.name, ()), *behaviour_of(kind).status_keeps):
        metadata = _with_field(metadata, name, before.get(name, MISSING))
    return behaviour_of(kind).prepare_status({**result, "metadata": metadata}, old)


def doubts(kind: Kind) -> tuple[str, ...]:
    """Return reasons why the stored status is not certain."""
    return (f"the server's own validation and changes of the status of a {kind.name} are not predicted",)


def _with_field(value: JsonObject, field: str, item: Json | Missing) -> JsonObject:
    rest = {name: each for name, each in value.items() if name != field}
    return rest if item is MISSING else {**value, field: item}
