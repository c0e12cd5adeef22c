"""The parts of a table of defaults."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.values import Json, JsonObject, Missing

Derive: TypeAlias = Callable[[JsonObject], Mapping[str, Json | Missing]]
"""Takes a struct, returns the fields that it sets or removes (``MISSING``), and only those that change."""


@dataclass(frozen=True, slots=True)
class Derived:
    """Fields of a struct whose default depends on other fields of the same struct.

    ``source`` names those other fields, with dots for deeper ones: to get another default, a user changes them or the
    field itself.
    """

    fields: tuple[str, ...]
    source: tuple[str, ...]
    derive: Derive


@dataclass(frozen=True, slots=True)
class Defaults:
    """The defaults of one API group, equal for all of its ``versions``.

    ``constant`` maps structs to the fields that are set if empty; ``{}`` adds a struct, to which its own defaults
    apply. ``derived`` runs after it, in order, and before the defaults of the structs inside. A struct is named by its
    type (``PodSpec``: wherever it occurs) or by its place in another (``Deployment.spec``).
    """

    package: str
    """The package of the group's types, for example ``io.k8s.api.apps``."""
    versions: tuple[str, ...] = ("v1",)
    constant: Mapping[str, JsonObject] = field(default_factory=dict)
    derived: Mapping[str, tuple[Derived, ...]] = field(default_factory=dict)
