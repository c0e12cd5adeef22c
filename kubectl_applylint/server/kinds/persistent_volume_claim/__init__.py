"""PersistentVolumeClaims: requests for storage."""

from typing import Final

from kubectl_applylint.server.default_rules import Defaults
from kubectl_applylint.server.kind_behaviour import KindBehaviour
from kubectl_applylint.server.kinds.persistent_volume_claim.prepare import prepare

_DEFAULTS: Final = Defaults(
    package="io.k8s.api.core",
    constant={
        "PersistentVolumeClaim.status": {"phase": "Pending"},
        "PersistentVolumeClaimSpec": {"volumeMode": "Filesystem"},
    },
)
"""Mirrors pkg/apis/core/v1/defaults.go."""

KIND: Final = KindBehaviour(
    gvk=("v1", "PersistentVolumeClaim"), defaults=_DEFAULTS, prepare=prepare, validation=(f"{__name__}.validate",)
)
