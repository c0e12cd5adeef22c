"""The versions and fields that come and go in custom resource definitions."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import Json, JsonObject, mapping, objects_at, text_at
from kubectl_applylint.report.facts.sides import Sides

_KIND: Final = "CustomResourceDefinition"
_INSIDE: Final = regex(r"(?:\[\]|\.\*)+\Z")
"""The signs behind a field for what is in a list or a map."""


@dataclass(frozen=True, slots=True)
class DefinitionChange:
    """A definition with its served versions and its fields that are added and removed.

    A field is in a list as ``spec.rules[].host`` and in a map as ``spec.labels.*``; only the outermost is named.
    """

    name: str
    versions_added: tuple[str, ...]
    versions_removed: tuple[str, ...]
    fields_added: tuple[str, ...]
    fields_removed: tuple[str, ...]


def definition_changes(objects: Iterable[Sides]) -> tuple[DefinitionChange, ...]:
    """Return the changes of definitions that exist before and after the apply, by name.

    Definitions with the same versions and fields, such as those with other descriptions, are left out.
    """
    changes = (
        _change(old, new) for old, new in objects if old is not None and new is not None and new.get("kind") == _KIND
    )
    found = {one.name: one for one in changes if one != DefinitionChange(one.name, (), (), (), ())}
    return tuple(found[name] for name in sorted(found))


def _change(old: JsonObject, new: JsonObject) -> DefinitionChange:
    before, after = _version_names(old), _version_names(new)
    fields_before, fields_after = _field_names(old), _field_names(new)
    return DefinitionChange(
        text_at(new, "metadata", "name"),
        tuple(one for one in after if one not in before),
        tuple(one for one in before if one not in after),
        tuple(_outermost(fields_after, fields_before)),
        tuple(_outermost(fields_before, fields_after)),
    )


def _version_names(definition: JsonObject) -> Sequence[str]:
    """Return the names of the served versions, in their order."""
    versions = objects_at(definition, "spec", "versions")
    return [text_at(one, "name") for one in versions if one.get("served") is True]


def _field_names(definition: JsonObject) -> dict[str, str]:
    """Return the fields of all versions, each with the field around it."""
    versions = objects_at(definition, "spec", "versions")
    return {name: around for one in versions for name, around in _fields(mapping(one.get("schema")))}


def _fields(schema: JsonObject) -> Iterator[tuple[str, str]]:
    """Yield the fields of a schema, each with the field around it."""
    stack: list[tuple[str, Json]] = [("", schema.get("openAPIV3Schema"))]
    while stack:
        around, node = stack.pop()
        for key, value in mapping(mapping(node).get("properties")).items():
            name = f"{around}.{key}".removeprefix(".")
            yield name, around
            stack.append((name, value))
        for key, sign in (("items", "[]"), ("additionalProperties", ".*")):
            if isinstance(mapping(node).get(key), dict):
                stack.append((f"{around}{sign}", node[key]))


def _outermost(fields: dict[str, str], others: dict[str, str]) -> Iterator[str]:
    """Yield the fields that are missing among others, without those inside of one that is missing, too."""
    missing = {name for name in fields if name not in others}
    for name in sorted(missing):
        if _INSIDE.sub("", fields[name]) not in missing:
            yield name
