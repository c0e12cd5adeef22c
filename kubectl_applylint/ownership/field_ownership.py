"""Field ownership of a live object: managers × fields, last-applied, and fields without an owner.

Ownership is read from ``metadata.managedFields`` and counted by leaf: a scalar, or an atomic map or list.
"""

from collections.abc import Iterator
from typing import Final

from kubectl_applylint.core.outcome import plain
from kubectl_applylint.core.paths import Path, get, render
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.state import ObjectRef, Present, Unknown, last_applied, ref_of
from kubectl_applylint.core.values import MISSING, Json, JsonObject, Missing, mapping
from kubectl_applylint.merge.fieldset import EMPTY, Element, FieldSet, of_paths, to_path
from kubectl_applylint.merge.managed_fields import read
from kubectl_applylint.merge.server_side import APPLY, STRIPPED, Identity, Owned
from kubectl_applylint.merge.typed import DEDUCED, TypedError
from kubectl_applylint.merge.typed_walk import field_set
from kubectl_applylint.schema.types import Kind, Node

_STATUS: Final = of_paths([("f:status",)])


@dataclass(frozen=True, slots=True, order=True)
class Manager:
    """One entry of managedFields. ``time`` is the time of its last write, empty if unknown."""

    name: str
    operation: str
    api_version: str
    subresource: str = ""
    time: str = ""

    @property
    def applies(self) -> bool:
        """Whether it writes by server-side apply, so that it can remove a field by omitting it."""
        return self.operation == APPLY

    @property
    def title(self) -> str:
        """The display name: the manager name, with the subresource that it writes."""
        return f"{self.name}/{self.subresource}" if self.subresource else self.name

    def __str__(self) -> str:
        return f"{self.title} ({', '.join(filter(None, (self.operation, self.api_version, self.time)))})"


@dataclass(frozen=True, slots=True)
class FieldOwnership:
    """One leaf of the object: its value (``MISSING`` if only an owner still lists it) and its owners."""

    path: Path
    value: Json | Missing
    managers: tuple[Manager, ...]
    in_last_applied: bool

    def to_json(self) -> dict[str, Json]:
        """Return the leaf in the form of ``owners -o json``."""
        return {
            "path": render(self.path),
            **({} if self.value is MISSING else {"value": plain(self.value)}),
            "managers": [manager_json(manager) for manager in self.managers],
            "lastApplied": self.in_last_applied,
        }


def manager_json(manager: Manager) -> dict[str, Json]:
    """Return a manager in the form of ``owners -o json``."""
    return {
        "manager": manager.name,
        "operation": manager.operation,
        "apiVersion": manager.api_version,
        "subresource": manager.subresource or None,
        "time": manager.time or None,
    }


@dataclass(frozen=True, slots=True)
class ObjectOwnership:
    """Managers × fields of one object."""

    ref: ObjectRef
    managers: tuple[Manager, ...]
    """The managers in the order of the object."""
    fields: tuple[FieldOwnership, ...]
    """Every leaf that exists or has an owner, by path."""
    has_last_applied: bool

    @property
    def unowned(self) -> tuple[FieldOwnership, ...]:
        """The leaves without an owner."""
        return tuple(field for field in self.fields if not field.managers)

    @property
    def shared(self) -> tuple[FieldOwnership, ...]:
        """The leaves with several owners."""
        return tuple(field for field in self.fields if len(field.managers) > 1)

    def of(self, manager: Manager) -> tuple[FieldOwnership, ...]:
        """Return the leaves that one manager owns."""
        return tuple(field for field in self.fields if manager in field.managers)


def ownership_of(live: JsonObject, kind: Kind | None) -> ObjectOwnership:
    """Return the owners of all fields of a live object; without a schema types are deduced from the values.

    The status is left out if it has no owner, and so are fields that no manager ever owns, such as the name.
    """
    root = kind.root if kind else DEDUCED
    entries = {manager_of(each): owned.fields for each in read(live).items() for owned in each[1:]}
    own = (fields_of(root, live) - STRIPPED).without(_STATUS)
    known = _last_applied(live, root)
    whole = own
    for held in entries.values():
        whole |= held
    owned = (
        FieldOwnership(
            path=to_path(leaf),
            value=get(live, to_path(leaf)),
            managers=tuple(manager for manager, held in entries.items() if held.has(leaf)),
            in_last_applied=known.has(leaf),
        )
        for leaf in leaves_of(whole)
    )
    return ObjectOwnership(
        ref=ref_of(live),
        managers=tuple(entries),
        fields=tuple(sorted(owned, key=lambda field: render(field.path))),
        has_last_applied=isinstance(last_applied(Present(live)), Present),
    )


def manager_of(entry: tuple[Identity, Owned]) -> Manager:
    """Return an entry of managedFields as a manager."""
    identity, owned = entry
    time = "now" if isinstance(owned.time, Unknown) else owned.time or ""
    return Manager(identity.name, identity.operation, owned.api_version, identity.subresource, time)


def fields_of(root: Node, value: JsonObject) -> FieldSet:
    """Return the paths of an object; if list elements do not have their keys, as without a schema."""
    metadata = {name: inner for name, inner in mapping(value.get("metadata")).items() if name != "managedFields"}
    bare = {**value, **({"metadata": metadata} if "metadata" in value else {})}
    try:
        return field_set(root, bare)
    except TypedError:
        return field_set(DEDUCED, bare)


def _last_applied(live: JsonObject, root: Node) -> FieldSet:
    """Return the paths in the last-applied annotation."""
    match last_applied(Present(live)):
        case Present(manifest):
            return fields_of(root, manifest)
        case _:
            return EMPTY


def leaves_of(fields: FieldSet, prefix: tuple[Element, ...] = ()) -> Iterator[tuple[Element, ...]]:
    """Yield the paths of a set that have no children."""
    yield from ((*prefix, element) for element in fields.members if element not in fields.children)
    for element, below in fields.children.items():
        yield from leaves_of(below, (*prefix, element))
