"""Server-side apply: an object, a configuration and the managers in; the merged object and new managers, or clashes.

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

NOW: Final = Unknown("the time of the write")
STRIPPED: Final = of_paths(
    [
        *((f"f:{name}",) for name in ("apiVersion", "kind", "metadata")),
        *(("f:metadata", f"f:{name}") for name in (*METADATA, "name", "namespace", "clusterName")),
    ]
)
"""What no manager ever owns."""


@dataclass(frozen=True, slots=True)
class Clash:
    """Another manager owns these paths with other values."""

    manager: Identity
    fields: FieldSet


@dataclass(frozen=True, slots=True)
class ApplyResult:
    """What an apply makes: the object and its managers."""

    object: JsonObject
    managers: Managers


@dataclass(frozen=True, slots=True)
class Clashed:
    """The apply is refused because of what others own."""

    clashes: tuple[Clash, ...]


def _with_version(stored: JsonObject, api_version: str) -> JsonObject:
    return {**stored, "apiVersion": api_version}


@dataclass(frozen=True, slots=True)
class MergeContext:
    """What an apply or update needs to know of the kind of an object."""

    api_version: str
    """The version of the request."""
    root_of: Callable[[str], Node | None]
    """Gives the schema of the object in a version, ``None`` for versions that a server does not know any more; raises
    ``MergeError`` where a server fails because of that."""
    reset: FieldSet = EMPTY
    """Fields that writers of the main resource never own, such as ``status``."""
    convert: Callable[[JsonObject, str], JsonObject] = _with_version
    """Gives the object in another version."""
    outlives_schema: bool = False
    """Whether stored objects may not fit today's schema, as those of custom resources may not."""
    subresource: str = ""
    """What the write goes to; empty for the object itself."""

    @property
    def root(self) -> Node:
        """The schema of the object in the version of the request; raises ``MergeError`` if there is none."""
        node = self.root_of(self.api_version)
        if node is None:
            raise MergeError(f"no corresponding type for {self.api_version}")
        return node

    def seen_in(self, stored: JsonObject, api_version: str) -> JsonObject:
        """Return an object in a version; raise ``MergeError`` where its schema there does not allow it."""
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
    """Return the outcome of a server-side apply by ``manager``; raise ``MergeError`` for what cannot be converted."""
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
    """Return how an object changes as seen in the version of the request and in those of all managers."""
    versions = {context.api_version, *(owned.api_version for owned in managers.values())}
    return {version: _difference_in(version, old, new, context) for version in versions}


def _difference_in(version: str, old: JsonObject, new: JsonObject, context: MergeContext) -> Comparison:
    node = context.root_of(version)
    assert node is not None, "reconciling leaves no manager of an unknown version"
    return compare(node, context.seen_in(old, version), context.seen_in(new, version)).without(context.reset)


def _clashes(managers: Managers, mine: Identity, differences: Mapping[str, Comparison]) -> Iterable[Clash]:
    """Yield what other managers own among the fields that the write adds or changes."""
    for identity, owned in managers.items():
        difference = differences[owned.api_version]
        fields = owned.fields & (difference.modified | difference.added)
        if identity != mine and fields:
            yield Clash(identity, fields)


def _without_lost_fields(
    managers: Managers, mine: Identity, differences: Mapping[str, Comparison]
) -> dict[Identity, Owned]:
    """Return the managers after a write took, changed and removed fields of all but its own."""
    lost = {version: each.modified | each.added | each.removed for version, each in differences.items()}
    return {
        identity: owned if identity == mine else _with_fields(owned, owned.fields - lost[owned.api_version])
        for identity, owned in managers.items()
    }


def _has_dropped_fields(last: Owned, now: Owned) -> bool:
    """Tell whether a manager owned anything that it does not apply any more; otherwise there is nothing to prune."""
    return bool(last.fields - now.fields) or (bool(last.fields) and last.api_version != now.api_version)


def _prune(merged: JsonObject, managers: Managers, last: Owned, context: MergeContext) -> JsonObject:
    """Take out what the manager applied last time and nobody owns any more.

    This happens in the version of the last apply; what other managers own is added back in the version of each.
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
    """Return what was pruned with all that managers who wrote in a version own of the merged object."""
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
    """Return the managers after a write that is no apply: the writer owns what it changed or added.

    Raises ``MergeError`` where the object cannot be seen in the version of some manager.
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
    """Return the managers as today's schema sees them; those that wrote in a version that is gone are forgotten."""
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
    """Lift what is owned inside a map or list to the whole of it where the schema has made it atomic.

    Ownership of a whole that has become granular stays as it is: the server treats it as granular from the start.
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
