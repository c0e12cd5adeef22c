"""DaemonSets: one pod per node."""

from typing import Final

from kubectl_applylint.server.kind_behaviour import KindBehaviour
from kubectl_applylint.server.kinds.daemon_set.defaults import DEFAULTS
from kubectl_applylint.server.kinds.daemon_set.prepare import convert, prepare

KIND: Final = KindBehaviour(
    gvk=("apps/v1", "DaemonSet"),
    defaults=DEFAULTS,
    convert=convert,
    prepare=prepare,
    generation=("spec",),
    validation=(f"{__name__}.validate",),
)
