"""Server-side apply: an object, a configuration and the managers in; the merged object, new managers or conflicts out.

Mirrors ``merge.Updater`` of structured-merge-diff and the chain of field managers of the API server around it.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from kubectl_applylint.merge.fieldset import EMPTY, FieldSet, of_paths
from kubectl_applylint.merge.typed import Form, form_of
from kubectl_applylint.merge.typed_walk import Comparison, below, compare, field_set, merge, remove, with_named_fields
from kubectl_applylint.schema.types import Node, Shape
from kubectl_applylint.state import Unknown
from kubectl_applylint.values import Json, JsonObject, mapping

APPLY, UPDATE = "Apply", "Update"
MOST_UPDATERS = 10
"""Beyond this number of Update entries the oldest are merged into ``ANCIENT``."""
ANCIENT = "ancient-changes"


@dataclass(frozen=True, slots=True)
class Identity:
    """Tells managers apart. For appliers the version does not count and is empty."""

    name: str
    operation: str
    api_version: str
    subresource: str = ""


@dataclass(frozen=True, slots=True)
class Owned:
    """What one manager owns, in the version in which it wrote, and when it last did (``Unknown``: now)."""

    fields: FieldSet
    api_version: str
    time: str | Unknown | None = None


Managers: TypeAlias = Mapping[Identity, Owned]
RootOf: TypeAlias = Callable[[str], Node | None]
"""Gives the schema of the object in a version, ``None`` for versions that are no longer served."""

_NOW = Unknown("the time of the write")
_STRIPPED = of_paths(
    [
        *((f"f:{name}",) for name in ("apiVersion", "kind", "metadata")),
        *(
            ("f:metadata", f"f:{name}")
            for name in (
                "name",
                "namespace",
                "creationTimestamp",
                "selfLink",
                "uid",
                "clusterName",
                "generation",
                "managedFields",
                "resourceVersion",
            )
        ),
    ]
)
"""What no manager ever owns."""


@dataclass(frozen=True, slots=True)
class Clash:
    """Another manager owns these paths with other values."""

    manager: Identity
    time: str | Unknown | None
    fields: FieldSet


@dataclass(frozen=True, slots=True)
class Applied:
    """What an apply makes: the object and its managers, or the clashes that stop it."""

    object: JsonObject
    managers: Managers
    clashes: tuple[Clash, ...] = ()


@dataclass(frozen=True, slots=True)
class Context:
    """What an apply or update needs to know of the kind: its version, the schema by version, the reset fields."""

    api_version: str
    root_of: RootOf
    reset: FieldSet = EMPTY
    """Fields that writers of the main resource never own, such as ``status``."""

    @property
    def root(self) -> Node:
        """The schema of the object in the version of the request."""
        node = self.root_of(self.api_version)
        assert node is not None
        return node


def apply(
    live: JsonObject, config: JsonObject, managers: Managers, manager: str, *, context: Context, force: bool
) -> Applied:
    """Return the outcome of a server-side apply by ``manager``; clashes leave the object and the managers alone."""
    identity = Identity(manager, APPLY, "")
    known = reconciled(managers, context)
    last = known.get(identity)
    merged = merge(context.root, live, config)
    wanted = field_set(context.root, config).without(context.reset) - _STRIPPED
    mine = {**known, identity: Owned(wanted, context.api_version, last.time if last else None)}
    pruned = _prune(merged, mine, last, context) if last and last.fields else merged
    difference = compare(context.root, live, pruned).without(context.reset)
    clashes = _clashes(mine, identity, difference)
    if clashes and not force:
        return Applied(live, managers, clashes)
    return Applied(mapping(pruned), _stamped(_filled(_taken(mine, identity, difference)), identity, known), clashes)


def _stamped(managers: Managers, identity: Identity, before: Managers) -> Managers:
    """Return the managers with the time of the write at the applier, if it owns other things than before."""
    if identity not in managers or (identity in before and before[identity].fields == managers[identity].fields):
        return managers
    return {**managers, identity: replace(managers[identity], time=_NOW)}


def _filled(managers: Managers) -> Managers:
    return {identity: owned for identity, owned in managers.items() if owned.fields}


def _clashes(managers: Managers, mine: Identity, difference: Comparison) -> tuple[Clash, ...]:
    """Return what other managers own among the fields that the write adds or changes."""
    touched = difference.modified | difference.added
    shared = ((identity, owned, owned.fields & touched) for identity, owned in managers.items() if identity != mine)
    return tuple(Clash(identity, owned.time, fields) for identity, owned, fields in shared if fields)


def _taken(managers: Managers, mine: Identity, difference: Comparison) -> Managers:
    """Return the managers after the write took, changed and removed fields of the others."""
    lost = difference.modified | difference.added | difference.removed
    return {
        identity: owned if identity == mine else replace(owned, fields=owned.fields - lost)
        for identity, owned in managers.items()
    }


def _prune(merged: Json, managers: Managers, last: Owned, context: Context) -> Json:
    """Take out what the manager applied last time and nobody owns any more."""
    node = context.root_of(last.api_version)
    if node is None:
        return merged
    dropped = with_named_fields(node, last.fields)
    everything = with_named_fields(node, field_set(node, merged))
    pruned = remove(node, merged, dropped) or {}
    kept = with_named_fields(node, field_set(node, pruned))
    owned = with_named_fields(node, _union(each.fields for each in managers.values()))
    pruned = remove(node, merged, everything - (kept | owned)) or {}
    kept = with_named_fields(node, field_set(node, pruned))
    return remove(node, merged, (everything - kept) & dropped) or {}


def _union(sets: Iterable[FieldSet]) -> FieldSet:
    whole = EMPTY
    for each in sets:
        whole |= each
    return whole


def update(live: JsonObject, new: JsonObject, managers: Managers, manager: str, context: Context) -> Managers:
    """Return the managers after a write that is no apply: the writer owns what it changed or added."""
    known = reconciled(managers, context)
    difference = compare(context.root, live, new).without(context.reset)
    others = _filled(_taken(known, Identity("", "", ""), difference))
    written = (difference.modified | difference.added) - _STRIPPED
    if not written:
        return capped(others)
    identity = Identity(manager, UPDATE, context.api_version)
    kept = others[identity].fields if identity in others else EMPTY
    return capped({**others, identity: Owned(kept | written, context.api_version, _NOW)})


def capped(managers: Managers) -> Managers:
    """Return the managers with the oldest updaters of each version merged into one, where there are too many."""
    updaters = sorted((each for each in managers if each.operation == UPDATE), key=lambda each: _age(managers, each))
    surplus = len(updaters) - MOST_UPDATERS
    result, first = dict(managers), dict[str, Identity]()
    for identity in updaters:
        if surplus <= 0:
            break
        version = managers[identity].api_version
        if version in first:
            result = _poured(result, first[version], identity)
            surplus -= 1
        first.setdefault(version, identity)
    return result


def _poured(managers: dict[Identity, Owned], first: Identity, identity: Identity) -> dict[Identity, Owned]:
    """Merge one updater into the bucket of its version, which starts as the oldest updater of that version."""
    owned = managers[identity]
    bucket = Identity(ANCIENT, UPDATE, owned.api_version)
    held = managers[bucket] if bucket in managers else managers[first]
    rest = {each: what for each, what in managers.items() if each not in (identity, first, bucket)}
    return {**rest, bucket: Owned(held.fields | owned.fields, owned.api_version, owned.time)}


def _age(managers: Managers, identity: Identity) -> tuple[bool, str, str]:
    time = managers[identity].time
    return isinstance(time, Unknown), time if isinstance(time, str) else "", identity.name


def reconciled(managers: Managers, context: Context) -> Managers:
    """Return the managers as today's schema sees them; those that wrote in a version that is gone are forgotten."""
    nodes = ((identity, owned, context.root_of(owned.api_version)) for identity, owned in managers.items())
    return {
        identity: replace(owned, fields=_reconciled(node, owned.fields))
        for identity, owned, node in nodes
        if node is not None
    }


def _reconciled(node: Node, fields: FieldSet) -> FieldSet:
    """Lift what is owned inside a map or list to the whole of it where the schema has made it atomic."""
    whole = {element for element, inner in fields.children.items() if _became_atomic(below(node, element), inner)}
    children = {
        element: _reconciled(below(node, element), inner)
        for element, inner in fields.children.items()
        if element not in whole
    }
    return FieldSet(fields.members | whole, children)


def _became_atomic(node: Node, inner: FieldSet) -> bool:
    return bool(inner) and node.shape in (Shape.OBJECT, Shape.LIST) and form_of(node, None) is Form.ATOMIC
