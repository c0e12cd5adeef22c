"""Results of reading live state."""

from collections.abc import Mapping

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.state import UNSEEN, ClusterView, Knowledge, ObjectRef
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.schema.types import Gvk


@dataclass(frozen=True, slots=True)
class States:
    """The state of each requested object, and each reason for an unknown state, reported once."""

    states: Mapping[ObjectRef, Knowledge]
    problems: tuple[Problem, ...]
    served: frozenset[Gvk] = frozenset()
    """The requested kinds that the cluster serves, whether or not their objects and definitions may be read."""
    unserved: Mapping[Gvk, str] = field(default_factory=dict)
    """The requested kinds that it does not serve, each with advice; no problem reports them."""


@dataclass(frozen=True, slots=True)
class Objects:
    """Live objects, sorted by namespace, kind and name, and the problems of reading them."""

    objects: tuple[JsonObject, ...]
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The admission objects for the objects of a run, and notes about missing ones."""

    surroundings: ClusterView = UNSEEN
    notes: tuple[str, ...] = ()
