"""Extracts the configuration that a set of fields owns.

Mirrors ``ExtractItems`` of structured-merge-diff with the keys of list elements appended, on which client-go's
``Extract`` functions are built.
"""

from collections.abc import Iterator

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.merge.fieldset import FieldSet
from kubectl_applylint.merge.typed import DEDUCED, MergeForm, element_of, form_of, item_of, keys_of, member_of
from kubectl_applylint.schema.types import Node


def extract(node: Node, value: Json, fields: FieldSet) -> Json:
    """Return the parts of ``value`` that ``fields`` names; list elements keep their key fields."""
    match form_of(node, value):
        case MergeForm.MAP if isinstance(value, dict):
            return dict(_members(node, value, fields))
        case (MergeForm.KEYED | MergeForm.SET) as form if isinstance(value, list):
            return [*_items(node, value, fields, form)]
        case _:
            return value


def _members(node: Node, value: JsonObject, fields: FieldSet) -> Iterator[tuple[str, Json]]:
    for name, inner in value.items():
        element = f"f:{name}"
        if element in fields.members or element in fields.children:
            yield name, extract(member_of(node, name) or DEDUCED, inner, fields.below(element))


def _items(node: Node, items: list[Json], fields: FieldSet, form: MergeForm) -> Iterator[Json]:
    for item in items:
        element = element_of(node, item)
        if element not in fields.members and element not in fields.children:
            continue
        keys = {key: item[key] for key in keys_of(node) if key in item} if form is MergeForm.KEYED else {}
        yield {**keys, **extract(item_of(node), item, fields.below(element))} if keys else item
