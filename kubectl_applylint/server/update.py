"""What a server makes of an object beyond its defaults before it is stored: what a create or an update may not set,
what is kept from the stored object, and what is filled in at birth.

Mirrors ``BeforeCreate`` and ``BeforeUpdate`` of apiserver's pkg/registry/rest and ``PrepareForCreate`` and
``PrepareForUpdate`` of each kind's strategy in pkg/registry.
"""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import MISSING, JsonObject, dig, mapping
from kubectl_applylint.schema.types import Gvk, Kind
from kubectl_applylint.server import gates
from kubectl_applylint.server.defaults import minor_of
from kubectl_applylint.server.generation import with_generation
from kubectl_applylint.server.kinds import behaviour_of
from kubectl_applylint.server.manifests import changed, in_metadata, in_spec

_Prepare: TypeAlias = Callable[[JsonObject, JsonObject | None], JsonObject]

REQUESTER: Final = Unknown("the user who applies")
_SYSTEM: Final = ("selfLink", "uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds")


def prepare(new: JsonObject, old: JsonObject | None, kind: Kind, version: str) -> JsonObject:
    """Return what is stored of ``new``, an object with its defaults; ``old`` is the stored object, if there is one.

    Both are in the version of the request. Validation looks at the result, so a value that is dropped here is never
    refused, and a value that cannot change may be refused later.
    """
    result = new
    if not kind.custom:
        result = gates.without_disabled(new, old, minor_of(version), kind.root.struct)
    result = _with_status(with_metadata(result, old), old, kind)
    for step in _STEPS.get((kind.api_version, kind.name), ()):
        result = step(result, old)
    result = behaviour_of(kind).prepare(result, old, minor_of(version))
    return with_generation(result, old, kind, minor_of(version))


def as_read(stored: JsonObject, kind: Kind) -> JsonObject:
    """Return what everybody gets to see of a stored object."""
    return behaviour_of(kind).read(stored)


def with_metadata(new: JsonObject, old: JsonObject | None) -> JsonObject:
    """Return the object with the metadata that only the server sets: none at creation, the stored ones later."""
    if old is None:
        return in_metadata(new, dict.fromkeys((*_SYSTEM, "resourceVersion", "managedFields"), MISSING))
    before, after = mapping(old.get("metadata")), mapping(new.get("metadata"))
    kept = {field: before.get(field, MISSING) for field in ("creationTimestamp", "resourceVersion", "managedFields")}
    kept |= {field: before[field] for field in ("deletionTimestamp",) if before.get(field)}
    kept |= {f: before[f] for f in ("uid", "deletionGracePeriodSeconds") if f in before and not after.get(f)}
    return in_metadata(new, kept)


def _with_status(new: JsonObject, old: JsonObject | None, kind: Kind) -> JsonObject:
    """Return the object with the stored status, where the kind has a status that only controllers write."""
    if "status" not in kind.subresources:
        return new
    if old is None:
        return new if kind.name == "Node" else changed(new, {"status": MISSING})
    return changed(new, {"status": old.get("status", MISSING)})


def _namespace(new: JsonObject, old: JsonObject | None) -> JsonObject:
    if old is not None:
        return in_spec(new, {"finalizers": dig(old, "spec", "finalizers")})
    finalizers = mapping(new.get("spec")).get("finalizers") or []
    with_own = finalizers if "kubernetes" in finalizers else [*finalizers, "kubernetes"]
    return in_spec({**new, "status": {"phase": "Active"}}, {"finalizers": with_own})


def _service_account(new: JsonObject, old: JsonObject | None) -> JsonObject:
    """Of the Secrets that a ServiceAccount lists, nothing but their names is kept."""
    if not new.get("secrets"):
        return new
    return {**new, "secrets": [{key: ref[key] for key in ("name",) if key in ref} for ref in new["secrets"]]}


def _signing_request(new: JsonObject, old: JsonObject | None) -> JsonObject:
    """Who asks is the user of the request; afterwards nothing can be changed, and nobody is told."""
    if old is not None:
        return {**new, "spec": old.get("spec", {})}
    return in_spec(new, {"username": REQUESTER, "groups": REQUESTER, "uid": REQUESTER, "extra": MISSING})


def _endpoint_slice(new: JsonObject, old: JsonObject | None) -> JsonObject:
    """The old map of topology cannot be written any more."""
    endpoints = new.get("endpoints") or []
    if (old is not None and old.get("endpoints") == endpoints) or not any("deprecatedTopology" in e for e in endpoints):
        return new
    return {**new, "endpoints": [changed(endpoint, {"deprecatedTopology": MISSING}) for endpoint in endpoints]}


def _definition(new: JsonObject, old: JsonObject | None) -> JsonObject:
    """The version that is stored joins those that were stored before."""
    status = mapping(new.get("status"))
    versions = mapping(new.get("spec")).get("versions") or []
    storage = [version.get("name") or "" for version in versions if version.get("storage")][:1]
    stored = status.get("storedVersions") or []
    return {**new, "status": {**status, "storedVersions": stored + [name for name in storage if name not in stored]}}


_STEPS: Final[Mapping[Gvk, tuple[_Prepare, ...]]] = {
    ("v1", "Namespace"): (_namespace,),
    ("v1", "ServiceAccount"): (_service_account,),
    ("certificates.k8s.io/v1", "CertificateSigningRequest"): (_signing_request,),
    ("discovery.k8s.io/v1", "EndpointSlice"): (_endpoint_slice,),
    ("apiextensions.k8s.io/v1", "CustomResourceDefinition"): (_definition,),
}
