"""The values that describe a kind: one ``Node`` per field, one ``Kind`` per group, version and kind."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import TypeAlias

from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.values import MISSING, Json, JsonObject, Missing


class Shape(StrEnum):
    """The type of a field's value. ``ANY`` is a value whose content no schema describes."""

    OBJECT = "object"
    LIST = "list"
    STRING = "string"
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    ANY = "any"


def _no_fields() -> Mapping[str, "Node"]:
    return {}


@dataclass(frozen=True, slots=True)
class Node:
    """One field of a kind: its type, how a patch or an apply merges it, and its static default.

    ``format`` is OpenAPI's (``int32``, ``int64``, ``double``, ``byte``, ``date-time``) or one of ``quantity``,
    ``int-or-string``, ``duration``, ``micro-time``, ``raw``. ``struct`` is the name of the declared type
    (``io.k8s.api.core.v1.Container``), empty for maps, scalars and lists.
    """

    shape: Shape
    format: str = ""
    struct: str = ""
    item: "Node | None" = None
    """The element of a list."""
    value: "Node | None" = None
    """The value of a map with free keys (``additionalProperties``)."""
    load_fields: Callable[[], Mapping[str, "Node"]] = field(default=_no_fields, repr=False, compare=False)
    """Returns the declared fields; called when a field is looked up, so that an unused type costs nothing."""
    required: tuple[str, ...] = ()
    patch_strategy: tuple[str, ...] = ()
    """``x-kubernetes-patch-strategy``, split: any of ``merge``, ``replace``, ``retainKeys``."""
    merge_key: str = ""
    """``x-kubernetes-patch-merge-key``; empty for lists of scalars and lists that do not merge."""
    list_type: str = ""
    """``x-kubernetes-list-type``: ``atomic``, ``set``, ``map`` or empty."""
    map_keys: tuple[str, ...] = ()
    """``x-kubernetes-list-map-keys``."""
    map_type: str = ""
    """``x-kubernetes-map-type``: ``atomic``, ``granular`` or empty."""
    default: Json | Missing = MISSING
    nullable: bool = False
    preserve_unknown: bool = False
    embedded: bool = False
    """``x-kubernetes-embedded-resource``: holds apiVersion, kind and metadata of its own."""
    omitempty: bool | None = None
    """Whether the server drops the field when it is empty; ``None`` if no Go type is known (custom resources)."""
    omitzero: bool | None = None
    """Whether the server drops a struct that is zero. A struct that is not a pointer and has only ``omitempty`` is
    written as ``{}`` (``null`` for a time). ``None`` as for ``omitempty``."""
    pointer: bool | None = None
    """Whether the server distinguishes zero from absent; ``None`` if no Go type is known."""
    source: JsonObject = field(default_factory=dict, repr=False, compare=False)
    """The OpenAPI document of a custom resource's field, for its validation; empty for built-in kinds."""

    @property
    def fields(self) -> Mapping[str, "Node"]:
        """The declared fields by name; empty except for structs."""
        return self.load_fields()

    @property
    def retains_keys(self) -> bool:
        """Whether a patch of this map drops the live keys that the manifest does not have (a union switch)."""
        return "retainKeys" in self.patch_strategy

    @property
    def merges(self) -> bool:
        """Whether a strategic patch merges this list by element."""
        return "merge" in self.patch_strategy

    @property
    def replaces(self) -> bool:
        """Whether a strategic patch replaces this map as a whole."""
        return "replace" in self.patch_strategy


Gvk: TypeAlias = tuple[str, str]
"""``(apiVersion, kind)``, for example ``("apps/v1", "Deployment")``."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One served kind. ``strategic`` is whether servers accept strategic merge patches for it (built-in kinds)."""

    api_version: str
    name: str
    root: Node = field(repr=False)
    resource: str
    """Plural name in URLs, for example ``deployments``."""
    namespaced: bool
    strategic: bool
    subresources: tuple[str, ...] = ()
    definition: JsonObject = field(default_factory=dict, repr=False, compare=False)
    """The CustomResourceDefinition that declares it; empty for built-in kinds."""
    bundled: str = ""
    """The project and version of a bundled definition; empty if the definition is known to be that of the cluster."""

    @property
    def custom(self) -> bool:
        """Whether a CustomResourceDefinition declares it."""
        return bool(self.definition)


@dataclass(frozen=True, slots=True)
class Schema:
    """All kinds of one Kubernetes version and of the given CRDs.

    ``version`` is ``major.minor`` of the tables in use, ``asked`` the requested version: they differ if no table of
    that version ships.
    """

    version: str
    asked: str
    load_kind: Callable[[Gvk], Kind | None] = field(repr=False, compare=False)
    custom: Mapping[Gvk, Kind] = field(default_factory=dict, repr=False)
    discovered: frozenset[Gvk] = field(default=frozenset(), repr=False)
    """Kinds that a live server was seen to serve, whatever the tables contain for its version."""

    @property
    def bundled(self) -> frozenset[Gvk]:
        """The kinds that only a bundled definition declares."""
        return frozenset(gvk for gvk, kind in self.custom.items() if kind.bundled)

    def without_bundled(self) -> "Schema":
        """Return the schema without the kinds that only a bundled definition declares."""
        return replace(self, custom={gvk: kind for gvk, kind in self.custom.items() if not kind.bundled})

    def kind(self, api_version: str, name: str) -> Kind | None:
        """Return the kind, ``None`` if neither the tables nor the CRDs know it."""
        return self.custom.get((api_version, name)) or self.load_kind((api_version, name))
