"""The fields that only the server writes, in all kinds."""

from typing import Final

from kubectl_applylint.core.paths import Path, fields

METADATA: Final = ("creationTimestamp", "generation", "managedFields", "resourceVersion", "selfLink", "uid")
"""Their names in the metadata of every object that exists (apimachinery, ``meta/v1.ObjectMeta``)."""
PATHS: Final[tuple[Path, ...]] = (*(fields("metadata", name) for name in METADATA), fields("status"))
"""Their paths. For kinds without a subresource ``status``, an apply writes ``status`` as well."""


def is_inside(path: Path) -> bool:
    """Return whether a path is a field that only the server writes, or inside one."""
    return any(path[: len(own)] == own for own in PATHS)
