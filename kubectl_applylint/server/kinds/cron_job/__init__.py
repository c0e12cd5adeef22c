"""CronJobs: their defaults and validation."""

from typing import Final

from kubectl_applylint.server.default_rules import Defaults
from kubectl_applylint.server.kind_behaviour import KindBehaviour

_DEFAULTS: Final = Defaults(
    package="io.k8s.api.batch",
    constant={
        "CronJob.spec": {
            "concurrencyPolicy": "Allow",
            "suspend": False,
            "successfulJobsHistoryLimit": 3,
            "failedJobsHistoryLimit": 1,
        }
    },
)
"""Mirrors pkg/apis/batch/v1/defaults.go."""

KIND: Final = KindBehaviour(
    gvk=("batch/v1", "CronJob"), defaults=_DEFAULTS, generation=("spec",), validation=(f"{__name__}.validate",)
)
