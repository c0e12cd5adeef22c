"""Elements with the merge key of another one that an apply does not store as they are written."""

from collections.abc import Iterator, Mapping

from kubectl_applylint.checks._lists import covers, keyed
from kubectl_applylint.model import Hit, Scenario, Subject
from kubectl_applylint.paths import Index, get, render
from kubectl_applylint.schema.types import Node
from kubectl_applylint.schema.walk import identity, walk
from kubectl_applylint.values import Json


def check(subject: Subject, *, params: Mapping[str, Json]) -> Iterator[Hit]:
    """Yield each element that shares its merge key with another one and is not in the object that the apply stores.

    Keeps quiet where the apply is refused. Facts: list, key, value.
    """
    outcome = subject.foretell(Scenario.APPLY)
    if subject.kind is None or not subject.kind.strategic or outcome.refused:
        return
    root = subject.kind.root
    for path, value, node in walk(subject.manifest, root):
        if not (isinstance(value, list) and node.merges and node.merge_key):
            continue
        keys = [element.get(node.merge_key) if isinstance(element, dict) else None for element in value]
        stored = get(outcome.result, keyed(subject.manifest, root, path))
        for position, element in enumerate(value):
            key = keys[position]
            lost = isinstance(stored, list) and not _is_in(stored, element, node)
            if key is not None and keys.count(key) > 1 and lost:
                yield Hit((*path, Index(position)), {"list": render(path), "key": node.merge_key, "value": key})


def _is_in(stored: list[Json], element: Json, node: Node) -> bool:
    return any(covers(there, element) and identity(there, node) == identity(element, node) for there in stored)
