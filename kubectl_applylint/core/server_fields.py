"""The fields that only the server writes, whatever the kind."""

from typing import Final

from kubectl_applylint.core.paths import Path, fields

METADATA: Final = ("creationTimestamp", "generation", "managedFields", "resourceVersion", "selfLink", "uid")
"""Their names in the metadata of every object that exists (apimachinery, ``meta/v1.ObjectMeta``)."""
PATHS: Final[tuple[Path, ...]] = (*(fields("metadata", name) for name in METADATA), fields("status"))
"""Where they stand. Of kinds without a subresource ``status`` an apply writes that as well."""


def is_inside(path: Path) -> bool:
    """Tell whether a place is or lies in a field that only the server writes."""
    return any(path[: len(own)] == own for own in PATHS)
