"""The owners of fields, as text for users and as JSON for programs."""

import json
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum

from kubectl_applylint.core.outcome import plain
from kubectl_applylint.core.paths import render
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.safe_text import one_line
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import MISSING, Json, JsonObject
from kubectl_applylint.ownership.field_ownership import FieldOwnership, Manager, ObjectOwnership, manager_json
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.ownership.pages import json_page, name_json, text_page
from kubectl_applylint.report.words import count, paint, show, wrap
from kubectl_applylint.secrets.masking import Masks, masks


class GroupBy(StrEnum):
    """The grouping of the lines."""

    MANAGER = "manager"
    FIELD = "field"


def owners_text(objects: Sequence[ObjectOwnership], problems: Sequence[Problem], by: GroupBy, context: Context) -> str:
    """Return a block for every object: each manager with its fields, or each field with its managers."""
    lines = _by_manager if by is GroupBy.MANAGER else _by_field
    return text_page(
        ["\n".join([_headline(each, context), *lines(each, context)]) for each in objects], problems, context
    )


def owners_json(objects: Sequence[ObjectOwnership], problems: Sequence[Problem], by: GroupBy) -> str:
    """Return the owners as JSON, version 1."""
    return json_page("owners", [_json(each, by) for each in objects], problems)


def mask_owners(objects: Sequence[ObjectOwnership], known: Iterable[JsonObject] = ()) -> list[ObjectOwnership]:
    """Return the owners without values of Secrets; ``known`` are the objects whose values fields may repeat."""
    values = [[plain(each.value) for each in owners.fields if each.value is not MISSING] for owners in objects]
    mask = masks([*known], [json.dumps(held, ensure_ascii=False) for held in values])
    return [_mask_fields(owners, mask) for owners in objects]


def _mask_fields(owners: ObjectOwnership, mask: Masks) -> ObjectOwnership:
    held = (replace(each, value=mask.value(owners.ref, each.path, each.value)) for each in owners.fields)
    return replace(owners, fields=tuple(held))


def object_title(ref: ObjectRef) -> str:
    """Return the display name of an object: ``deployment.apps/web in shop``."""
    return one_line(f"{ref} in {ref.namespace}" if ref.namespace else str(ref))


def _headline(owners: ObjectOwnership, context: Context) -> str:
    numbers = [
        count(len(owners.managers), "manager"),
        count(len(owners.fields), "field"),
        *([f"{len(owners.shared)} shared"] if owners.shared else []),
        *([f"{len(owners.unowned)} without an owner"] if owners.managers and owners.unowned else []),
        *([] if owners.has_last_applied else ["no last-applied annotation"]),
    ]
    return wrap(f"{paint('place', object_title(owners.ref), context)}: {', '.join(numbers)}", context, indent="  ")


def _by_manager(owners: ObjectOwnership, context: Context) -> Iterator[str]:
    if not owners.managers:
        yield wrap(f"    {NO_MANAGERS}", context, indent="    ")
        return
    for manager in owners.managers:
        held = owners.of(manager)
        yield wrap(f"  {one_line(str(manager))}: {count(len(held), 'field')}", context, indent="    ")
        for field in held:
            yield _line(field, _marks(field, manager), context)
    if owners.unowned:
        unowned = f"  no owner: {count(len(owners.unowned), 'field')}, defaulted by the server or left behind"
        yield wrap(unowned, context, indent="    ")
        for field in owners.unowned:
            yield _line(field, _marks(field, None), context)


NO_MANAGERS = (
    "the object has no managers: its managedFields were cleared, or kubectl get ran without --show-managed-fields"
)
"""The text for an object without managedFields."""


def _by_field(owners: ObjectOwnership, context: Context) -> Iterator[str]:
    for field in owners.fields:
        names = ", ".join(f"{m.title} ({m.operation})" for m in field.managers) or "no owner"
        yield _line(field, [names, *_last_applied_mark(field)], context)


def _marks(field: FieldOwnership, manager: Manager | None) -> list[str]:
    others = sorted(other.title for other in field.managers if other != manager)
    return [*([f"shared with {', '.join(others)}"] if others else []), *_last_applied_mark(field)]


def _last_applied_mark(field: FieldOwnership) -> list[str]:
    """Return the mark of a field in the last-applied annotation, none for others."""
    return ["in last-applied"] if field.in_last_applied else []


def _line(field: FieldOwnership, marks: list[str], context: Context) -> str:
    value = show(field.value, whole=context.verbose)
    words = paint("quiet", f"({one_line('; '.join(marks))})", context) if marks else ""
    return wrap(f"    {one_line(render(field.path))}: {one_line(value)} {words}".rstrip(), context, indent="        ")


def _json(owners: ObjectOwnership, by: GroupBy) -> Json:
    names = name_json(owners.ref)
    if by is GroupBy.FIELD:
        return {**names, "fields": [field.to_json() for field in owners.fields]}
    managers = [
        {**manager_json(manager), "fields": [_owned_field_json(field, manager) for field in owners.of(manager)]}
        for manager in owners.managers
    ]
    return {**names, "managers": managers, "unowned": [_owned_field_json(field, None) for field in owners.unowned]}


def _owned_field_json(field: FieldOwnership, manager: Manager | None) -> Json:
    """Return a field as JSON, with the other managers that share it."""
    content = field.to_json()
    others = [manager_json(other) for other in field.managers if other != manager]
    return {name: value for name, value in content.items() if name != "managers"} | {"sharedWith": others}
