"""Explains each changed field of an apply.

Walks the live object, the result, the manifest, last-applied and the owners side by side.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple, TypeAlias

from kubectl_applylint.appliers.kubectl_server import is_migrated
from kubectl_applylint.appliers.last_applied import annotation_of, original_of
from kubectl_applylint.core import gotext
from kubectl_applylint.core.outcome import Change, Provenance, Why
from kubectl_applylint.core.paths import ByKey, Field, Path, PathStep, field
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.server_fields import METADATA
from kubectl_applylint.core.state import LAST_APPLIED, Unknown
from kubectl_applylint.core.values import MISSING, Json, JsonObject, Missing, dig, equal, items, mapping, objects_at
from kubectl_applylint.merge.errors import MergeError
from kubectl_applylint.merge.fieldset import Element, field_element, key_element, to_path
from kubectl_applylint.merge.lookup import OPAQUE
from kubectl_applylint.merge.managed_fields import ManagedFieldsCodec
from kubectl_applylint.merge.server_side import APPLY, Identity, Managers
from kubectl_applylint.merge.typed import MergeForm, TypedError, element_of, form_of
from kubectl_applylint.schema.types import Kind, Node
from kubectl_applylint.server.apply import BEFORE_FIRST_APPLY
from kubectl_applylint.server.kinds import behaviour_of
from kubectl_applylint.tools.kapp.own_annotations import OF_KAPP
from kubectl_applylint.tools.metacontroller import write as metacontroller

_ROLLING_KINDS = {"Deployment", "DaemonSet", "StatefulSet"}
"""Kinds whose controller replaces the pods when the template changes."""
_NOTES: Final = {
    LAST_APPLIED: Why.ANNOTATED,
    metacontroller.ANNOTATION: Why.NOTED,
    **dict.fromkeys(OF_KAPP, Why.REMEMBERED),
}
"""Annotations that appliers write for themselves."""
_SET: Final = Provenance(Why.SET)
_DEFAULTED: Final = Provenance(Why.DEFAULTED)

_EVERYTHING: JsonObject = {}
"""The FieldsV1 tree of a manager that owns everything at a place."""

Trees: TypeAlias = tuple[tuple[str, JsonObject], ...]
"""Managers that own fields at a place, each with its FieldsV1 tree below it."""


class Sides(NamedTuple):
    """The values and owners of one place of the object; ``MISSING`` for an absent value.

    A tuple because an apply makes hundreds of them, and a frozen dataclass takes three times as long to make.
    """

    before: Json | Missing
    after: Json | Missing
    manifest: Json | Missing
    original: Json | Missing = MISSING
    """The value in the last client-side apply."""
    owned: Trees = ()
    """The other managers that own fields here."""
    mine: Trees = ()
    """The fields that earlier server-side applies by the same manager own here."""
    merged_key: str = ""
    """The key of the enclosing list element, if the apply adds that element to a live list."""


Pair: TypeAlias = Callable[[Node, Json], Element | None]
"""Returns the key of a list element, or ``None`` if nothing identifies it."""


@dataclass(frozen=True, slots=True)
class _Walk:
    """How an apply pairs list elements, and whether it is a server-side apply."""

    pair: Pair
    pairs: Callable[[Node], bool]
    """Returns whether the elements of a list are paired."""
    server_side: bool = False
    list_detail: str = ""
    """An addition to the cause of lists that are replaced."""


def changes_of(
    live: JsonObject | None, after: JsonObject, manifest: JsonObject, *, kind: Kind | None, manager: str
) -> tuple[Change, ...]:
    """Return the changes of a client-side apply, and fields that other managers than ``manager`` keep, with causes."""
    return _three_way((live, after, manifest), _last_applied(live), kind, manager)


def replace_changes(
    live: JsonObject | None, after: JsonObject, manifest: JsonObject, *, kind: Kind | None, manager: str
) -> tuple[Change, ...]:
    """Return the changes of a replace, which depends only on the manifest."""
    found = _three_way((live, after, manifest), {}, kind, manager)
    left_out = Provenance(Why.LEFT_OUT)
    return tuple(replace(each, provenance=left_out) if each.after is MISSING else each for each in found)


def kapp_changes(
    live: JsonObject | None, after: JsonObject, manifest: JsonObject, *, kind: Kind | None, manager: str
) -> tuple[Change, ...]:
    """Return the changes of a deploy by kapp, which writes its own annotations only with its second PUT."""
    found = replace_changes(live, after, manifest, kind=kind, manager=manager)
    return tuple(each for each in found if each.after is not MISSING or not _is_of_kapp(each.path))


def _is_of_kapp(path: Path) -> bool:
    last = path[-1] if path else None
    return isinstance(last, Field) and last.name in OF_KAPP


def helm_changes(
    live: JsonObject | None, after: JsonObject, manifest: JsonObject, *, original: JsonObject, kind: Kind | None
) -> tuple[Change, ...]:
    """Return the changes of a patch by Helm, which is based on ``original``, the manifest stored in the release."""
    return _three_way((live, after, manifest), original, kind, "helm")


def dynamic_changes(
    live: JsonObject | None, after: JsonObject, manifest: JsonObject, *, kind: Kind | None, manager: str
) -> tuple[Change, ...]:
    """Return the changes of a sync by Metacontroller, which is based on its own last-applied annotation."""
    return _three_way((live, after, manifest), _last_applied_by_metacontroller(live), kind, manager)


def _three_way(
    sides: tuple[JsonObject | None, JsonObject, JsonObject], original: JsonObject, kind: Kind | None, manager: str
) -> tuple[Change, ...]:
    """Return the explained changes of an apply that merges the live object, ``original`` and the manifest."""
    live, after, manifest = sides
    found = Sides(
        before=MISSING if live is None else live,
        after=after,
        manifest=_as_stored(manifest, kind),
        original=original,
        owned=_other_owners(live or {}, manager),
    )
    return _changes_by(_Walk(_merge_key, _is_keyed_list), found, kind)


def _as_stored(manifest: JsonObject, kind: Kind | None) -> JsonObject:
    """Return a manifest as the server stores it: ``stringData`` of a Secret becomes ``data``."""
    if kind is None or (kind.api_version, kind.name) != ("v1", "Secret"):
        return manifest
    return behaviour_of(kind).convert(manifest) if isinstance(manifest.get("stringData"), dict) else manifest


def server_side_changes(
    live: JsonObject | None,
    after: JsonObject,
    manifest: JsonObject,
    *,
    kind: Kind | None,
    manager: str,
    codec: ManagedFieldsCodec,
    subresource: str = "",
) -> tuple[Change, ...]:
    """Return the changes of a server-side apply, which is based on the owners of each field."""
    mine, others = _split_owners(live or {}, codec.read(live or {}), manager, subresource)
    before = MISSING if live is None else live
    sides = Sides(before, after, manifest=_as_stored(manifest, kind), owned=others, mine=mine)
    detail = "" if kind else "or merged, depending on the definition of its kind"
    return _changes_by(_Walk(_identity, _is_associative, server_side=True, list_detail=detail), sides, kind)


def _split_owners(live: JsonObject, managers: Managers, manager: str, subresource: str) -> tuple[Trees, Trees]:
    """Return the fields of a manager, including those that kubectl migrates to it, and those of the other managers."""
    if live and not managers:
        untracked = ((BEFORE_FIRST_APPLY, _EVERYTHING),)
        return (untracked, ()) if annotation_of(live) is not None else ((), untracked)
    trees = {each: (each.name, owned.fields.to_json()) for each, owned in managers.items()}
    own = Identity(manager, APPLY, "", subresource)
    # Through a subresource kubectl migrates nothing: the server ignores changes to managedFields there.
    mine = {each for each, owned in managers.items() if each == own or (not subresource and is_migrated(each, owned))}
    return tuple(trees[each] for each in trees if each in mine), tuple(trees[e] for e in trees if e not in mine)


def _last_applied(live: JsonObject | None) -> JsonObject:
    try:
        return original_of(annotation_of(live)) if live is not None else {}
    except MergeError:
        return {}


def _last_applied_by_metacontroller(live: JsonObject | None) -> JsonObject:
    try:
        return metacontroller.last_applied_of(live) if live is not None else {}
    except MergeError:
        return {}


def _other_owners(live: JsonObject, manager: str) -> Trees:
    known = objects_at(live, "metadata", "managedFields")
    trees = ((entry.get("manager", ""), mapping(entry.get("fieldsV1"))) for entry in known)
    return tuple((name, tree) for name, tree in trees if isinstance(name, str) and name != manager)


def _changes_by(walk: _Walk, sides: Sides, kind: Kind | None) -> tuple[Change, ...]:
    found: list[Change] = []
    _visit(walk, (), sides, kind.root if kind else OPAQUE, found)
    return tuple(found)


def _visit(walk: _Walk, path: Path, sides: Sides, node: Node, found: list[Change]) -> None:
    """Add the changes of a place and below it to ``found``. Ten nested generators took twice as long."""
    before, after = sides.before, sides.after
    if before is after and not sides.owned:
        return
    if after is MISSING:
        found.append(Change(path, before, MISSING, _removal_cause(sides)))
    elif isinstance(after, dict) and (before is MISSING or isinstance(before, dict)):
        _visit_map(walk, path, sides, node, found)
    elif isinstance(after, list) and walk.pairs(node) and _are_identified(walk.pair, sides, node):
        _visit_list(walk, path, sides, node, found)
    else:
        found.extend(_leaf(walk, path, sides))


def _visit_map(walk: _Walk, path: Path, sides: Sides, node: Node, found: list[Change]) -> None:
    """Add the changes of the fields of a map to ``found``."""
    after, before, fields = mapping(sides.after), mapping(sides.before), node.fields
    if not after and sides.before is MISSING:
        found.extend(_leaf(walk, path, sides))
    for key in dict.fromkeys((*after, *before)):
        was, now = before.get(key, MISSING), after.get(key, MISSING)
        if (was is now and not sides.owned) or (len(path) == 1 and key in METADATA):
            continue
        owned = _owners_below(sides.owned, field_element(key), node) if sides.owned else ()
        if was is not now or owned:
            given, original = _get(sides.manifest, key), _get(sides.original, key)
            mine = _owners_below(sides.mine, field_element(key), node) if sides.mine else ()
            inner = Sides(was, now, given, original, owned, mine, sides.merged_key)
            _visit(walk, (*path, field(key)), inner, fields.get(key) or node.value or OPAQUE, found)


def _get(value: Json | Missing, key: str) -> Json | Missing:
    return value[key] if isinstance(value, dict) and key in value else MISSING


def _owners_below(trees: Trees, element: Element, node: Node) -> Trees:
    inner = [(name, _inner(tree, element, node)) for name, tree in trees]
    return tuple([(name, tree) for name, tree in inner if isinstance(tree, dict)])


def _inner(tree: JsonObject, element: Element, node: Node) -> Json:
    """Return the fields that a manager owns below an element; an atomic map is owned as a whole.

    A key of FieldsV1 may name more fields than the merge key of a patch.
    """
    if tree is _EVERYTHING or node.map_type == "atomic":
        return _EVERYTHING
    if element in tree or not element.startswith("k:"):
        return tree.get(element)
    keys = gotext.decode(element[2:]).items()
    named = (name for name in tree if name.startswith("k:") and _has_all(gotext.decode(name[2:]), keys))
    return next((tree[name] for name in named), None)


def _has_all(found: Json, keys: Iterable[tuple[str, Json]]) -> bool:
    return all(equal(mapping(found).get(name), value) for name, value in keys)


def _is_keyed_list(node: Node) -> bool:
    return node.merges and bool(node.merge_key)


def _merge_key(node: Node, element: Json) -> Element | None:
    key = mapping(element).get(node.merge_key, MISSING)
    return None if key is MISSING or isinstance(key, Unknown) else key_element({node.merge_key: key})


def _is_associative(node: Node) -> bool:
    return form_of(node, []) in (MergeForm.KEYED, MergeForm.SET)


def _identity(node: Node, element: Json) -> Element | None:
    if any(isinstance(value, Unknown) for value in (element, *mapping(element).values())):
        return None
    try:
        return element_of(node, element)
    except TypedError:
        return None


def _are_identified(pair: Pair, sides: Sides, node: Node) -> bool:
    """Return whether every element, before and after, has a key, and the keys afterwards are unique."""
    after = [pair(node, element) for element in items(sides.after)]
    known = [*after, *(pair(node, element) for element in items(sides.before))]
    return None not in known and len(set(after)) == len(after)


def _visit_list(walk: _Walk, path: Path, sides: Sides, node: Node, found: list[Change]) -> None:
    """Add the changes of the paired elements of a list to ``found``."""
    before, after, manifest, original = (
        _by_identity(walk.pair, node, side) for side in (sides.before, sides.after, sides.manifest, sides.original)
    )
    for element in (*after, *(each for each in before if each not in after)):
        step = to_path((element,))[0]
        is_merged = element not in before and sides.before is not MISSING
        inner = Sides(
            before=before.get(element, MISSING),
            after=after.get(element, MISSING),
            manifest=manifest.get(element, MISSING),
            original=original.get(element, MISSING),
            owned=_owners_below(sides.owned, element, node),
            mine=_owners_below(sides.mine, element, node),
            merged_key=_element_key(step) if is_merged else sides.merged_key,
        )
        _visit(walk, (*path, step), inner, node.item or OPAQUE, found)


def _by_identity(pair: Pair, node: Node, value: Json | Missing) -> dict[Element, Json]:
    found: dict[Element, Json] = {}
    for item in items(value):
        element = pair(node, item)
        if element is not None:
            found.setdefault(element, item)
    return found


def _element_key(step: PathStep) -> str:
    return ",".join(f"{name}={value}" for name, value in step.keys) if isinstance(step, ByKey) else ""


def _leaf(walk: _Walk, path: Path, sides: Sides) -> Iterator[Change]:
    """Explain a scalar, a list that does not merge, or a value whose type changes."""
    if not equal(sides.before, sides.after):
        yield Change(path, sides.before, sides.after, _change_cause(walk, path, sides))
    elif sides.manifest is MISSING and sides.owned:
        why, words = (Why.SHARED, f"with {_names(sides)}") if sides.mine else (Why.KEPT, f"(manager {_names(sides)})")
        yield Change(path, sides.before, sides.after, Provenance(why, words, _managers(sides)))


def _names(sides: Sides) -> str:
    return ", ".join(_managers(sides))


def _managers(sides: Sides) -> tuple[str, ...]:
    return tuple(sorted({name for name, _ in sides.owned}))


def _removal_cause(sides: Sides) -> Provenance:
    """Return why a value was removed."""
    if sides.manifest is None:
        return Provenance(Why.NULLED)
    if sides.manifest is MISSING and sides.original is not MISSING:
        return Provenance(Why.DELETED)
    return Provenance(Why.RELEASED) if sides.manifest is MISSING and sides.mine else Provenance(Why.WIPED)


def _change_cause(walk: _Walk, path: Path, sides: Sides) -> Provenance:
    """Return why a value was set, replaced or defaulted."""
    last = path[-1] if path else None
    if isinstance(last, Field) and last.name in _NOTES:
        return Provenance(_NOTES[last.name])
    if sides.manifest is None:
        return Provenance(Why.DEFAULTED, "in place of the null")
    if sides.manifest is MISSING:
        dropped = (sides.original is not MISSING or sides.mine) and sides.before is not MISSING
        return Provenance(Why.DEFAULTED, "since its line was removed from the manifest") if dropped else _DEFAULTED
    if sides.merged_key:
        return Provenance(Why.MERGED, sides.merged_key)
    replaced = isinstance(sides.after, list) and isinstance(sides.before, list)
    taken = f"(taken from {_names(sides)})" if walk.server_side and sides.owned and sides.before is not MISSING else ""
    if not replaced:
        return Provenance(Why.SET, taken) if taken else _SET
    return Provenance(Why.REPLACED, " ".join(filter(None, (walk.list_detail, taken))))


def restarts_of(live: JsonObject | None, after: JsonObject) -> bool | None:
    """Return whether the apply replaces the pods; ``None`` for new objects and kinds that never replace pods.

    With the update strategy ``OnDelete`` a new template takes effect only when a user deletes the pods.
    """
    if live is None or after.get("kind") not in _ROLLING_KINDS:
        return None
    if dig(after, "spec", "updateStrategy", "type") == "OnDelete":
        return False
    return not equal(dig(live, "spec", "template"), dig(after, "spec", "template"))
