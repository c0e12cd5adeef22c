"""Versioned objects of kapp: each change creates a new name, and references follow it.

Mirrors ``change_set_with_versioned_rs.go`` and ``versioned_resource.go`` in ``pkg/kapp/diff`` of kapp 0.64.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import Json, JsonObject, dig, items, mapping, objects_at, text_at
from kubectl_applylint.tools.kapp.app import IDENTITY, unique_key
from kubectl_applylint.tools.kapp.defaults import GROUP
from kubectl_applylint.tools.kapp.diff_text import yaml_text
from kubectl_applylint.tools.kapp.matchers import KappError, is_for
from kubectl_applylint.tools.kapp.paths import PathError, annotations_of, change_objects, path_text, read_path
from kubectl_applylint.tools.kapp.rules import KappRules, description

VERSIONED: Final = f"{GROUP}/versioned"
_KEEPS_ORIGINAL: Final = f"{GROUP}/versioned-keep-original"
_NUMBER: Final = f"{GROUP}/num-versions"
_NOOP: Final = f"{GROUP}/noop"
_EXPLICIT: Final = f"{GROUP}/versioned-explicit-ref"
_SEPARATOR: Final = "-ver-"
_KEPT: Final = 5


@dataclass(frozen=True, slots=True)
class Versions:
    """Objects of a deploy with their versioned names."""

    objects: tuple[JsonObject, ...]
    """The objects under the names with which they are deployed."""
    added: frozenset[int]
    """The indexes of objects that are new versions."""
    sources: tuple[int, ...] = field(repr=False)
    """The index of each object in the input."""
    dropped: tuple[JsonObject, ...] = field(repr=False)
    """The old versions to delete."""


def versions(
    objects: Sequence[JsonObject],
    existing: Sequence[JsonObject],
    rules: KappRules,
    is_same: Callable[[JsonObject, JsonObject], bool],
) -> Versions:
    """Return objects with versioned names; ``is_same`` compares the last version with a new object.

    ``existing`` are the live objects that kapp reads. Raises ``KappError`` and ``PathError`` with kapp's message.
    """
    groups = _version_groups(existing)
    last = {key: found[-1] for key, found in groups.items()}
    parts = tuple(_parts(objects))
    named = [_with_next_number(item, last) if is_versioned else item for _, item, is_versioned in parts]
    places = [place for place, part in enumerate(parts) if part[2]]
    for place in (*places, *places):
        before = last.get(_group(named[place]))
        used = before if before is not None and is_same(before, named[place]) else named[place]
        named = [_update_references(item, used, rules) for item in named]
    for place in places:
        if _NOOP in annotations_of(named[place]) and _group(named[place]) in last:
            raise KappError("panic: Unexpected change op noop")
    kept = {place: before for place in places if (before := last.get(_group(named[place])))}
    same = {place: before for place, before in kept.items() if is_same(before, named[place])}
    final = tuple(
        _rename(item, ref_of(same[place]).name) if place in same else item for place, item in enumerate(named)
    )
    sizes = {_group(named[place]): _number(named[place]) for place in places}
    dropped = (item for key, found in groups.items() for item in found[: max(0, len(found) - sizes.get(key, 0))])
    sources = tuple(position for position, _, _ in parts)
    return Versions(final, frozenset(places) - same.keys(), sources, tuple(dropped))


def is_version(item: JsonObject) -> bool:
    """Return whether a live object is a version of a versioned object."""
    has_number = bool(_split_version(ref_of(item).name)[1])
    return has_number and VERSIONED in annotations_of(item) and IDENTITY in annotations_of(item)


def _parts(objects: Sequence[JsonObject]) -> Iterator[tuple[int, JsonObject, bool]]:
    """Yield the objects with index and whether they are versioned; some are also deployed unversioned."""
    for position, item in enumerate(objects):
        annotations = annotations_of(item)
        is_versioned = VERSIONED in annotations
        yield position, item, is_versioned
        if is_versioned and _KEEPS_ORIGINAL in annotations:
            yield position, item, False


def _version_groups(existing: Iterable[JsonObject]) -> Mapping[str, Sequence[JsonObject]]:
    """Return the live versions by the key of their object, sorted by version."""
    groups: dict[str, list[JsonObject]] = {}
    for item in existing:
        if is_version(item):
            groups.setdefault(_group(item), []).append(item)
    return {key: sorted(found, key=_version) for key, found in groups.items()}


def _split_version(name: str) -> tuple[str, str]:
    """Return name and version number in the name of a version."""
    base, found, number = name.rpartition(_SEPARATOR)
    return (base, number) if found else (name, "")


def _version(item: JsonObject) -> int:
    """Return the version number of an object."""
    number = _split_version(ref_of(item).name)[1]
    return int(number) if number.isdecimal() else 0


def _group(item: JsonObject) -> str:
    """Return the key of a versioned object."""
    return unique_key(item, _split_version(ref_of(item).name)[0])


def _with_next_number(item: JsonObject, last: Mapping[str, JsonObject]) -> JsonObject:
    """Return an object under the name of its next version."""
    before = last.get(_group(item))
    number = _version(before) + 1 if before is not None else 1
    return _rename(item, f"{ref_of(item).name}{_SEPARATOR}{number}")


def _rename(item: JsonObject, name: str) -> JsonObject:
    """Return an object with another name."""
    return {**item, "metadata": {**mapping(item.get("metadata")), "name": name}}


def _number(item: JsonObject) -> int:
    """Return the number of versions to keep; raise ``KappError`` for an invalid annotation."""
    text = annotations_of(item).get(_NUMBER)
    if text is None:
        return _KEPT
    if not str(text).lstrip("+-").isdecimal():
        raise KappError(f"Expected annotation '{_NUMBER}' value to be an integer")
    if int(str(text)) < 1:
        raise KappError(f"Expected annotation '{_NUMBER}' value to be a >= 1")
    return int(str(text))


def _update_references(item: JsonObject, used: JsonObject, rules: KappRules) -> JsonObject:
    """Return an object with its references to a versioned object updated to the current name."""
    chosen = (rule for rule in rules.section("templateRules") if is_for(rule.get("resourceMatchers"), used))
    for rule in chosen:
        for place in objects_at(rule, "affectedResources", "objectReferences"):
            if is_for(place.get("resourceMatchers"), item):
                item = _replace_reference(item, place, used)
        item = _update_explicit_references(item, used)
    return item


def _replace_reference(item: JsonObject, place: JsonObject, used: JsonObject) -> JsonObject:
    """Return an object with the references at one place updated."""
    key, path = text_at(place, "nameKey") or "name", read_path(items(place.get("path")))
    try:
        return mapping(change_objects(item, path, lambda reference: _point_reference(reference, key, used)))
    except PathError as fault:
        where = f"ObjectRefSetMod for path '{path_text(path)}' on resource '{description(item)}'"
        raise PathError(f"{where}: {fault}") from None


def _point_reference(reference: JsonObject, key: str, used: JsonObject) -> JsonObject:
    """Return a reference with the current name if it refers to the versioned object."""
    ref = ref_of(used)
    base = _split_version(ref.name)[0]
    wanted = {"namespace": ref.namespace, "kind": ref.kind, "apiVersion": ref.api_version}
    is_other = any(reference.get(name) and reference[name] != value for name, value in wanted.items())
    return reference if reference.get(key) != base or is_other else {**reference, key: ref.name}


def _update_explicit_references(item: JsonObject, used: JsonObject) -> JsonObject:
    """Return an object with its explicit references updated, which kapp rewrites each time."""
    found = annotations_of(item)
    named = {
        key: _update_explicit_reference(key, text, used)
        for key, text in found.items()
        if f"{key}.".startswith(f"{_EXPLICIT}.")
    }
    if not named:
        return item
    return {**item, "metadata": {**mapping(dig(item, "metadata")), "annotations": {**found, **named}}}


def _update_explicit_reference(key: str, text: Json, used: JsonObject) -> str:
    """Return the text of an updated explicit reference; raise ``KappError`` if it is incomplete."""
    entries = (line.partition(":") for line in str(text).splitlines() if line.strip())
    reference = {name.strip(): value.strip().strip("\"'") for name, _, value in entries}
    if not {"apiVersion", "kind", "name"} <= reference.keys():
        raise KappError(
            f"Parsing versioned explicit ref on resource '{key}': Expected versioned explicit reference to specify"
            " non-empty apiVersion, kind and name keys"
        )
    return yaml_text(_point_reference(reference, "name", used))
