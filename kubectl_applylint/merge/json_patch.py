"""JSON patches (RFC 6902): the operations between two values, and what operations make of a value."""

from collections.abc import Iterable, Iterator
from typing import Final

from kubectl_applylint.core.values import MISSING, Json, JsonObject, Missing, equal

_END: Final = "-"
"""The index behind the last item of a list."""


def pointer(path: Iterable[str]) -> str:
    """Return a path as a JSON pointer (RFC 6901)."""
    return "".join(f"/{step.replace('~', '~0').replace('/', '~1')}" for step in path)


def pointer_steps(text: str) -> tuple[str, ...]:
    """Return the steps of a JSON pointer."""
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in text.split("/")[1:])


def operations_between(before: Json, after: Json, path: tuple[str, ...] = ()) -> Iterator[JsonObject]:
    """Yield the operations that make ``after`` of ``before``.

    Items of lists are compared by index, as in ``github.com/wI2L/jsondiff``.
    """
    if isinstance(before, dict) and isinstance(after, dict):
        for key in sorted({*before, *after}):
            yield from _between(before.get(key, MISSING), after.get(key, MISSING), (*path, key))
    elif isinstance(before, list) and isinstance(after, list):
        for index, (old, new) in enumerate(zip(before, after, strict=False)):
            yield from operations_between(old, new, (*path, str(index)))
        for index in reversed(range(len(after), len(before))):
            yield {"op": "remove", "path": pointer((*path, str(index)))}
        for item in after[len(before) :]:
            yield {"op": "add", "path": pointer((*path, _END)), "value": item}
    elif not equal(before, after):
        yield {"op": "replace", "path": pointer(path), "value": after}


def _between(before: Json | Missing, after: Json | Missing, path: tuple[str, ...]) -> Iterator[JsonObject]:
    if before is MISSING:
        yield {"op": "add", "path": pointer(path), "value": after}
    elif after is MISSING:
        yield {"op": "remove", "path": pointer(path)}
    else:
        yield from operations_between(before, after, path)


def apply_operations(tree: Json, operations: Iterable[JsonObject]) -> Json:
    """Return a value after operations; an operation on a path that does not exist has no effect."""
    for operation in operations:
        tree = _apply_operation(tree, pointer_steps(operation["path"]), operation)
    return tree


def _apply_operation(tree: Json, steps: tuple[str, ...], operation: JsonObject) -> Json:
    if not steps:
        return operation.get("value")
    step, *rest = steps
    if isinstance(tree, dict):
        return _apply_to_object(tree, step, tuple(rest), operation)
    if isinstance(tree, list):
        return _apply_to_list(tree, step, tuple(rest), operation)
    return tree


def _apply_to_object(tree: JsonObject, step: str, rest: tuple[str, ...], operation: JsonObject) -> JsonObject:
    if rest:
        return {**tree, step: _apply_operation(tree[step], rest, operation)} if step in tree else tree
    if operation["op"] == "remove":
        return {key: value for key, value in tree.items() if key != step}
    return {**tree, step: operation["value"]}


def _apply_to_list(tree: list[Json], step: str, rest: tuple[str, ...], operation: JsonObject) -> list[Json]:
    if step == _END:
        return [*tree, operation["value"]]
    index = int(step) if step.isdecimal() else len(tree)
    if index >= len(tree):
        return tree
    if rest:
        return [*tree[:index], _apply_operation(tree[index], rest, operation), *tree[index + 1 :]]
    new = [] if operation["op"] == "remove" else [operation["value"]]
    return [*tree[:index], *new, *tree[index + 1 :]]
