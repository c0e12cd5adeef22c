"""StatefulSets: pods with stable names and claims."""

from typing import Final

from kubectl_applylint.server.kind_behaviour import KindBehaviour
from kubectl_applylint.server.kinds.stateful_set.defaults import DEFAULTS

KIND: Final = KindBehaviour(
    gvk=("apps/v1", "StatefulSet"), defaults=DEFAULTS, generation=("spec",), validation=(f"{__name__}.validate",)
)
