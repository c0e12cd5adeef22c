"""Server-side apply: merges a configuration into an object and updates its managers, or returns clashes.

Mirrors ``merge.Updater`` of structured-merge-diff and the field managers of apimachinery right around it.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Final, TypeAlias

from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.server_fields import METADATA
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import Json, JsonObject, mapping
from kubectl_applylint.merge.errors import MergeError
from kubectl_applylint.merge.fieldset import EMPTY, FieldSet, of_paths
from kubectl_applylint.merge.typed import MergeForm, below, form_of
from kubectl_applylint.merge.typed_check import check
from kubectl_applylint.merge.typed_merge import merge, remove, with_named_fields
from kubectl_applylint.merge.typed_walk import Comparison, compare, field_set, same
from kubectl_applylint.schema.types import Node, Shape

APPLY: Final = "Apply"
UPDATE: Final = "Update"


@dataclass(frozen=True, slots=True)
class Identity:
    """The identity of a manager. For appliers the version does not count and is empty."""

    name: str
    operation: str
    api_version: str
    subresource: str = ""


@dataclass(frozen=True, slots=True)
class Owned:
    """The fields of one manager, the version in which it wrote, and its last write (``Unknown``: now)."""

    fields: FieldSet
    api_version: str
    time: str | Unknown | None = None


Managers: TypeAlias = Mapping[Identity, Owned]

NOW: Final = Unknown("the time of the write")
STRIPPED: Final = of_paths(
    [
        *((f"f:{name}",) for name in ("apiVersion", "kind", "metadata")),
        *(("f:metadata", f"f:{name}") for name in (*METADATA, "name", "namespace", "clusterName")),
    ]
)
"""The fields that no manager ever owns."""


@dataclass(frozen=True, slots=True)
class Clash:
    """Another manager owns these paths with other values."""

    manager: Identity
    fields: FieldSet


@dataclass(frozen=True, slots=True)
class ApplyResult:
    """The result of an apply: the object and its managers."""

    object: JsonObject
    managers: Managers


@dataclass(frozen=True, slots=True)
class Clashed:
    """The apply is rejected because of fields that others own."""

    clashes: tuple[Clash, ...]


def _with_version(stored: JsonObject, api_version: str) -> JsonObject:
    return {**stored, "apiVersion": api_version}


@dataclass(frozen=True, slots=True)
class MergeContext:
    """The properties of a kind that an apply or update depends on."""

    api_version: str
    """The version of the request."""
    root_of: Callable[[str], Node | None]
    """Returns the schema of the object in a version, ``None`` for versions that the server no longer knows.

    Raises ``MergeError`` if a server fails for such a version.
    """
    reset: FieldSet = EMPTY
    """Fields that writers of the main resource never own, such as ``status``."""
    convert: Callable[[JsonObject, str], JsonObject] = _with_version
    """Returns the object in another version."""
    outlives_schema: bool = False
    """Whether stored objects may violate today's schema, as those of custom resources may."""
    subresource: str = ""
    """The subresource that is written; empty for the object itself."""

    @property
    def root(self) -> Node:
        """The schema of the object in the version of the request; raises ``MergeError`` if there is none."""
        node = self.root_of(self.api_version)
        if node is None:
            raise MergeError(f"no corresponding type for {self.api_version}")
        return node

    def seen_in(self, stored: JsonObject, api_version: str) -> JsonObject:
        """Return an object in a version; raise ``MergeError`` if its schema there does not allow it."""
        if stored.get("apiVersion", self.api_version) == api_version:
            return stored
        converted = self.convert(stored, api_version)
        fault = check(self.root_of(api_version) or Node(Shape.ANY), converted)
        if fault:
            raise MergeError(fault)
        return converted


def apply(
    live: JsonObject, config: JsonObject, managers: Managers, manager: str, *, context: MergeContext, force: bool
) -> ApplyResult | Clashed:
    """Return the result of a server-side apply by ``manager``; raise ``MergeError`` for inconvertible objects."""
    identity = Identity(manager, APPLY, "", context.subresource)
    known = reconcile(managers, live, context)
    last = known.get(identity)
    wanted = field_set(context.root, config).without(context.reset)
    claimed = {**known, identity: Owned(wanted, context.api_version, last.time if last else None)}
    merged = mapping(merge(context.root, live, config))
    pruned = _prune(merged, claimed, last, context) if last and _has_dropped_fields(last, claimed[identity]) else merged
    differences = _differences(live, pruned, claimed, context)
    clashes = tuple(_clashes(claimed, identity, differences))
    if clashes and not force:
        return Clashed(clashes)
    left = _without_lost_fields(claimed, identity, differences)
    time = claimed[identity].time if same(live, pruned) else NOW
    left[identity] = Owned(left[identity].fields - STRIPPED, context.api_version, time)
    return ApplyResult(pruned, _without_empty(left))


def _without_empty(managers: Managers) -> Managers:
    return {identity: owned for identity, owned in managers.items() if owned.fields}


def _differences(
    old: JsonObject, new: JsonObject, managers: Managers, context: MergeContext
) -> Mapping[str, Comparison]:
    """Return the differences of an object in the version of the request and in those of all managers."""
    versions = {context.api_version, *(owned.api_version for owned in managers.values())}
    return {version: _difference_in(version, old, new, context) for version in versions}


def _difference_in(version: str, old: JsonObject, new: JsonObject, context: MergeContext) -> Comparison:
    node = context.root_of(version)
    assert node is not None, "reconciling leaves no manager of an unknown version"
    return compare(node, context.seen_in(old, version), context.seen_in(new, version)).without(context.reset)


def _clashes(managers: Managers, mine: Identity, differences: Mapping[str, Comparison]) -> Iterable[Clash]:
    """Yield the fields of other managers that the write adds or changes."""
    for identity, owned in managers.items():
        difference = differences[owned.api_version]
        fields = owned.fields & (difference.modified | difference.added)
        if identity != mine and fields:
            yield Clash(identity, fields)


def _without_lost_fields(
    managers: Managers, mine: Identity, differences: Mapping[str, Comparison]
) -> dict[Identity, Owned]:
    """Return the managers after a write took, changed and removed fields of the others."""
    lost = {version: each.modified | each.added | each.removed for version, each in differences.items()}
    return {
        identity: owned if identity == mine else _with_fields(owned, owned.fields - lost[owned.api_version])
        for identity, owned in managers.items()
    }


def _has_dropped_fields(last: Owned, now: Owned) -> bool:
    """Return whether a manager owned fields that it no longer applies; only then fields are pruned."""
    return bool(last.fields - now.fields) or (bool(last.fields) and last.api_version != now.api_version)


def _prune(merged: JsonObject, managers: Managers, last: Owned, context: MergeContext) -> JsonObject:
    """Remove the fields that the manager applied last time and that no manager owns now.

    This happens in the version of the last apply; the fields of other managers are added back in the version of each.
    """
    before = context.seen_in(merged, last.api_version)
    node = context.root_of(last.api_version) or Node(Shape.ANY)
    dropped = with_named_fields(node, last.fields)
    pruned = mapping(remove(node, before, dropped))
    versions = dict.fromkeys((last.api_version, *sorted(owned.api_version for owned in managers.values())))
    for version in versions:
        owned = _union(each.fields for each in managers.values() if each.api_version == version)
        pruned = _with_owned(before, pruned, owned, version, context)
    left = _named_fields(node, context.seen_in(pruned, last.api_version))
    gone = (_named_fields(node, before) - left) & dropped
    return context.seen_in(mapping(remove(node, before, gone)), context.api_version)


def _with_owned(
    merged: JsonObject, pruned: JsonObject, owned: FieldSet, version: str, context: MergeContext
) -> JsonObject:
    """Return the pruned object with all fields that managers of a version own in the merged object."""
    node = context.root_of(version) or Node(Shape.ANY)
    merged, pruned = context.seen_in(merged, version), context.seen_in(pruned, version)
    kept = _named_fields(node, pruned) | with_named_fields(node, owned)
    return mapping(remove(node, merged, _named_fields(node, merged) - kept))


def _named_fields(node: Node, value: Json) -> FieldSet:
    return with_named_fields(node, field_set(node, value))


def _union(sets: Iterable[FieldSet]) -> FieldSet:
    whole = EMPTY
    for each in sets:
        whole |= each
    return whole


def update(live: JsonObject, new: JsonObject, managers: Managers, manager: str, context: MergeContext) -> Managers:
    """Return the managers after a write that is not an apply: the writer owns the fields it added or changed.

    Raises ``MergeError`` if the object cannot be converted to the version of a manager.
    """
    known = reconcile(managers, live, context)
    differences = _differences(live, new, known, context)
    others = _without_empty(_without_lost_fields(known, Identity("", "", ""), differences))
    difference = differences[context.api_version]
    written = (difference.modified | difference.added) - STRIPPED
    if not written:
        return others
    identity = Identity(manager, UPDATE, context.api_version, context.subresource)
    kept = others[identity].fields if identity in others else EMPTY
    return {**others, identity: Owned(kept | written, context.api_version, NOW)}


def reconcile(managers: Managers, live: JsonObject, context: MergeContext) -> Managers:
    """Return the managers adapted to today's schema; those with a version that is gone are dropped."""
    nodes = {owned.api_version: context.root_of(owned.api_version) for owned in managers.values()}
    for version, node in nodes.items():
        if node is not None:
            context.seen_in(live, version)
    return {
        identity: _with_fields(owned, _reconcile_fields(node, owned.fields))
        for identity, owned in managers.items()
        if (node := nodes[owned.api_version]) is not None
    }


def _with_fields(owned: Owned, fields: FieldSet) -> Owned:
    return owned if fields is owned.fields else replace(owned, fields=fields)


def _reconcile_fields(node: Node, fields: FieldSet) -> FieldSet:
    """Replace owned parts of a map or list by the whole of it if the schema has made it atomic.

    Ownership of a whole that has become granular stays unchanged: the server treats it as granular from the start.
    """
    whole, children = set(), {}
    for element, inner in fields.children.items():
        there = below(node, element)
        if form_of(there, {}) is MergeForm.ATOMIC:
            whole.add(element)
        else:
            children[element] = _reconcile_fields(there, inner)
    if not whole and all(children[element] is inner for element, inner in fields.children.items()):
        return fields
    return FieldSet(fields.members | whole, children)
