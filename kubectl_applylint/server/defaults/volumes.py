"""Defaults of volumes; mirrors pkg/apis/core/v1/defaults.go and the markers of its
types.
"""

from typing import Final

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.server.default_rules import Defaults, Derived
from kubectl_applylint.server.defaults.images import pull_policy

_MODE: Final = {"defaultMode": 0o644}
_CEPH: Final = {"pool": "rbd", "user": "admin", "keyring": "/etc/ceph/keyring"}
_SCSI: Final = {"iscsiInterface": "default"}
_SCALE_IO: Final = {"storageMode": "ThinProvisioned", "fsType": "xfs"}


def _source(volume: JsonObject) -> JsonObject:
    """A volume without a source is an empty directory."""
    sources = (field for field, value in volume.items() if field != "name" and value is not None)
    return {} if next(sources, None) else {"emptyDir": {}}


def _image_pull_policy(source: JsonObject) -> JsonObject:
    """``Always`` for the tag ``latest``, as for containers."""
    return {} if source.get("pullPolicy") else {"pullPolicy": pull_policy(source.get("reference") or "")}


VOLUMES: Final = Defaults(
    package="io.k8s.api.core",
    constant={
        "SecretVolumeSource": _MODE,
        "ConfigMapVolumeSource": _MODE,
        "DownwardAPIVolumeSource": _MODE,
        "ProjectedVolumeSource": _MODE,
        "ServiceAccountTokenProjection": {"expirationSeconds": 3600},
        "HostPathVolumeSource": {"type": ""},
        "RBDVolumeSource": _CEPH,
        "RBDPersistentVolumeSource": _CEPH,
        "ISCSIVolumeSource": _SCSI,
        "ISCSIPersistentVolumeSource": _SCSI,
        "ScaleIOVolumeSource": _SCALE_IO,
        "ScaleIOPersistentVolumeSource": _SCALE_IO,
        "AzureDiskVolumeSource": {"cachingMode": "ReadWrite", "fsType": "ext4", "readOnly": False, "kind": "Shared"},
    },
    derived={
        "Volume": (Derived(("emptyDir",), (), _source),),
        "ImageVolumeSource": (Derived(("pullPolicy",), ("reference",), _image_pull_policy),),
    },
)
