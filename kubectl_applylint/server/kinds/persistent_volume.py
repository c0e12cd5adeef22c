"""PersistentVolumes: their phase, and since when they are in it.

Mirrors pkg/apis/core/v1/defaults.go and pkg/registry/core/persistentvolume/strategy.go. Their rules of validation stand
in ``validate``, for the volumes of other kinds share them.
"""

from typing import Final

from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import JsonObject, mapping
from kubectl_applylint.server.default_rules import Defaults
from kubectl_applylint.server.kind_behaviour import KindBehaviour

NOW: Final = Unknown("the time of the write")
_SINCE: Final = "lastPhaseTransitionTime"
_DEFAULTS: Final = Defaults(
    package="io.k8s.api.core",
    versions=("v1",),
    constant={
        "PersistentVolume.spec": {"persistentVolumeReclaimPolicy": "Retain", "volumeMode": "Filesystem"},
        "PersistentVolume.status": {"phase": "Pending"},
    },
    derived={},
)


def prepare(new: JsonObject, old: JsonObject | None, minor: int) -> JsonObject:
    """Return a volume as its strategy leaves it: a new one is pending from now on."""
    return {**new, "status": {"phase": "Pending", _SINCE: NOW}} if old is None else new


def prepare_status(new: JsonObject, old: JsonObject) -> JsonObject:
    """Return a volume whose status was written: who changes the phase and not the time gets the time of the write."""
    after, before = mapping(new.get("status")), mapping(old.get("status"))
    if after.get("phase") == before.get("phase") or after.get(_SINCE) != before.get(_SINCE):
        return new
    return {**new, "status": {**after, _SINCE: NOW}}


KIND: Final = KindBehaviour(
    gvk=("v1", "PersistentVolume"),
    defaults=_DEFAULTS,
    prepare=prepare,
    prepare_status=prepare_status,
    validation=("kubectl_applylint.server.validate.groups.persistent_volumes",),
)
