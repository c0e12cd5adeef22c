"""Services: addresses and ports from the server and the manifest."""

from typing import Final

from kubectl_applylint.server.kind_behaviour import KindBehaviour
from kubectl_applylint.server.kinds.service.allocate import allocate
from kubectl_applylint.server.kinds.service.clashes import clashes
from kubectl_applylint.server.kinds.service.defaults import DEFAULTS
from kubectl_applylint.server.kinds.service.prepare import as_read, prepare

KIND: Final = KindBehaviour(
    gvk=("v1", "Service"),
    defaults=DEFAULTS,
    prepare=prepare,
    allocate=allocate,
    clashes=clashes,
    read=as_read,
    validation=(f"{__name__}.validate",),
)
