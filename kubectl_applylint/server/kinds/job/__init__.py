"""Jobs: pods that end, with labels and a selector set by the server."""

from typing import Final

from kubectl_applylint.server.kind_behaviour import KindBehaviour
from kubectl_applylint.server.kinds.job.defaults import DEFAULTS
from kubectl_applylint.server.kinds.job.prepare import prepare

KIND: Final = KindBehaviour(
    gvk=("batch/v1", "Job"),
    defaults=DEFAULTS,
    prepare=prepare,
    generation=("spec",),
    validation=(f"{__name__}.validate",),
)
