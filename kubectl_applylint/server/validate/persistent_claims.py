"""PersistentVolumeClaim: once made it hardly changes.

Mirrors ``ValidatePersistentVolumeClaim`` and ``ValidatePersistentVolumeClaimUpdate``; the constraints of the spec are
in ``claims``, as StatefulSets and pods have claims too.
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from kubectl_applylint.core.outcome import Refusal
from kubectl_applylint.core.values import MISSING, JsonObject, mapping
from kubectl_applylint.server.validate.amounts import amount
from kubectl_applylint.server.validate.claims import CLAIM_SPEC
from kubectl_applylint.server.validate.constraints import on_update, same, since
from kubectl_applylint.server.validate.persistent_volumes import kept_volume_mode
from kubectl_applylint.server.validate.rules import Group, Rules
from kubectl_applylint.server.validate.spots import Always, Spot, Table, struct

_CLASS_ANNOTATION: Final = "volume.beta.kubernetes.io/storage-class"
_SHRINKS_SINCE: Final = 32
"""The first minor that lets a claim ask for less again, down to what it has."""
_IMMUTABLE: Final = (
    "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims"
)


def _is_bound(claim: Spot) -> bool:
    return claim.text("status", "phase") == "Bound"


def _size(claim: Spot) -> Fraction:
    return amount(claim.get("spec", "resources", "requests", "storage"))


def _kept_spec(spot: Spot) -> Iterable[Refusal]:
    """The spec stays but for a few fields; ``spot`` is the claim."""
    kept = same(_comparable(spot, spot), _comparable(spot.before(), spot))
    return () if kept else (spot.child("spec").forbidden(_IMMUTABLE),)


def _comparable(side: Spot, claim: Spot) -> JsonObject:
    """Return what has to stay of the spec of one side, the new or the old one, of an update of ``claim``."""
    free = {
        *(() if claim.before().text("spec", "volumeName") else ("volumeName",)),
        *(("storageClassName",) if _gets_class(claim) else ()),
        *(("volumeAttributesClassName",) if _is_bound(claim) else ()),
        "resources",
    }
    spec = {name: value for name, value in mapping(side.get("spec")).items() if name not in free}
    return {**spec, "resources": _amounts(side, with_size=not _is_bound(claim))}


def _amounts(side: Spot, *, with_size: bool) -> JsonObject:
    """Return what a claim asks for in texts that are the same for equal amounts."""
    return {
        kind: {
            name: str(amount(value))
            for name, value in mapping(content).items()
            if with_size or (kind, name) != ("requests", "storage")
        }
        for kind, content in mapping(side.get("spec", "resources")).items()
    }


def _gets_class(claim: Spot) -> bool:
    """Return whether a claim without a class gets one: any, or the one that its annotation names already."""
    old = claim.before()
    named = old.get("metadata", "annotations", _CLASS_ANNOTATION)
    gets = claim.sets("spec", "storageClassName") and not old.sets("spec", "storageClassName")
    return gets and named in (MISSING, claim.get("spec", "storageClassName"))


def _kept_annotation(spot: Spot) -> Iterable[Refusal]:
    """The class that is given by annotation, as it used to be, stays, but it may become the class of the spec."""
    path = ("metadata", "annotations", _CLASS_ANNOTATION)
    new, old = spot.get(*path), spot.before().get(*path)
    moved = new is MISSING and old is not MISSING and _gets_class(spot)
    return () if moved or spot.text(*path) == spot.before().text(*path) else (spot.at(*path).immutable(),)


def _not_smaller(spot: Spot) -> Iterable[Refusal]:
    """A claim does not ask for less; where growing failed, it may ask for what it has or more."""
    old = spot.before()
    place = spot.at("spec", "resources", "requests", "storage")
    if _size(spot) >= _size(old):
        return ()
    if spot.occasion.minor < _SHRINKS_SINCE:
        return (place.forbidden("field can not be less than previous value"),)
    below = _size(spot) <= amount(old.get("status", "capacity", "storage"))
    return (place.forbidden("field can not be less than status.capacity"),) if below else ()


def _kept_attributes(spot: Spot) -> Iterable[Refusal]:
    """Attributes that a volume has got are not taken back; ``spot`` is the name of their class."""
    old = spot.root.before()
    if spot.unchanged or not old.sets("status", "currentVolumeAttributesClassName") or spot.text():
        return ()
    what = "empty string" if spot.there else "nil"
    words = f"update to {what} is forbidden when status.currentVolumeAttributesClassName is not nil"
    return (spot.forbidden(words),)


_PERSISTENT_VOLUME_CLAIM: Final[Table] = {
    "": [on_update(_kept_annotation, _kept_spec, _not_smaller)],
    "spec": [struct, on_update(kept_volume_mode), CLAIM_SPEC],
    "spec.volumeAttributesClassName": [since(34, on_update(Always(_kept_attributes)))],
}

KINDS: Final[Group] = {("", "PersistentVolumeClaim"): Rules(_PERSISTENT_VOLUME_CLAIM)}
