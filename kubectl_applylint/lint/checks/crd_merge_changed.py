"""Lists and maps of custom resources whose merge type changes."""

from collections.abc import Iterator

from kubectl_applylint.core.paths import Field, Index, Path, fields
from kubectl_applylint.core.state import Present
from kubectl_applylint.core.values import JsonObject, dig, items, mapping, objects_at
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject

_MARKS = ("x-kubernetes-list-type", "x-kubernetes-list-map-keys", "x-kubernetes-map-type")
_ATOMIC = "as a whole"


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each place of a definition whose schema changes how a list or map merges.

    Facts: version, field (``spec.ports[]``), before and after in words, plural (of the kind).
    """
    live = subject.state.live
    earlier = {v["name"]: v for _, v in _versions(live.object)} if isinstance(live, Present) else {}
    names = dig(subject.manifest, "spec", "names")
    for position, version in _versions(subject.manifest):
        path: Path = (*fields("spec", "versions"), Index(position), *fields("schema", "openAPIV3Schema"))
        before = _root(earlier.get(version["name"], {}))
        for where, name, old, new in _changes(path, "", before, _root(version)):
            facts = {"version": version["name"], "field": name, "before": old, "after": new}
            yield Hit(where, {**facts, "plural": mapping(names).get("plural", "")})


def _versions(definition: JsonObject) -> list[tuple[int, JsonObject]]:
    """Return the named versions with their positions."""
    versions = objects_at(definition, "spec", "versions")
    return [(place, version) for place, version in enumerate(versions) if isinstance(version.get("name"), str)]


def _root(version: JsonObject) -> JsonObject:
    """Return the schema of a version."""
    return mapping(mapping(version.get("schema")).get("openAPIV3Schema"))


def _changes(path: Path, name: str, before: JsonObject, after: JsonObject) -> Iterator[tuple[Path, str, str, str]]:
    """Yield the paths of changed merge types: path, field name, before and after."""
    if not before or not after or before.get("type") != after.get("type"):
        return
    old, new = _merge_type(before), _merge_type(after)
    if old != new:
        yield path, name, old, new
    inner, known = mapping(after.get("properties")), mapping(before.get("properties"))
    for key in inner:
        below, there = f"{name}.{key}".removeprefix("."), (*path, Field("properties"), Field(key))
        yield from _changes(there, below, mapping(known.get(key)), mapping(inner[key]))
    for key, mark in (("items", "[]"), ("additionalProperties", ".*")):
        yield from _changes((*path, Field(key)), name + mark, mapping(before.get(key)), mapping(after.get(key)))


def _merge_type(node: JsonObject) -> str:
    """Return how values of a schema merge, empty for other values than lists and maps."""
    if node.get("type") == "array":
        listed = node.get(_MARKS[1])
        keys = ", ".join(map(str, items(listed)))
        return {"map": f"by {keys}", "set": "by value"}.get(str(node.get(_MARKS[0])), _ATOMIC)
    return (_ATOMIC if node.get(_MARKS[2]) == "atomic" else "by field") if node.get("type") == "object" else ""
