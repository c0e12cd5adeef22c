"""What a table of defaults is made of."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.values import Json, JsonObject, Missing

Derive: TypeAlias = Callable[[JsonObject], Mapping[str, Json | Missing]]
"""Takes a struct, returns the fields that it gets or loses (``MISSING``); only those that differ from what is there."""


@dataclass(frozen=True, slots=True)
class Derived:
    """Fields of a struct whose default depends on other fields of the same struct.

    ``source`` names those other fields, in dots where they lie deeper: what a person has to change, together with the
    field itself, to get another default.
    """

    fields: tuple[str, ...]
    source: tuple[str, ...]
    derive: Derive


@dataclass(frozen=True, slots=True)
class Defaults:
    """The defaults of one API group, for all of its ``versions`` alike.

    ``constant`` holds, by struct, the fields that are set where they are empty; ``{}`` stands for a struct that is
    there from then on, so that its own defaults apply. ``derived`` runs after it, in order, and before the defaults
    of the structs inside. A struct is named by its type (``PodSpec``: wherever it occurs) or by its place in another
    (``Deployment.spec``).
    """

    package: str
    """Where the group's types are declared, for example ``io.k8s.api.apps``."""
    versions: tuple[str, ...]
    constant: Mapping[str, JsonObject]
    derived: Mapping[str, tuple[Derived, ...]]
