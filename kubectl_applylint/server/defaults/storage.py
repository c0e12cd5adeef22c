"""Defaults of storage.k8s.io; mirrors pkg/apis/storage/v1/defaults.go."""

from typing import Final

from kubectl_applylint.server.default_rules import Defaults

STORAGE: Final = Defaults(
    package="io.k8s.api.storage",
    constant={
        "StorageClass": {"reclaimPolicy": "Delete", "volumeBindingMode": "Immediate"},
        "CSIDriver.spec": {
            "attachRequired": True,
            "podInfoOnMount": False,
            "storageCapacity": False,
            "fsGroupPolicy": "ReadWriteOnceWithFSType",
            "volumeLifecycleModes": ["Persistent"],
            "requiresRepublish": False,
            "seLinuxMount": False,
            "preventPodSchedulingIfMissing": False,
        },
    },
)
