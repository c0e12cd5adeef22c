"""Who owns which field, for people and for programs."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import StrEnum

from kubectl_applylint.core.paths import render
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.safe_text import one_line
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import Json
from kubectl_applylint.ownership.holdings import Holding, Holdings, Manager, manager_json
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.masking import mask_value
from kubectl_applylint.report.pages import json_page, name_json, text_page
from kubectl_applylint.report.words import count, paint, show, wrap


class By(StrEnum):
    """What the lines are sorted under."""

    MANAGER = "manager"
    FIELD = "field"


def owners_text(objects: Sequence[Holdings], problems: Sequence[Problem], by: By, context: Context) -> str:
    """Return a block for every object: each manager with its fields, or each field with its managers."""
    lines = _by_manager if by is By.MANAGER else _by_field
    return text_page(
        ["\n".join([_headline(each, context), *lines(each, context)]) for each in objects], problems, context
    )


def owners_json(objects: Sequence[Holdings], problems: Sequence[Problem], by: By) -> str:
    """Return the same as JSON, version 1."""
    return json_page("owners", [_json(each, by) for each in objects], problems)


def mask_owners(owners: Holdings) -> Holdings:
    """Return the same without what a Secret holds."""
    held = (replace(each, value=mask_value(owners.ref, each.path, each.value)) for each in owners.holdings)
    return replace(owners, holdings=tuple(held))


def object_title(ref: ObjectRef) -> str:
    """Return how people call an object: ``deployment.apps/web in shop``."""
    return one_line(f"{ref} in {ref.namespace}" if ref.namespace else str(ref))


def _headline(owners: Holdings, context: Context) -> str:
    numbers = [
        count(len(owners.managers), "manager"),
        count(len(owners.holdings), "field"),
        *([f"{len(owners.shared)} shared"] if owners.shared else []),
        *([f"{len(owners.nobodys)} of nobody"] if owners.managers and owners.nobodys else []),
        *([] if owners.has_last_applied else ["no last-applied annotation"]),
    ]
    return f"{paint('place', object_title(owners.ref), context)}: {', '.join(numbers)}"


def _by_manager(owners: Holdings, context: Context) -> Iterator[str]:
    if not owners.managers:
        yield wrap(f"    {NO_MANAGERS}", context, indent="    ")
        return
    for manager in owners.managers:
        held = owners.of(manager)
        yield f"  {one_line(str(manager))}: {count(len(held), 'field')}"
        for holding in held:
            yield _line(holding, _marks(holding, manager), context)
    if owners.nobodys:
        yield f"  nobody: {count(len(owners.nobodys), 'field')}, defaulted by the server or left behind"
        for holding in owners.nobodys:
            yield _line(holding, _marks(holding, None), context)


NO_MANAGERS = (
    "the object names no managers: its managedFields were cleared, or kubectl get ran without --show-managed-fields"
)
"""What is told of an object without managedFields."""


def _by_field(owners: Holdings, context: Context) -> Iterator[str]:
    for holding in owners.holdings:
        names = ", ".join(f"{m.title} ({m.operation})" for m in holding.managers) or "nobody"
        yield _line(holding, [names, *_known(holding)], context)


def _marks(holding: Holding, manager: Manager | None) -> list[str]:
    others = sorted(other.title for other in holding.managers if other != manager)
    return [*([f"shared with {', '.join(others)}"] if others else []), *_known(holding)]


def _known(holding: Holding) -> list[str]:
    return ["in last-applied"] if holding.in_last_applied else []


def _line(holding: Holding, marks: list[str], context: Context) -> str:
    value = show(holding.value, whole=context.verbose)
    words = paint("quiet", f"({one_line('; '.join(marks))})", context) if marks else ""
    return wrap(f"    {one_line(render(holding.path))}: {one_line(value)} {words}".rstrip(), context, indent="        ")


def _json(owners: Holdings, by: By) -> Json:
    names = name_json(owners.ref)
    if by is By.FIELD:
        return {**names, "fields": [holding.to_json() for holding in owners.holdings]}
    managers = [
        {**manager_json(manager), "fields": [_held(holding, manager) for holding in owners.of(manager)]}
        for manager in owners.managers
    ]
    return {**names, "managers": managers, "nobody": [_held(holding, None) for holding in owners.nobodys]}


def _held(holding: Holding, manager: Manager | None) -> Json:
    told = holding.to_json()
    others = [manager_json(other) for other in holding.managers if other != manager]
    return {name: value for name, value in told.items() if name != "managers"} | {"sharedWith": others}
