"""What Argo CD takes over from the live object before a sync: the fields whose differences it ignores.

Mirrors ``normalizeTargetResources`` of the controller of Argo CD 3.5 and 3.6, ``util/argo/normalizers`` and
``util/argo/managedfields``: ignored fields are taken out of both objects, and what the live one loses by that is laid
over what is left of the manifest. Only ``RespectIgnoreDifferences=true`` does that; otherwise a comparison alone goes
by it.
"""

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Final

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import Json, JsonObject, equal, items, mapping, text_at, texts_at
from kubectl_applylint.merge import json_merge, strategic, typed_merge
from kubectl_applylint.merge.managed_fields import read
from kubectl_applylint.merge.three_way import three_way
from kubectl_applylint.merge.typed import DEDUCED
from kubectl_applylint.merge.typed_check import check
from kubectl_applylint.merge.typed_walk import compare
from kubectl_applylint.schema.types import Kind
from kubectl_applylint.tools.argocd import jq_paths

_OUTSIDE_THE_SCHEME: Final = ("CustomResourceDefinition", "APIService")
"""Kinds that client-go has no types of: they merge as custom resources do."""


@dataclass(frozen=True, slots=True)
class IgnoreRule:
    """An entry of ``spec.ignoreDifferences``: the objects that it is about, and their fields, by any of three ways."""

    group: str = ""
    kind: str = ""
    name: str = ""
    namespace: str = ""
    pointers: tuple[str, ...] = ()
    expressions: tuple[str, ...] = ()
    managers: tuple[str, ...] = ()

    def matches(self, item: JsonObject) -> bool:
        """Tell whether the rule is about an object."""
        ref = ref_of(item)
        is_named = self.name in ("", ref.name) and self.namespace in ("", ref.namespace)
        return is_named and fnmatchcase(ref.group, self.group) and fnmatchcase(ref.kind, self.kind)

    @property
    def unread(self) -> tuple[str, ...]:
        """The expressions that are not predicted."""
        return tuple(each for each in self.expressions if jq_paths.parse_path(each) is None)


def rules_of(entries: Json) -> tuple[IgnoreRule, ...]:
    """Return the rules of ``spec.ignoreDifferences``."""
    return tuple(map(_rule, items(entries)))


def _rule(entry: Json) -> IgnoreRule:
    return IgnoreRule(
        group=text_at(entry, "group"),
        kind=text_at(entry, "kind"),
        name=text_at(entry, "name"),
        namespace=text_at(entry, "namespace"),
        pointers=tuple(texts_at(entry, "jsonPointers")),
        expressions=tuple(texts_at(entry, "jqPathExpressions")),
        managers=tuple(texts_at(entry, "managedFieldsManagers")),
    )


_STATUS: Final = IgnoreRule("*", "*", pointers=("/status",))
"""What Argo CD ignores unless its settings say otherwise."""


@dataclass(frozen=True, slots=True)
class ComparedPair:
    """A manifest and its live object without what is ignored, as they are compared."""

    manifest: JsonObject
    live: JsonObject


def without_ignored(
    manifest: JsonObject, live: JsonObject, rules: Sequence[IgnoreRule], kind: Kind | None
) -> ComparedPair:
    """Return both objects as a sync compares them."""
    own = [rule for rule in (*rules, _STATUS) if rule.matches(manifest)]
    stored, wanted = _without_managed(manifest, live, own, kind)
    return ComparedPair(_without(wanted, own), _without(stored, own))


def with_live_values(manifest: JsonObject, live: JsonObject, left: ComparedPair, kind: Kind | None) -> JsonObject:
    """Return a manifest as it is synced; raise ``MergeError`` where the live values cannot be laid over it."""
    lost, whole = (_without_status(each) for each in (left.live, live))
    return _restore_fields(_merge_ignored(left.manifest, lost, whole, kind), manifest, left.manifest, left.live)


def _without_managed(
    manifest: JsonObject, live: JsonObject, rules: Sequence[IgnoreRule], kind: Kind | None
) -> tuple[JsonObject, JsonObject]:
    """Return the live object and the manifest without what the managers of the rules own and the manifest changes."""
    names = {name for rule in rules for name in rule.managers}
    node = kind.root if kind is not None else DEDUCED
    if not names or check(node, live) or check(node, manifest):
        return live, manifest
    changed = compare(node, live, manifest).modified
    for identity, owned in read(live).items():
        if identity.name in names and (gone := owned.fields & changed):
            live, manifest = (mapping(typed_merge.remove(node, each, gone)) for each in (live, manifest))
    return live, manifest


def _without(item: JsonObject, rules: Sequence[IgnoreRule]) -> JsonObject:
    for rule in rules:
        for pointer in rule.pointers:
            item = mapping(_remove(item, _steps(pointer)))
        for expression in rule.expressions:
            item = jq_paths.delete_path(item, expression)
    return item


def _steps(pointer: str) -> tuple[str, ...]:
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:])


def _remove(value: Json, steps: tuple[str, ...]) -> Json:
    """Return a value without what is at a place, or as it is where nothing is there."""
    step, rest = (steps[0], steps[1:]) if steps else ("", ())
    if isinstance(value, dict) and steps and step in value:
        kept: dict[str, Json] = {key: each for key, each in value.items() if key != step}
        return {**value, step: _remove(value[step], rest)} if rest else kept
    if isinstance(value, list) and steps and _is_place(step, len(value)):
        place = int(step) % len(value)
        changed = [_remove(value[place], rest)] if rest else []
        return [*value[:place], *changed, *value[place + 1 :]]
    return value


def _is_place(step: str, size: int) -> bool:
    return step.removeprefix("-").isdecimal() and -size <= int(step) < size


def _without_status(item: JsonObject) -> JsonObject:
    return {key: value for key, value in item.items() if key != "status"}


def _merge_ignored(wanted: JsonObject, lost: JsonObject, whole: JsonObject, kind: Kind | None) -> JsonObject:
    """Return what is left of a manifest with the patch that leads from what is left of the live object to all of it."""
    if kind is None or not kind.strategic or kind.name in _OUTSIDE_THE_SCHEME:
        return json_merge.merge(wanted, json_merge.two_way(lost, whole))
    return strategic.merge(wanted, three_way(whole, whole, lost, kind.root), kind.root)


def _restore_fields(
    patched: JsonObject, manifest: JsonObject, left: Mapping[str, Json], stored: Mapping[str, Json]
) -> JsonObject:
    """Return the merged manifest with what is not ignored, where a field was replaced for what is ignored in it."""
    return dict(_kept_fields(patched, manifest, left, stored)) | dict(_restored_fields(patched, manifest, left, stored))


def _kept_fields(
    patched: JsonObject, manifest: JsonObject, left: Mapping[str, Json], stored: Mapping[str, Json]
) -> Iterator[tuple[str, Json]]:
    return ((key, value) for key, value in patched.items() if key in manifest or key not in stored)


def _restored_fields(
    patched: JsonObject, manifest: JsonObject, left: Mapping[str, Json], stored: Mapping[str, Json]
) -> Iterator[tuple[str, Json]]:
    for key, wanted in manifest.items():
        found, bare_value = patched.get(key), left.get(key)
        if isinstance(found, dict) and isinstance(wanted, dict) and isinstance(bare_value, dict):
            yield key, _restore_fields(found, wanted, bare_value, mapping(stored.get(key)))
        elif key in left and equal(bare_value, wanted):
            yield key, wanted
