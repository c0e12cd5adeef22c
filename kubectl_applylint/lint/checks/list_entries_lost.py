"""List elements that an apply does not store because it treats them as others."""

from kubectl_applylint.core.paths import Index, get, render
from kubectl_applylint.core.values import Json, mapping
from kubectl_applylint.lint.checks._lists import covers, with_merge_keys
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject
from kubectl_applylint.schema.types import Node
from kubectl_applylint.schema.walk import identity, walk


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the first element of each merge key with an element that the apply does not store.

    Elements with the same merge key must each be stored as written, of others one with their key. Skipped if the apply
    is
    rejected. Facts: list, key, value, and the value once more: keyed if server-side apply distinguishes the elements,
    twins if not.
    """
    outcome = subject.predict(Scenario.APPLY)
    if subject.kind is None or not subject.kind.strategic or outcome.refused:
        return
    root = subject.kind.root
    for path, value, node in walk(subject.manifest, root):
        if not (isinstance(value, list) and node.merges and node.merge_key):
            continue
        stored = get(outcome.result, with_merge_keys(subject.manifest, root, path))
        lost = [
            position
            for position in range(len(value))
            if isinstance(stored, list) and _is_not_stored(position, value, stored, node)
        ]
        keys = [_key(value[position], node) for position in lost]
        for number, (position, key) in enumerate(zip(lost, keys, strict=True)):
            if key not in keys[:number]:
                facts: dict[str, Json] = {"list": render(path), "key": node.merge_key, "value": key}
                is_told_apart = _is_distinguished(key, value, node)
                facts |= {"keyed": str(key) if is_told_apart else "", "twins": "" if is_told_apart else str(key)}
                yield Hit((*path, Index(position)), facts)


def _is_not_stored(position: int, written: list[Json], stored: list[Json], node: Node) -> bool:
    element = written[position]
    key = _key(element, node)
    there = [other for other in stored if _key(other, node) == key]
    is_twin = sum(_key(other, node) == key for other in written) > 1
    return key is not None and not (any(_is_same(other, element, node) for other in there) if is_twin else there)


def _is_distinguished(key: Json, written: list[Json], node: Node) -> bool:
    """Return whether server-side apply distinguishes several elements with one merge key."""
    identities = [identity(element, node) for element in written if _key(element, node) == key]
    return 1 < len(identities) == len(set(map(repr, identities)))


def _key(element: Json, node: Node) -> Json:
    """Return the merge key of an element."""
    return mapping(element).get(node.merge_key)


def _is_same(stored: Json, element: Json, node: Node) -> bool:
    return covers(stored, element) and identity(stored, node) == identity(element, node)
