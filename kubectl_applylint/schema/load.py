"""Loads the schema of one Kubernetes version: built-in kinds from the shipped tables, and CRDs from the caller."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from kubectl_applylint.core.records import replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.schema import crd, tables
from kubectl_applylint.schema.types import Gvk, Kind, Schema

_METADATA: Final = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"

_MOST_KNOWN: Final = 200
"""The number of definitions whose kinds are kept."""
_known_kinds: Final[dict[tuple[int, int], tuple[JsonObject, Mapping[Gvk, Kind]]]] = {}

_VERSION = regex(r"v?1\.(?P<minor>\d{1,3})(?:\.\d+)?(?:[-+].*)?\Z")


def load(version: str, *, crds: Sequence[JsonObject] = (), bundled: Sequence[tuple[str, JsonObject]] = ()) -> Schema:
    """Return the schema of a Kubernetes version, spelled ``1.36``, ``1.36.3`` or ``v1.36.3-suffix``.

    ``crds`` are CustomResourceDefinitions; of two that declare the same kind, the later one wins. ``bundled`` are those
    of the catalogue, each after its project and version, for kinds that no other definition declares.

    If no table of that minor ships, the nearest one is used and ``Schema.version`` differs from ``Schema.asked``.
    Raises ``ValueError`` for text that is not a version of Kubernetes.
    """
    match = _VERSION.match(version)
    if match is None:
        raise ValueError(f"not a Kubernetes version: {version!r}; write it like 1.36 or v1.36.3")
    asked = int(match["minor"])
    minor = min(max(asked, tables.OLDEST), tables.NEWEST)
    return Schema(
        version=f"1.{minor}",
        asked=f"1.{asked}",
        load_kind=partial(tables.kind, minor),
        custom=_bundled_kinds(minor, bundled) | _custom(minor, crds),
    )


def _bundled_kinds(minor: int, bundled: Sequence[tuple[str, JsonObject]]) -> dict[Gvk, Kind]:
    """Return the kinds of bundled definitions."""
    found = ((project, _custom(minor, [crd])) for project, crd in bundled)
    return {gvk: replace(kind, bundled=project) for project, kinds in found for gvk, kind in kinds.items()}


def _custom(minor: int, crds: Sequence[JsonObject]) -> dict[Gvk, Kind]:
    """Return the kinds of CRDs."""
    return {gvk: kind for each in crds for gvk, kind in _kinds_of(minor, each).items()}


def _kinds_of(minor: int, definition: JsonObject) -> Mapping[Gvk, Kind]:
    """Return the kinds of a CRD, read once for all units that have this object."""
    key = (minor, id(definition))
    known = _known_kinds.get(key)
    if known is None:
        if len(_known_kinds) >= _MOST_KNOWN:
            _known_kinds.clear()
        # The definition stays alive, so that its id is not reused.
        known = _known_kinds[key] = definition, crd.kinds_of(definition, metadata=tables.struct(minor, _METADATA))
    return known[1]
