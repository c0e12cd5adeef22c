"""Lists of an object before and after rendering by kustomize."""

from collections.abc import Iterator
from typing import TypeAlias

from kubectl_applylint.core.paths import Field, Index, Path, fields
from kubectl_applylint.core.values import Json, JsonObject, dig, mapping
from kubectl_applylint.lint.model import Subject
from kubectl_applylint.lint.relations import POD_SPECS, kind_of

Named: TypeAlias = list[JsonObject]
"""The entries of a list that have a name."""


def containers(subject: Subject) -> Iterator[tuple[Path, Named, Named]]:
    """Yield the lists of containers in the file and in the rendered object."""
    where = POD_SPECS.get(kind_of(subject.document))
    if where is None or subject.document.source is None:
        return
    before, after = (mapping(dig(side, *where)) for side in (subject.document.source, subject.manifest))
    for part in ("initContainers", "containers"):
        yield (*fields(*where), Field(part)), named_entries(before.get(part)), named_entries(after.get(part))


def named_entries(value: Json) -> Named:
    """Return the entries of a list that are objects with a name."""
    items = value if isinstance(value, list) else []
    return [item for item in items if isinstance(mapping(item).get("name"), str)]


def lists(before: Json, after: Json, path: Path = ()) -> Iterator[tuple[Path, Named, Named]]:
    """Yield the lists of named entries that both sides have at the same place, reached through maps and lists."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in before.keys() & after.keys():
            yield from lists(before[key], after[key], (*path, Field(key)))
    if isinstance(before, list) and isinstance(after, list):
        if named_entries(before):
            yield path, named_entries(before), named_entries(after)
        for position, (old, new) in enumerate(zip(before, after, strict=False)):
            yield from lists(old, new, (*path, Index(position)))
