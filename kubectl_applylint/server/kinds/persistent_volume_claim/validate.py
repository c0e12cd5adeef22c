"""Validation of PersistentVolumeClaims, which are mostly immutable.

Mirrors ``ValidatePersistentVolumeClaim`` and ``ValidatePersistentVolumeClaimUpdate``; the constraints of the spec are
in ``claims``, as StatefulSets and pods also have claims.
"""

from fractions import Fraction
from typing import Final

from kubectl_applylint.core.values import MISSING, JsonObject, mapping
from kubectl_applylint.server.validate import dsl as v
from kubectl_applylint.server.validate.groups.claims import CLAIM_SPEC
from kubectl_applylint.server.validate.groups.persistent_volumes import immutable_volume_mode

_CLASS_ANNOTATION: Final = "volume.beta.kubernetes.io/storage-class"
_SHRINKS_SINCE: Final = 32
"""The first minor that allows smaller requests above the capacity."""
_IMMUTABLE: Final = (
    "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims"
)


def _is_bound(claim: v.FieldContext) -> bool:
    return claim.text("status", "phase") == "Bound"


def _size(claim: v.FieldContext) -> Fraction:
    return v.amount(claim.get("spec", "resources", "requests", "storage"))


def _immutable_spec(fld: v.FieldContext) -> v.FieldErrors:
    """Reject changes of the immutable fields of the spec; ``fld`` is the claim."""
    kept = v.same(_comparable(fld, fld), _comparable(fld.before(), fld))
    return () if kept else (fld.child("spec").forbidden(_IMMUTABLE),)


def _comparable(side: v.FieldContext, claim: v.FieldContext) -> JsonObject:
    """Return the immutable part of one side, the new or the old one, of an update of ``claim``."""
    free = {
        *(() if claim.before().text("spec", "volumeName") else ("volumeName",)),
        *(("storageClassName",) if _gets_class(claim) else ()),
        *(("volumeAttributesClassName",) if _is_bound(claim) else ()),
        "resources",
    }
    spec = {name: value for name, value in mapping(side.get("spec")).items() if name not in free}
    return {**spec, "resources": _amounts(side, with_size=not _is_bound(claim))}


def _amounts(side: v.FieldContext, *, with_size: bool) -> JsonObject:
    """Return the requests of a claim with canonical spellings."""
    return {
        kind: {
            name: str(v.amount(value))
            for name, value in mapping(content).items()
            if with_size or (kind, name) != ("requests", "storage")
        }
        for kind, content in mapping(side.get("spec", "resources")).items()
    }


def _gets_class(claim: v.FieldContext) -> bool:
    """Return whether a claim without a class gets one: any, or the one of its annotation."""
    old = claim.before()
    named = old.get("metadata", "annotations", _CLASS_ANNOTATION)
    gets = claim.sets("spec", "storageClassName") and not old.sets("spec", "storageClassName")
    return gets and named in (MISSING, claim.get("spec", "storageClassName"))


def _immutable_class(fld: v.FieldContext) -> v.FieldErrors:
    """Require that the class annotation stays, or moves to the spec."""
    path = ("metadata", "annotations", _CLASS_ANNOTATION)
    new, old = fld.get(*path), fld.before().get(*path)
    moved = new is MISSING and old is not MISSING and _gets_class(fld)
    return () if moved or fld.text(*path) == fld.before().text(*path) else (fld.at(*path).immutable(),)


def _not_smaller(fld: v.FieldContext) -> v.FieldErrors:
    """Reject a smaller request, unless it is still above the capacity, as after a failed expansion."""
    old = fld.before()
    place = fld.at("spec", "resources", "requests", "storage")
    if _size(fld) >= _size(old):
        return ()
    if fld.occasion.minor < _SHRINKS_SINCE:
        return (place.forbidden("field can not be less than previous value"),)
    below = _size(fld) <= v.amount(old.get("status", "capacity", "storage"))
    return (place.forbidden("field can not be less than status.capacity"),) if below else ()


def _attributes_class(fld: v.FieldContext) -> v.FieldErrors:
    """Reject the removal of the attributes class that a volume has; ``fld`` is the name of the class."""
    old = fld.root.before()
    if fld.unchanged or not old.sets("status", "currentVolumeAttributesClassName") or fld.text():
        return ()
    what = "empty string" if fld.there else "nil"
    words = f"update to {what} is forbidden when status.currentVolumeAttributesClassName is not nil"
    return (fld.forbidden(words),)


_PERSISTENT_VOLUME_CLAIM: Final[v.Table] = {
    "": [v.on_update(_immutable_class, _immutable_spec, _not_smaller)],
    "spec": [v.struct, v.on_update(immutable_volume_mode), CLAIM_SPEC],
    "spec.volumeAttributesClassName": [v.since(34, v.on_update(v.Always(_attributes_class)))],
}

KINDS: Final[v.Group] = {("", "PersistentVolumeClaim"): v.Rules(_PERSISTENT_VOLUME_CLAIM)}
