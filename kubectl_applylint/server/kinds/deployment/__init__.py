"""Deployments: replicas with rolling updates."""

from typing import Final

from kubectl_applylint.server.kind_behaviour import KindBehaviour
from kubectl_applylint.server.kinds.deployment.defaults import DEFAULTS

KIND: Final = KindBehaviour(
    gvk=("apps/v1", "Deployment"),
    defaults=DEFAULTS,
    generation=("spec", "metadata.annotations"),
    status_keeps=("labels",),
    status_resets=(("f:spec",), ("f:metadata", "f:labels")),
    validation=(f"{__name__}.validate",),
)
