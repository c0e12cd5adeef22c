"""Container ports whose number changes while a probe of the container uses the old one."""

from itertools import product
from typing import Final

from kubectl_applylint.core.paths import fields, get, render
from kubectl_applylint.core.values import dig
from kubectl_applylint.lint.checks._moved_ports import moved_ports
from kubectl_applylint.lint.checks._selectors import after_apply
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject

_PROBES: Final = ("startupProbe", "readinessProbe", "livenessProbe")
_HANDLERS: Final = ("httpGet", "tcpSocket", "grpc")
_CONTAINER: Final = -3
"""The index in the path of a port number at which its container ends."""


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the port of each probe that has the old number.

    Facts: ``container``, ``before``, ``after`` (the numbers), ``where`` (the moved port).
    """
    for port in moved_ports(subject):
        path = port.path[:_CONTAINER]
        for place in product(_PROBES, _HANDLERS, ("port",)):
            if dig(get(after_apply(subject), path), *place) == port.before:
                facts = {"container": port.container, "before": port.before, "after": port.after}
                yield Hit((*path, *fields(*place)), {**facts, "where": render(port.path)})
