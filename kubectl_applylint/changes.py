"""Why each field is what it is after an apply: the object before and after, explained leaf by leaf.

The live object, the result, the manifest, last-applied and the owners are walked side by side.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from kubectl_applylint.appliers.last_applied import annotation_of, original_of
from kubectl_applylint.merge.errors import MergeError
from kubectl_applylint.merge.lookup import OPAQUE
from kubectl_applylint.outcome import Cause, Change, Why
from kubectl_applylint.paths import ByKey, Field, Path, Step
from kubectl_applylint.schema.types import Kind, Node
from kubectl_applylint.state import LAST_APPLIED, Unknown
from kubectl_applylint.values import MISSING, Json, JsonObject, Missing, dig, equal, mapping

_ROLLING_KINDS = {"Deployment", "DaemonSet", "StatefulSet"}
"""Kinds whose controller replaces the pods when the template changes."""
_SERVER_MADE = {"managedFields", "resourceVersion", "generation", "uid", "creationTimestamp", "selfLink"}


@dataclass(frozen=True, slots=True)
class Sides:
    """One place of the object as everybody sees it; ``MISSING`` where somebody does not have it."""

    before: Json | Missing
    after: Json | Missing
    manifest: Json | Missing
    original: Json | Missing
    owned: tuple[tuple[str, JsonObject], ...]
    """The other managers that own something here, each with its FieldsV1 tree from here on."""
    joined: str = ""
    """The key of the list element around this place, if the apply adds that element to a live list."""


def changes_of(
    live: JsonObject | None, after: JsonObject, manifest: JsonObject, *, kind: Kind | None, manager: str
) -> tuple[Change, ...]:
    """Return every field that differs afterwards, and what other managers than ``manager`` keep, with the causes."""
    sides = Sides(
        before=MISSING if live is None else live,
        after=after,
        manifest=manifest,
        original=_original(live),
        owned=_other_owners(live or {}, manager),
    )
    return tuple(_walk((), sides, kind.root if kind else OPAQUE))


def _original(live: JsonObject | None) -> JsonObject:
    try:
        return original_of(annotation_of(live)) if live is not None else {}
    except MergeError:
        return {}


def _other_owners(live: JsonObject, manager: str) -> tuple[tuple[str, JsonObject], ...]:
    entries = mapping(live.get("metadata")).get("managedFields")
    known = map(mapping, entries if isinstance(entries, list) else [])
    trees = ((entry.get("manager", ""), mapping(entry.get("fieldsV1"))) for entry in known)
    return tuple((name, tree) for name, tree in trees if isinstance(name, str) and name != manager)


def _walk(path: Path, sides: Sides, node: Node) -> Iterator[Change]:
    if sides.before is sides.after and not sides.owned:
        return
    if sides.after is MISSING:
        yield Change(path, sides.before, MISSING, _why_gone(sides))
    elif isinstance(sides.after, dict) and (sides.before is MISSING or isinstance(sides.before, dict)):
        yield from _walk_map(path, sides, node)
    elif isinstance(sides.after, list) and _has_keys(sides, node):
        yield from _walk_list(path, sides, node)
    else:
        yield from _leaf(path, sides)


def _walk_map(path: Path, sides: Sides, node: Node) -> Iterator[Change]:
    if not sides.after and sides.before is MISSING:
        yield from _leaf(path, sides)
    fields = node.fields
    for key in dict.fromkeys((*sides.after, *mapping(sides.before))):  # type: ignore[misc]  # the caller saw a dict
        if key in _SERVER_MADE and len(path) == 1:
            continue
        before, after = _get(sides.before, key), _get(sides.after, key)
        owned = _narrow(sides.owned, lambda tree, key=key: _inner(tree, f"f:{key}", node))  # type: ignore[misc]
        if before is not after or owned:
            known = _get(sides.manifest, key), _get(sides.original, key)
            inner = Sides(before, after, *known, owned, sides.joined)
            yield from _walk((*path, Field(key)), inner, fields.get(key) or node.value or OPAQUE)


def _get(value: Json | Missing, key: str) -> Json | Missing:
    return value[key] if isinstance(value, dict) and key in value else MISSING


def _inner(tree: JsonObject, element: str, node: Node) -> Json:
    """Return what a manager owns below an element; who owns an atomic map owns everything in it."""
    if tree is _EVERYTHING or node.map_type == "atomic":
        return _EVERYTHING
    return tree.get(element)


_EVERYTHING: JsonObject = {}


def _narrow(
    owned: tuple[tuple[str, JsonObject], ...], inner: Callable[[JsonObject], Json]
) -> tuple[tuple[str, JsonObject], ...]:
    trees = ((name, inner(tree)) for name, tree in owned)
    return tuple((name, tree) for name, tree in trees if isinstance(tree, dict))


def _has_keys(sides: Sides, node: Node) -> bool:
    """Tell whether a list merges by element and every element, before and after, has the key for it."""
    if not node.merges or not node.merge_key:
        return False
    elements = [*_elements(sides.before), *_elements(sides.after)]
    keys = [element.get(node.merge_key) if isinstance(element, dict) else None for element in _elements(sides.after)]
    known = all(isinstance(element, dict) and node.merge_key in element for element in elements)
    drawn = any(isinstance(key, Unknown) for key in keys)
    return known and not drawn and len(set(map(repr, keys))) == len(keys)


def _elements(value: Json | Missing) -> Sequence[Json]:
    return value if isinstance(value, list) else ()


def _walk_list(path: Path, sides: Sides, node: Node) -> Iterator[Change]:
    merge_key = node.merge_key
    keys = [element[merge_key] for element in (*_elements(sides.after), *_elements(sides.before))]
    for position, key in enumerate(keys):
        if any(equal(key, earlier) for earlier in keys[:position]):
            continue
        before = _find(sides.before, merge_key, key)
        inner = Sides(
            before=before,
            after=_find(sides.after, merge_key, key),
            manifest=_find(sides.manifest, merge_key, key),
            original=_find(sides.original, merge_key, key),
            owned=_narrow(sides.owned, lambda tree, key=key: _keyed_tree(tree, merge_key, key)),  # type: ignore[misc]
            joined=f"{merge_key}={key}" if before is MISSING and sides.before is not MISSING else sides.joined,
        )
        step: Step = ByKey(((merge_key, key),))
        yield from _walk((*path, step), inner, node.item or OPAQUE)


def _find(value: Json | Missing, merge_key: str, key: Json) -> Json | Missing:
    found = (e for e in _elements(value) if isinstance(e, dict) and merge_key in e and equal(e[merge_key], key))
    return next(found, MISSING)


def _keyed_tree(tree: JsonObject, merge_key: str, key: Json) -> Json:
    """Return the tree of the element that has ``key``; a FieldsV1 key may name more fields than the merge key."""
    if tree is _EVERYTHING:
        return tree
    for name, inner in tree.items():
        if name.startswith("k:") and equal(mapping(json.loads(name[2:])).get(merge_key), key):
            return inner
    return None


def _leaf(path: Path, sides: Sides) -> Iterator[Change]:
    """Explain a scalar, a list that does not merge, or a place where the type changes."""
    if not equal(sides.before, sides.after):
        yield Change(path, sides.before, sides.after, _why_set(path, sides))
    elif sides.manifest is MISSING and sides.owned:
        yield Change(path, sides.before, sides.after, Cause(Why.KEPT, _managers(sides)))


def _managers(sides: Sides) -> str:
    return "(manager " + ", ".join(sorted({name for name, _ in sides.owned})) + ")"


def _why_gone(sides: Sides) -> Cause:
    if sides.manifest is None:
        return Cause(Why.NULLED)
    if sides.manifest is MISSING and sides.original is not MISSING:
        return Cause(Why.DELETED)
    return Cause(Why.WIPED)


def _why_set(path: Path, sides: Sides) -> Cause:
    if path[-1:] == (Field(LAST_APPLIED),):
        return Cause(Why.ANNOTATED)
    if sides.manifest is None:
        return Cause(Why.DEFAULTED, "in place of the null")
    if sides.manifest is MISSING:
        dropped = sides.original is not MISSING and sides.before is not MISSING
        return Cause(Why.DEFAULTED, "since its line left the manifest" if dropped else "")
    if sides.joined:
        return Cause(Why.MERGED, sides.joined)
    replaced = isinstance(sides.after, list) and isinstance(sides.before, list)
    return Cause(Why.REPLACED if replaced else Why.SET)


def restarts_of(live: JsonObject | None, after: JsonObject) -> bool | None:
    """Tell whether the apply replaces the pods; ``None`` for kinds whose controller never does, and for new objects.

    With the update strategy ``OnDelete`` a new template waits until somebody deletes the pods.
    """
    if live is None or after.get("kind") not in _ROLLING_KINDS:
        return None
    if dig(after, "spec", "updateStrategy", "type") == "OnDelete":
        return False
    return not equal(dig(live, "spec", "template"), dig(after, "spec", "template"))
