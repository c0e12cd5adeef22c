"""PersistentVolumeClaim: once made it hardly changes.

Mirrors ``ValidatePersistentVolumeClaim`` and ``ValidatePersistentVolumeClaimUpdate``; the constraints of the spec are
in ``claims``, as StatefulSets and pods have claims too.
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.core.values import MISSING, JsonObject, mapping
from kubectl_applylint.server.validate.amounts import amount
from kubectl_applylint.server.validate.claims import CLAIM_SPEC
from kubectl_applylint.server.validate.constraints import on_update, same, since
from kubectl_applylint.server.validate.field_context import Always, FieldContext, Table, struct
from kubectl_applylint.server.validate.persistent_volumes import kept_volume_mode
from kubectl_applylint.server.validate.rules import Group, Rules

_CLASS_ANNOTATION: Final = "volume.beta.kubernetes.io/storage-class"
_SHRINKS_SINCE: Final = 32
"""The first minor that lets a claim ask for less again, down to what it has."""
_IMMUTABLE: Final = (
    "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims"
)


def _is_bound(claim: FieldContext) -> bool:
    return claim.text("status", "phase") == "Bound"


def _size(claim: FieldContext) -> Fraction:
    return amount(claim.get("spec", "resources", "requests", "storage"))


def _kept_spec(fld: FieldContext) -> Iterable[FieldError]:
    """The spec stays but for a few fields; ``fld`` is the claim."""
    kept = same(_comparable(fld, fld), _comparable(fld.before(), fld))
    return () if kept else (fld.child("spec").forbidden(_IMMUTABLE),)


def _comparable(side: FieldContext, claim: FieldContext) -> JsonObject:
    """Return what has to stay of the spec of one side, the new or the old one, of an update of ``claim``."""
    free = {
        *(() if claim.before().text("spec", "volumeName") else ("volumeName",)),
        *(("storageClassName",) if _gets_class(claim) else ()),
        *(("volumeAttributesClassName",) if _is_bound(claim) else ()),
        "resources",
    }
    spec = {name: value for name, value in mapping(side.get("spec")).items() if name not in free}
    return {**spec, "resources": _amounts(side, with_size=not _is_bound(claim))}


def _amounts(side: FieldContext, *, with_size: bool) -> JsonObject:
    """Return what a claim asks for in texts that are the same for equal amounts."""
    return {
        kind: {
            name: str(amount(value))
            for name, value in mapping(content).items()
            if with_size or (kind, name) != ("requests", "storage")
        }
        for kind, content in mapping(side.get("spec", "resources")).items()
    }


def _gets_class(claim: FieldContext) -> bool:
    """Return whether a claim without a class gets one: any, or the one that its annotation names already."""
    old = claim.before()
    named = old.get("metadata", "annotations", _CLASS_ANNOTATION)
    gets = claim.sets("spec", "storageClassName") and not old.sets("spec", "storageClassName")
    return gets and named in (MISSING, claim.get("spec", "storageClassName"))


def _kept_annotation(fld: FieldContext) -> Iterable[FieldError]:
    """The class that is given by annotation, as it used to be, stays, but it may become the class of the spec."""
    path = ("metadata", "annotations", _CLASS_ANNOTATION)
    new, old = fld.get(*path), fld.before().get(*path)
    moved = new is MISSING and old is not MISSING and _gets_class(fld)
    return () if moved or fld.text(*path) == fld.before().text(*path) else (fld.at(*path).immutable(),)


def _not_smaller(fld: FieldContext) -> Iterable[FieldError]:
    """A claim does not ask for less; where growing failed, it may ask for what it has or more."""
    old = fld.before()
    place = fld.at("spec", "resources", "requests", "storage")
    if _size(fld) >= _size(old):
        return ()
    if fld.occasion.minor < _SHRINKS_SINCE:
        return (place.forbidden("field can not be less than previous value"),)
    below = _size(fld) <= amount(old.get("status", "capacity", "storage"))
    return (place.forbidden("field can not be less than status.capacity"),) if below else ()


def _kept_attributes(fld: FieldContext) -> Iterable[FieldError]:
    """Attributes that a volume has got are not taken back; ``fld`` is the name of their class."""
    old = fld.root.before()
    if fld.unchanged or not old.sets("status", "currentVolumeAttributesClassName") or fld.text():
        return ()
    what = "empty string" if fld.there else "nil"
    words = f"update to {what} is forbidden when status.currentVolumeAttributesClassName is not nil"
    return (fld.forbidden(words),)


_PERSISTENT_VOLUME_CLAIM: Final[Table] = {
    "": [on_update(_kept_annotation, _kept_spec, _not_smaller)],
    "spec": [struct, on_update(kept_volume_mode), CLAIM_SPEC],
    "spec.volumeAttributesClassName": [since(34, on_update(Always(_kept_attributes)))],
}

KINDS: Final[Group] = {("", "PersistentVolumeClaim"): Rules(_PERSISTENT_VOLUME_CLAIM)}
