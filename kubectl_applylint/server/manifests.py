"""Returns objects with some fields changed."""

from collections.abc import Mapping

from kubectl_applylint.core.values import MISSING, Json, JsonObject, Missing, mapping


def with_fields(value: JsonObject, changes: Mapping[str, Json | Missing]) -> JsonObject:
    """Return a map with these fields, without those that are ``MISSING``."""
    return {field: item for field, item in {**value, **changes}.items() if item is not MISSING}


def in_metadata(manifest: JsonObject, changes: Mapping[str, Json | Missing]) -> JsonObject:
    """Return an object with changed metadata."""
    return {**manifest, "metadata": with_fields(mapping(manifest.get("metadata")), changes)}


def in_spec(manifest: JsonObject, changes: Mapping[str, Json | Missing]) -> JsonObject:
    """Return an object with a changed spec."""
    return {**manifest, "spec": with_fields(mapping(manifest.get("spec")), changes)}
