"""PersistentVolumes: their phase, and its last transition time.

Mirrors pkg/apis/core/v1/defaults.go and pkg/registry/core/persistentvolume/strategy.go. Their validation is in
``validate``, because the volumes of other kinds share it.
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
    constant={
        "PersistentVolume.spec": {"persistentVolumeReclaimPolicy": "Retain", "volumeMode": "Filesystem"},
        "PersistentVolume.status": {"phase": "Pending"},
    },
)


def prepare(new: JsonObject, old: JsonObject | None, minor: int) -> JsonObject:
    """Return a volume after its strategy: a new one is pending from now on."""
    return {**new, "status": {"phase": "Pending", _SINCE: NOW}} if old is None else new


def prepare_status(new: JsonObject, old: JsonObject) -> JsonObject:
    """Return a volume whose status is written: a change of the phase sets the transition time."""
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
