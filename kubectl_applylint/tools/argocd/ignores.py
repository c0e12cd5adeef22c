"""Ignored differences of Argo CD (``spec.ignoreDifferences``): fields that a sync takes from the live object.

Mirrors ``normalizeTargetResources`` of the controller of Argo CD 3.5 and 3.6, ``util/argo/normalizers`` and
``util/argo/managedfields``. Ignored fields are removed from both objects, and the removed part of the live object is
merged into the rest of the manifest. A sync does so only with ``RespectIgnoreDifferences=true``; a comparison always
does.
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
"""Kinds without Go types in client-go: they merge like custom resources."""


@dataclass(frozen=True, slots=True)
class IgnoreRule:
    """An entry of ``spec.ignoreDifferences``: matching objects and three ways to name their ignored fields."""

    group: str = ""
    kind: str = ""
    name: str = ""
    namespace: str = ""
    pointers: tuple[str, ...] = ()
    expressions: tuple[str, ...] = ()
    managers: tuple[str, ...] = ()

    def matches(self, item: JsonObject) -> bool:
        """Return whether the rule matches an object."""
        ref = ref_of(item)
        is_named = self.name in ("", ref.name) and self.namespace in ("", ref.namespace)
        return is_named and fnmatchcase(ref.group, self.group) and fnmatchcase(ref.kind, self.kind)

    @property
    def unread(self) -> tuple[str, ...]:
        """The jq expressions that are not predicted."""
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
"""The fields that Argo CD ignores by default."""


@dataclass(frozen=True, slots=True)
class ComparedPair:
    """A manifest and its live object without ignored fields, as Argo CD compares them."""

    manifest: JsonObject
    live: JsonObject


def without_ignored(
    manifest: JsonObject, live: JsonObject, rules: Sequence[IgnoreRule], kind: Kind | None
) -> ComparedPair:
    """Return a manifest and its live object without ignored fields."""
    own = [rule for rule in (*rules, _STATUS) if rule.matches(manifest)]
    stored, wanted = _without_managed(manifest, live, own, kind)
    return ComparedPair(_without(wanted, own), _without(stored, own))


def with_live_values(manifest: JsonObject, live: JsonObject, left: ComparedPair, kind: Kind | None) -> JsonObject:
    """Return a manifest with the live values of its ignored fields.

    Raises ``MergeError`` if the live values cannot be merged.
    """
    lost, whole = (_without_status(each) for each in (left.live, live))
    return _restore_fields(_merge_ignored(left.manifest, lost, whole, kind), manifest, left.manifest, left.live)


def _without_managed(
    manifest: JsonObject, live: JsonObject, rules: Sequence[IgnoreRule], kind: Kind | None
) -> tuple[JsonObject, JsonObject]:
    """Return live object and manifest without the changed fields that managers named by the rules own."""
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
    """Return an object without the fields that the rules name by pointers and expressions."""
    for rule in rules:
        for pointer in rule.pointers:
            item = mapping(_remove(item, _steps(pointer)))
        for expression in rule.expressions:
            item = jq_paths.delete_path(item, expression)
    return item


def _steps(pointer: str) -> tuple[str, ...]:
    """Return the steps of a JSON pointer."""
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:])


def _remove(value: Json, steps: tuple[str, ...]) -> Json:
    """Return a value without the field at a path; unchanged if the field does not exist."""
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
    """Return whether a step is a valid list index."""
    return step.removeprefix("-").isdecimal() and -size <= int(step) < size


def _without_status(item: JsonObject) -> JsonObject:
    return {key: value for key, value in item.items() if key != "status"}


def _merge_ignored(wanted: JsonObject, lost: JsonObject, whole: JsonObject, kind: Kind | None) -> JsonObject:
    """Return a reduced manifest, patched by the difference between the reduced and the whole live object."""
    if kind is None or not kind.strategic or kind.name in _OUTSIDE_THE_SCHEME:
        return json_merge.merge(wanted, json_merge.two_way(lost, whole))
    return strategic.merge(wanted, three_way(whole, whole, lost, kind.root), kind.root)


def _restore_fields(
    patched: JsonObject, manifest: JsonObject, left: Mapping[str, Json], stored: Mapping[str, Json]
) -> JsonObject:
    """Return the merged manifest with its own values for fields that are not ignored."""
    return dict(_kept_fields(patched, manifest, left, stored)) | dict(_restored_fields(patched, manifest, left, stored))


def _kept_fields(
    patched: JsonObject, manifest: JsonObject, left: Mapping[str, Json], stored: Mapping[str, Json]
) -> Iterator[tuple[str, Json]]:
    """Yield the patched fields that stay: those of the manifest, and ignored live ones."""
    return ((key, value) for key, value in patched.items() if key in manifest or key not in stored)


def _restored_fields(
    patched: JsonObject, manifest: JsonObject, left: Mapping[str, Json], stored: Mapping[str, Json]
) -> Iterator[tuple[str, Json]]:
    """Yield the fields of the manifest that the merge must not change."""
    for key, wanted in manifest.items():
        found, bare_value = patched.get(key), left.get(key)
        if isinstance(found, dict) and isinstance(wanted, dict) and isinstance(bare_value, dict):
            yield key, _restore_fields(found, wanted, bare_value, mapping(stored.get(key)))
        elif key in left and equal(bare_value, wanted):
            yield key, wanted
