"""Container ports that a kustomization drops because another one has the same number."""

from collections import Counter

from kubectl_applylint.core.paths import Field, Index
from kubectl_applylint.core.values import JsonObject, objects_at
from kubectl_applylint.lint.checks._rendered import containers
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the ports of each container with fewer ports of one number than in the file.

    Facts: ``port``, ``container``, ``names`` (in the file).
    """
    for path, before, after in containers(subject):
        places = {container["name"]: position for position, container in enumerate(after)}
        for container in before:
            position = places.get(container["name"])
            if position is None:
                continue
            were, are = Counter(_numbers(container)), Counter(_numbers(after[position]))
            for number in (number for number, times in were.items() if times > 1 and 0 < are[number] < times):
                facts = {"port": number, "container": container["name"], "names": _names(container, number)}
                yield Hit((*path, Index(position), Field("ports")), facts)


def _numbers(container: JsonObject) -> list[str]:
    """Return number and protocol of each port."""
    return [f"{port.get('containerPort')}/{port.get('protocol', 'TCP')}" for port in objects_at(container, "ports")]


def _names(container: JsonObject, number: str) -> str:
    """Return the names of the ports of one number."""
    pairs = zip(objects_at(container, "ports"), _numbers(container), strict=True)
    return ", ".join(str(port.get("name", "one without a name")) for port, own in pairs if own == number)
