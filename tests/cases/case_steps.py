"""The steps of a rule case: writes that lead to the live state, and the validation of case files."""

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from typing import Final, TypeAlias

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.state import ObjectRef, ref_of
from kubectl_applylint.core.values import Json, JsonObject, mapping

Faults: TypeAlias = Iterator[str]
"""Error messages."""


class Action(StrEnum):
    """The action of a step."""

    APPLY = "apply"
    APPLY_SERVER_SIDE = "apply-server-side"
    CREATE = "create"
    REPLACE = "replace"
    PATCH = "patch"


class PatchType(StrEnum):
    """The type of a patch."""

    MERGE = "merge"
    STRATEGIC = "strategic"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class CaseWrite:
    """One write before the apply. ``manager`` is empty for the writer's default."""

    action: Action
    body: Json
    """The object, or the patch: an object, a list of operations for ``PatchType.JSON``."""
    target: ObjectRef
    manager: str = ""
    force: bool = False
    patch_type: PatchType = PatchType.MERGE
    subresource: str = ""


OBJECT: Final = (dict,)
"""The type of a key with a map."""
LIST: Final = (list,)
"""The type of a key with a list."""
TEXT: Final = (str,)
"""The type of a key with text."""
_WORDS: Mapping[type, str] = {dict: "a map", list: "a list", str: "text", bool: "true or false", type(None): "null"}
_STEP_KEYS: Mapping[str, tuple[type, ...]] = {
    **dict.fromkeys(Action, OBJECT),
    "patch": (dict, list),
    "manager": TEXT,
    "force": (bool,),
    "type": TEXT,
    "target": OBJECT,
    "subresource": TEXT,
}
_ONLY_WITH: Mapping[str, tuple[Action, ...]] = {
    "force": (Action.APPLY_SERVER_SIDE,),
    "type": (Action.PATCH,),
    "target": (Action.PATCH,),
    "subresource": (Action.PATCH, Action.REPLACE),
}


def read_step(item: JsonObject, ref: ObjectRef) -> CaseWrite:
    """Return the write of a step; ``ref`` is the object of a patch without a target."""
    action = next(action for action in Action if action in item)
    if action is Action.PATCH:
        target = ref_of({**item["target"], "metadata": item["target"]}) if "target" in item else ref
    else:
        target = ref_of(item[action])
    return CaseWrite(
        action=action,
        body=item[action],
        target=target,
        manager=item.get("manager", ""),
        force=item.get("force", False),
        patch_type=PatchType(item.get("type", "merge")),
        subresource=item.get("subresource", ""),
    )


def faults_of_each(key: str, content: JsonObject, faults_of: Callable[[Json], Faults]) -> Faults:
    """Yield the errors in each element of a list of a case, with its place."""
    for position, item in enumerate(content.get(key, [])):
        yield from faults_at(f"{key}[{position}]", faults_of(item))


def faults_at(place: str, faults: Faults) -> Faults:
    """Yield errors with their place."""
    return (f"{place}: {fault}" for fault in faults)


def object_faults(value: Json) -> Faults:
    """Yield why a value is not an object of Kubernetes."""
    ref = ref_of(mapping(value))
    if not (ref.api_version and ref.kind and ref.name):
        yield "is not one object with apiVersion, kind and metadata.name"


def step_faults(item: Json) -> Faults:
    """Yield the errors in a step."""
    faults = list(record_faults(item, _STEP_KEYS, required=()))
    if faults:
        yield from faults
        return
    actions = [action for action in Action if action in item]
    if len(actions) != 1:
        yield f"needs exactly one of {', '.join(Action)}"
        return
    action = actions[0]
    yield from (
        f"{key} cannot be used with {action}"
        for key, others in _ONLY_WITH.items()
        if key in item and action not in others
    )
    if "target" in item:
        yield from faults_at("target", _target_faults(item["target"]))
    if action is not Action.PATCH:
        yield from faults_at(action, object_faults(item[action]))
    patch_type = item.get("type", "merge")
    if patch_type not in tuple(PatchType):
        yield f"type: {patch_type!r} is not one of {', '.join(PatchType)}"
    if action is Action.PATCH and isinstance(item["patch"], list) != (patch_type == PatchType.JSON):
        yield "a json patch is a list of operations, any other patch a map"


def _target_faults(target: JsonObject) -> Faults:
    """Yield the errors in the target of a patch."""
    required = ("apiVersion", "kind", "name")
    return record_faults(target, dict.fromkeys((*required, "namespace"), TEXT), required=required)


def record_faults(item: Json, keys: Mapping[str, tuple[type, ...]], *, required: tuple[str, ...]) -> Faults:
    """Yield missing ``required`` keys, keys that are not in ``keys``, and keys of a wrong type."""
    if not isinstance(item, dict):
        yield "is not a map"
        return
    yield from (f"{key} is missing" for key in required if key not in item)
    for key, value in item.items():
        if key not in keys:
            yield f"unknown key {key!r}; valid keys: {', '.join(keys)}"
        elif type(value) not in keys[key]:
            yield f"{key} is not {' or '.join(_WORDS[kind] for kind in keys[key])}"
