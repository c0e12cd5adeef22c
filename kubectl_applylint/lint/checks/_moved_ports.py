"""Container ports whose number changes, for the checks about references to the old one."""

from collections.abc import Iterator, Mapping

from kubectl_applylint.core.paths import Field, Index, Path, fields
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.state import live_object
from kubectl_applylint.core.values import Json, dig, items, mapping, objects_at
from kubectl_applylint.lint.checks._selectors import after_apply
from kubectl_applylint.lint.model import Subject
from kubectl_applylint.lint.relations import POD_SPECS, kind_of


@dataclass(frozen=True, slots=True)
class MovedPort:
    """A container port whose old number no longer exists in the pod; ``path`` leads to the new one."""

    container: str
    before: int
    after: int
    path: Path


def moved_ports(subject: Subject) -> Iterator[MovedPort]:
    """Yield the TCP ports that the apply moves; a port is identified by name, or as the only one of its container."""
    where = POD_SPECS[kind_of(subject.document)]
    old, new = (_ports(dig(each, *where)) for each in (mapping(live_object(subject.state.live)), after_apply(subject)))
    kept = {number for number, _ in new.values()}
    for key, (before, _) in old.items():
        after, path = new.get(key, (before, ()))
        if before not in kept and after != before:
            yield MovedPort(key[0], before, after, (*fields(*where), *path))


def _ports(spec: Json) -> Mapping[tuple[str, str], tuple[int, Path]]:
    """Return number and path of the ports by the names of container and port."""
    found: dict[tuple[str, str], tuple[int, Path]] = {}
    for position, container in enumerate(objects_at(spec, "containers")):
        ports = items(container.get("ports"))
        for place, port in enumerate(map(mapping, ports)):
            name, number = port.get("name", ""), port.get("containerPort")
            if (name or len(ports) == 1) and isinstance(number, int) and port.get("protocol", "TCP") == "TCP":
                path = (Field("containers"), Index(position), Field("ports"), Index(place), Field("containerPort"))
                found[str(container.get("name")), str(name)] = number, path
    return found
