"""What there is to see of a cluster, whoever has looked: live objects, what is around them, and what cannot be had."""

from collections.abc import Mapping

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.state import UNSEEN, ClusterView, Knowledge, ObjectRef
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.schema.types import Gvk


@dataclass(frozen=True, slots=True)
class States:
    """What is known of each object that was asked for, and each reason why something is not, told once."""

    states: Mapping[ObjectRef, Knowledge]
    problems: tuple[Problem, ...]
    served: frozenset[Gvk] = frozenset()
    """The kinds among them that the cluster serves, whether or not their objects and definitions may be read."""
    unserved: Mapping[Gvk, str] = field(default_factory=dict)
    """Those that it does not serve, which no problem tells, each with what may help."""


@dataclass(frozen=True, slots=True)
class Objects:
    """Live objects, sorted by namespace, kind and name, and why some may be missing."""

    objects: tuple[JsonObject, ...]
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class Neighbours:
    """What is known around the objects of a run, and in words what is not."""

    surroundings: ClusterView = UNSEEN
    notes: tuple[str, ...] = ()
