"""The entries of ConfigMaps and Secrets, for the checks about pods that need them."""

from collections.abc import Mapping

from kubectl_applylint.core.values import MISSING, Json, JsonObject, equal, mapping

PARTS = ("data", "binaryData", "stringData")
"""The fields with the entries of ConfigMaps and Secrets."""


def entries(manifest: JsonObject) -> Mapping[str, Json]:
    """Return the entries by name."""
    return {key: value for part in PARTS for key, value in mapping(manifest.get(part)).items()}


def differing(before: JsonObject, after: JsonObject) -> list[str]:
    """Return the names of the entries that differ, sorted."""
    old, new = entries(before), entries(after)
    return sorted(key for key in {**old, **new} if not equal(old.get(key, MISSING), new.get(key, MISSING)))
