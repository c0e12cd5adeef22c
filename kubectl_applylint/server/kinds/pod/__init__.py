"""Pods, and the specifics that pod templates share with them."""

from typing import Final

from kubectl_applylint.server.kind_behaviour import KindBehaviour
from kubectl_applylint.server.kinds.pod.defaults import DEFAULTS
from kubectl_applylint.server.kinds.pod.prepare import prepare, prepare_status

KIND: Final = KindBehaviour(
    gvk=("v1", "Pod"),
    defaults=DEFAULTS,
    prepare=prepare,
    prepare_status=prepare_status,
    generation=("spec",),
    generation_since=33,
    status_keeps=("ownerReferences",),
    status_resets=(("f:spec",), ("f:metadata", "f:deletionTimestamp"), ("f:metadata", "f:ownerReferences")),
    validation=(f"{__name__}.validate",),
)
