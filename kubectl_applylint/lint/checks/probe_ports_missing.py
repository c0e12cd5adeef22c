"""Probes that name a port which their container does not have."""

from collections.abc import Iterator
from itertools import product

from kubectl_applylint.core.paths import Field, Index, Path, fields
from kubectl_applylint.core.values import JsonObject, dig, items, mapping, objects_at
from kubectl_applylint.lint.checks._selectors import after_apply
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject
from kubectl_applylint.lint.relations import POD_SPECS, kind_of

_HANDLERS = ("httpGet", "tcpSocket")


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the port of each probe among ``params["probes"]`` that is no port name of its container.

    The kubelet treats digits as a number. Facts: ``port``, ``container``, ``ports`` (the existing names).
    """
    where = POD_SPECS[kind_of(subject.document)]
    spec = mapping(dig(after_apply(subject), *where))
    for path, container in _containers(spec, fields(*where)):
        names = [str(port["name"]) for port in objects_at(container, "ports") if port.get("name")]
        for place in product(params["probes"], _HANDLERS, ("port",)):
            port = dig(container, *place)
            if isinstance(port, str) and not port.isdigit() and port not in names:
                facts = {"port": port, "container": container.get("name"), "ports": ", ".join(names) or "none"}
                yield Hit((*path, *fields(*place)), facts)


def _containers(spec: JsonObject, path: Path) -> Iterator[tuple[Path, JsonObject]]:
    """Yield the containers of a pod spec with their paths."""
    for name in ("initContainers", "containers"):
        for position, container in enumerate(items(spec.get(name))):
            yield (*path, Field(name), Index(position)), mapping(container)
