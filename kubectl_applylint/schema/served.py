"""Which versions of Kubernetes serve which built-in kinds in which API version, since 1.16.

``scripts/generate_lifecycle.py`` writes the table and describes its format. The groups of the table belong to
Kubernetes: a CustomResourceDefinition needs a dot in its group, and the groups that end in ``k8s.io`` are listed one by
one, so that ``gateway.networking.k8s.io`` or ``metrics.k8s.io`` are none of them.
"""

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from functools import cache, lru_cache
from typing import Final

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.spelling import nearest
from kubectl_applylint.core.state import HOMES
from kubectl_applylint.schema import tables
from kubectl_applylint.schema.types import Gvk, Schema

_FOREVER: Final = 10_000


class Standing(Enum):
    """Whether servers of a minor serve a kind in a version."""

    SERVED = "served"
    OPTIONAL = "served only if --runtime-config enables it"
    REMOVED = "served by an earlier minor"
    LATER = "served by a later minor"
    NEVER = "never served"
    UNKNOWN = "in a group that is not built into Kubernetes, or in an unknown minor version"

    @property
    def is_refused(self) -> bool:
        """Whether kubectl finds no such kind."""
        return self in (Standing.REMOVED, Standing.LATER, Standing.NEVER)


@dataclass(frozen=True, slots=True)
class Life:
    """The minors that serve a kind in one version; ``last`` is a very large number if it is still served."""

    first: int
    last: int
    namespaced: bool
    optional: bool
    replacement: str
    """The apiVersion that replaces it, empty if none is declared."""


def minor_of(version: str) -> int:
    """Return the minor of a version spelled ``1.36``."""
    return int(version.partition(".")[2])


def standing(version: str, gvk: Gvk) -> Standing:
    """Return whether a server of a Kubernetes version (``1.36``) serves a kind."""
    minor, life = minor_of(version), lifetimes().get(gvk)
    if not all(gvk) or group_of(gvk[0]) not in _groups():
        return Standing.UNKNOWN
    if life is None:
        is_told = minor <= tables.NEWEST and tables.kind(min(max(minor, tables.OLDEST), tables.NEWEST), gvk) is None
        return Standing.NEVER if is_told else Standing.UNKNOWN
    if minor > life.last:
        return Standing.REMOVED
    if minor < life.first:
        return Standing.LATER
    return Standing.OPTIONAL if life.optional else Standing.SERVED


def standing_in(schema: Schema, gvk: Gvk) -> Standing:
    """Return whether the server serves a kind: discovery decides, then the version of Kubernetes."""
    return Standing.SERVED if gvk in schema.discovered else standing(schema.asked, gvk)


def is_namespaced(gvk: Gvk) -> bool | None:
    """Return whether a built-in kind is namespaced in a version that was ever served, ``None`` for all others."""
    life = lifetimes().get(gvk)
    return life.namespaced if life else None


@lru_cache(maxsize=512)
def successor(version: str, gvk: Gvk) -> Gvk | None:
    """Return the version in which a server of a Kubernetes version serves the kind's objects now, or ``None``.

    Stable versions come first, those that have to be enabled last.
    """
    api_version, kind = gvk
    group = group_of(api_version)
    inside = [
        other for other in lifetimes() if other[1] == kind and group_of(other[0]) in (group, HOMES.get((group, kind)))
    ]
    found = sorted((other for other in inside if _is_served(version, other)), key=lambda one: _rank(version, one))
    if found:
        return found[0]
    life = lifetimes().get(gvk)
    return successor(version, (life.replacement, kind)) if life and life.replacement else None


def suggestions(version: str, gvk: Gvk) -> tuple[Gvk, ...]:
    """Return suggestions for a kind that is not served: the kind in other versions, or one with a similar name."""
    api_version, kind = gvk
    here = sorted((gvk for gvk in lifetimes() if _is_served(version, gvk)), key=lambda one: _rank(version, one))
    same = [one for one in here if one[1] == kind]
    if same:
        return tuple(one for one in same if group_of(one[0]) == group_of(api_version)) or tuple(same)
    close = nearest(kind, (one[1] for one in here if group_of(one[0]) == group_of(api_version)))
    close = close or nearest(kind, (one[1] for one in here))
    return tuple(one for one in here if one[1] == close)[:1]


def is_built_in(api_version: str) -> bool:
    """Return whether the group of an API version is one of Kubernetes itself."""
    return group_of(api_version) in _groups()


def group_of(api_version: str) -> str:
    """Return the group of an apiVersion, empty for the core group and for malformed text."""
    return api_version.rpartition("/")[0]


def _is_served(version: str, gvk: Gvk) -> bool:
    """Return whether a Kubernetes version serves a kind, perhaps after it is enabled."""
    return standing(version, gvk) in (Standing.SERVED, Standing.OPTIONAL)


def _rank(version: str, gvk: Gvk) -> tuple[bool, bool, int, str, str]:
    """Return the sort key of versions: enabled ones, stable ones and newer ones come first."""
    name = gvk[0].rpartition("/")[2]
    is_off = standing(version, gvk) is Standing.OPTIONAL
    return (is_off, not name.removeprefix("v").isdigit(), -lifetimes()[gvk].first, *gvk)


@cache
def _groups() -> frozenset[str]:
    """Return all groups of the table."""
    return frozenset(group_of(api_version) for api_version, _ in lifetimes())


@cache
def lifetimes() -> Mapping[Gvk, Life]:
    """Return the minors that serve each kind in each version."""
    return dict(_parse_lines(tables.lines("lifecycle.tsv")))


def _parse_lines(lines: Iterable[str]) -> Iterator[tuple[Gvk, Life]]:
    """Yield the kinds of the table with their lifetimes."""
    for line in lines:
        api_version, kind, first, last, scope, off, replacement = line.split("\t")
        life = Life(int(first or 0), int(last or _FOREVER), scope == "Namespaced", off == "off", replacement)
        yield (api_version, kind), life
