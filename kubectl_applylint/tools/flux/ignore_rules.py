"""Fields that Flux leaves to other writers: the ``ignore`` rules of a Kustomization or of a HelmRelease.

Mirrors ``jsondiff`` and ``computeDriftedPaths`` of ``github.com/fluxcd/pkg/ssa`` 0.77.
"""

import json
from collections.abc import Iterable, Sequence

from kubectl_applylint.core.patterns.linear import Matcher, compile_linear
from kubectl_applylint.core.selector import fits, parse
from kubectl_applylint.core.state import annotations_of, labels_of, ref_of
from kubectl_applylint.core.values import (
    MISSING,
    Json,
    JsonObject,
    Missing,
    equal,
    mapping,
    objects_at,
    text_at,
    texts_at,
)
from kubectl_applylint.merge.json_patch import apply_operations, pointer_steps
from kubectl_applylint.merge.server_side import APPLY


def ignored_paths(rules: Iterable[JsonObject], item: JsonObject) -> tuple[str, ...]:
    """Return the JSON pointers that the rules ignore in an object."""
    selected = (rule for rule in rules if _is_selected(mapping(rule.get("target")), item))
    return tuple(path for rule in selected for path in texts_at(rule, "paths"))


def _is_selected(target: JsonObject, item: JsonObject) -> bool:
    """Return whether a rule applies to an object; without a target it applies to all."""
    ref = ref_of(item)
    version = ref.api_version.rpartition("/")[2]
    own = {"group": ref.group, "version": version, "kind": ref.kind, "name": ref.name, "namespace": ref.namespace}
    if not all(_matches(text_at(target, key), value) for key, value in own.items()):
        return False
    metadata = (("labelSelector", labels_of(item)), ("annotationSelector", annotations_of(item)))
    return all(_fits(text_at(target, key), found) for key, found in metadata)


def _matches(pattern: str, text: str) -> bool:
    """Return whether a pattern matches a whole text; an empty pattern matches all."""
    if not pattern:
        return True
    compiled = compile_linear(f"^(?:{pattern})$")
    return isinstance(compiled, Matcher) and compiled.is_match(text) is True


def _fits(selector: str, found: JsonObject) -> bool:
    try:
        return fits(parse(selector), dict(found))
    except ValueError:
        return False


def without_paths(item: JsonObject, paths: Iterable[str]) -> JsonObject:
    """Return an object without the fields at some JSON pointers; an empty one, the whole object, removes nothing."""
    return mapping(apply_operations(item, ({"op": "remove", "path": path} for path in paths if path)))


def settled_operations(
    live: JsonObject, wanted: JsonObject, paths: Sequence[str], manager: str
) -> tuple[JsonObject, ...]:
    """Return the operations on a manifest for the ignored fields in which the live object differs from ``wanted``.

    A field that another applier owns is removed from the manifest, and any other gets its live value.
    """
    operations = (_operation_for(live, wanted, path, manager) for path in dict.fromkeys(paths))
    return tuple(sorted((one for one in operations if one), key=lambda one: one["op"] != "remove"))


def _operation_for(live: JsonObject, wanted: JsonObject, path: str, manager: str) -> JsonObject | None:
    """Return the operation for one ignored field, ``None`` if the live object has the wanted value."""
    value, other = (_value_at(item, pointer_steps(path)) for item in (live, wanted))
    if _is_same(value, other):
        return None
    if _is_owned_by_other(live, path, manager):
        return {"op": "remove", "path": path}
    return {"op": "replace", "path": path, "value": None if isinstance(value, Missing) else value}


def missing_path(manifest: JsonObject, operations: Iterable[JsonObject]) -> str:
    """Return the first path that an operation would replace and the manifest does not have; empty if there is none."""
    replaced = (one["path"] for one in operations if one["op"] == "replace")
    return next((path for path in replaced if _value_at(manifest, pointer_steps(path)) is MISSING), "")


def _value_at(item: Json | Missing, steps: Iterable[str]) -> Json | Missing:
    """Return the value at a path, ``MISSING`` if there is none."""
    for step in steps:
        item = MISSING if isinstance(item, Missing) else _child(item, step)
    return item


def _is_same(one: Json | Missing, other: Json | Missing) -> bool:
    if isinstance(one, Missing) or isinstance(other, Missing):
        return one is other
    return equal(one, other)


def _is_owned_by_other(live: JsonObject, path: str, manager: str) -> bool:
    """Return whether an applier other than ``manager`` owns a field itself, rather than its parent."""
    steps = pointer_steps(path)
    return any(
        _contains(mapping(entry.get("fieldsV1")), live, steps)
        for entry in objects_at(live, "metadata", "managedFields")
        if entry.get("operation") == APPLY and not entry.get("subresource") and entry.get("manager") != manager
    )


def _contains(fields: JsonObject, item: Json, steps: Sequence[str]) -> bool:
    """Return whether a FieldsV1 object has a path of ``item``; a position in a list is resolved to the item's keys."""
    if not steps:
        return True
    step, *rest = steps
    child = _child(item, step)
    if isinstance(child, Missing):
        return False
    elements = [one for one in fields if _is_key_of(one, child)] if isinstance(item, list) else [f"f:{step}"]
    return any(one in fields and _contains(mapping(fields[one]), child, rest) for one in elements)


def _child(item: Json, step: str) -> Json | Missing:
    if isinstance(item, dict):
        return item.get(step, MISSING)
    is_position = isinstance(item, list) and step.isdecimal() and int(step) < len(item)
    return item[int(step)] if is_position else MISSING


def _is_key_of(element: str, item: Json) -> bool:
    """Return whether an element of FieldsV1 is that of a list item (``k:{"name":"web"}``)."""
    return element.startswith("k:") and mapping(json.loads(element[2:])).items() <= mapping(item).items()
