"""PersistentVolumeClaim: once made it hardly changes.

Mirrors ``ValidatePersistentVolumeClaim`` and ``ValidatePersistentVolumeClaimUpdate``; the constraints of the spec are
in ``claims``, as StatefulSets and pods have claims too.
"""

from fractions import Fraction
from typing import Final

from kubectl_applylint.core.values import MISSING, JsonObject, mapping
from kubectl_applylint.server.validate import dsl as v
from kubectl_applylint.server.validate.groups.claims import CLAIM_SPEC
from kubectl_applylint.server.validate.groups.persistent_volumes import kept_volume_mode

_CLASS_ANNOTATION: Final = "volume.beta.kubernetes.io/storage-class"
_SHRINKS_SINCE: Final = 32
"""The first minor that lets a claim ask for less again, down to what it has."""
_IMMUTABLE: Final = (
    "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims"
)


def _is_bound(claim: v.FieldContext) -> bool:
    return claim.text("status", "phase") == "Bound"


def _size(claim: v.FieldContext) -> Fraction:
    return v.amount(claim.get("spec", "resources", "requests", "storage"))


def _kept_spec(fld: v.FieldContext) -> v.FieldErrors:
    """The spec stays but for a few fields; ``fld`` is the claim."""
    kept = v.same(_comparable(fld, fld), _comparable(fld.before(), fld))
    return () if kept else (fld.child("spec").forbidden(_IMMUTABLE),)


def _comparable(side: v.FieldContext, claim: v.FieldContext) -> JsonObject:
    """Return what has to stay of the spec of one side, the new or the old one, of an update of ``claim``."""
    free = {
        *(() if claim.before().text("spec", "volumeName") else ("volumeName",)),
        *(("storageClassName",) if _gets_class(claim) else ()),
        *(("volumeAttributesClassName",) if _is_bound(claim) else ()),
        "resources",
    }
    spec = {name: value for name, value in mapping(side.get("spec")).items() if name not in free}
    return {**spec, "resources": _amounts(side, with_size=not _is_bound(claim))}


def _amounts(side: v.FieldContext, *, with_size: bool) -> JsonObject:
    """Return what a claim asks for in texts that are the same for equal amounts."""
    return {
        kind: {
            name: str(v.amount(value))
            for name, value in mapping(content).items()
            if with_size or (kind, name) != ("requests", "storage")
        }
        for kind, content in mapping(side.get("spec", "resources")).items()
    }


def _gets_class(claim: v.FieldContext) -> bool:
    """Return whether a claim without a class gets one: any, or the one that its annotation names already."""
    old = claim.before()
    named = old.get("metadata", "annotations", _CLASS_ANNOTATION)
    gets = claim.sets("spec", "storageClassName") and not old.sets("spec", "storageClassName")
    return gets and named in (MISSING, claim.get("spec", "storageClassName"))


def _kept_annotation(fld: v.FieldContext) -> v.FieldErrors:
    """The class that is given by annotation, as it used to be, stays, but it may become the class of the spec."""
    path = ("metadata", "annotations", _CLASS_ANNOTATION)
    new, old = fld.get(*path), fld.before().get(*path)
    moved = new is MISSING and old is not MISSING and _gets_class(fld)
    return () if moved or fld.text(*path) == fld.before().text(*path) else (fld.at(*path).immutable(),)


def _not_smaller(fld: v.FieldContext) -> v.FieldErrors:
    """A claim does not ask for less; where growing failed, it may ask for what it has or more."""
    old = fld.before()
    place = fld.at("spec", "resources", "requests", "storage")
    if _size(fld) >= _size(old):
        return ()
    if fld.occasion.minor < _SHRINKS_SINCE:
        return (place.forbidden("field can not be less than previous value"),)
    below = _size(fld) <= v.amount(old.get("status", "capacity", "storage"))
    return (place.forbidden("field can not be less than status.capacity"),) if below else ()


def _kept_attributes(fld: v.FieldContext) -> v.FieldErrors:
    """Attributes that a volume has got are not taken back; ``fld`` is the name of their class."""
    old = fld.root.before()
    if fld.unchanged or not old.sets("status", "currentVolumeAttributesClassName") or fld.text():
        return ()
    what = "empty string" if fld.there else "nil"
    words = f"update to {what} is forbidden when status.currentVolumeAttributesClassName is not nil"
    return (fld.forbidden(words),)


_PERSISTENT_VOLUME_CLAIM: Final[v.Table] = {
    "": [v.on_update(_kept_annotation, _kept_spec, _not_smaller)],
    "spec": [v.struct, v.on_update(kept_volume_mode), CLAIM_SPEC],
    "spec.volumeAttributesClassName": [v.since(34, v.on_update(v.Always(_kept_attributes)))],
}

KINDS: Final[v.Group] = {("", "PersistentVolumeClaim"): v.Rules(_PERSISTENT_VOLUME_CLAIM)}
