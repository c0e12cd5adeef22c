"""Properties that are removed from the schema of a CustomResourceDefinition."""

from collections.abc import Iterator
from typing import Final

from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.state import live_object
from kubectl_applylint.core.values import JsonObject, dig, mapping, objects_at
from kubectl_applylint.lint.checks._selectors import after_apply
from kubectl_applylint.lint.checks._words import short_list
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject

_OPEN: Final = "x-kubernetes-preserve-unknown-fields"


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield ``spec.versions`` once for each set of versions whose schemas lose the same properties.

    Properties below ``status`` do not count, nor those that the new schema preserves as unknown. Facts: versions,
    properties.
    """
    if subject.predict(Scenario.APPLY).refused:
        return
    before, after = _schemas(mapping(live_object(subject.state.live))), _schemas(after_apply(subject))
    versions: dict[str, list[str]] = {}
    for version, schema in before.items():
        lost = [
            path for path in _lost_properties(schema, after.get(version, schema)) if path.partition(".")[0] != "status"
        ]
        versions.setdefault(short_list(lost), []).append(version)
    for properties, same in versions.items():
        if properties:
            yield Hit(fields("spec", "versions"), {"versions": ", ".join(same), "properties": properties})


def _schemas(definition: JsonObject) -> dict[str, JsonObject]:
    """Return the schemas by version; none if the definition preserves every field."""
    spec = mapping(definition.get("spec"))
    versions = [] if spec.get("preserveUnknownFields") is True else objects_at(spec, "versions")
    return {str(each.get("name")): mapping(dig(each, "schema", "openAPIV3Schema")) for each in versions}


def _lost_properties(before: JsonObject, after: JsonObject, path: str = "") -> Iterator[str]:
    """Yield the outermost properties that only the earlier schema has, as ``spec.rules[].host``."""
    if after.get(_OPEN) is True:
        return
    yield from _lost_below(before, after, "items", f"{path}[]")
    yield from _lost_below(before, after, "additionalProperties", f"{path}.*")
    known = mapping(after.get("properties"))
    for name, schema in mapping(before.get("properties")).items():
        where = f"{path}.{name}".lstrip(".")
        if name in known:
            yield from _lost_properties(mapping(schema), mapping(known[name]), where)
        elif not after.get("additionalProperties"):
            yield where


def _lost_below(before: JsonObject, after: JsonObject, part: str, path: str) -> Iterator[str]:
    """Yield the lost properties below one part of the schemas."""
    if isinstance(before.get(part), dict) and isinstance(after.get(part), dict):
        yield from _lost_properties(before[part], after[part], path)
