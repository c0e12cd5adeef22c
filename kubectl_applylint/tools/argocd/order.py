"""The waves in which Argo CD applies objects, and their order within a wave.

Mirrors ``pkg/sync/sync_tasks.go`` and ``getSyncTasks`` of gitops-engine.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.state import Identity, ObjectRef, ref_of
from kubectl_applylint.core.values import JsonObject, text_at
from kubectl_applylint.tools.argocd.application import ArgoSync
from kubectl_applylint.tools.argocd.options import PHASES, SYNC_PHASE, hook_phases, wave_of

_KINDS: Final = (
    "Namespace",
    "NetworkPolicy",
    "ResourceQuota",
    "LimitRange",
    "PodSecurityPolicy",
    "PodDisruptionBudget",
    "ServiceAccount",
    "Secret",
    "SecretList",
    "ConfigMap",
    "StorageClass",
    "PersistentVolume",
    "PersistentVolumeClaim",
    "CustomResourceDefinition",
    "ClusterRole",
    "ClusterRoleList",
    "ClusterRoleBinding",
    "ClusterRoleBindingList",
    "Role",
    "RoleList",
    "RoleBinding",
    "RoleBindingList",
    "Service",
    "DaemonSet",
    "Pod",
    "ReplicationController",
    "ReplicaSet",
    "Deployment",
    "HorizontalPodAutoscaler",
    "StatefulSet",
    "Job",
    "CronJob",
    "IngressClass",
    "Ingress",
    "APIService",
)
Stage: TypeAlias = tuple[int, int]
"""The phase of a sync, by its place in ``PHASES``, and the wave in it."""
_POSITIONS: Final = {kind: place - len(_KINDS) for place, kind in enumerate(_KINDS)}


@dataclass(frozen=True, slots=True)
class Task:
    """One object with its stage; ``place`` is its index in the input."""

    place: int
    item: JsonObject
    stage: Stage

    @property
    def rank(self) -> tuple[Stage, int, str]:
        """The sort key of a task, before dependencies are moved forward."""
        return (self.stage, _POSITIONS.get(ref_of(self.item).kind, 0), ref_of(self.item).name)


def tasks(objects: Sequence[JsonObject], namespace: str) -> list[Task]:
    """Return objects in apply order, each with its stage; a hook of several phases is applied in the first one.

    ``namespace`` is the destination namespace; cluster-scoped objects count as in it.
    """
    ranked = sorted((Task(place, item, stage_of(item)) for place, item in enumerate(objects)), key=lambda one: one.rank)
    homes = _before_users(ranked, _namespace, lambda item: ref_of(item).namespace or namespace)
    return _before_users(homes, _defined_kind, _kind)


def stage_of(item: JsonObject) -> Stage:
    """Return the phase and the wave in which an object is applied."""
    phases = hook_phases(item)
    return (PHASES.index(phases[0]) if phases else SYNC_PHASE, wave_of(item))


def _namespace(item: JsonObject) -> str:
    """Return the name of a Namespace object, ``""`` for other objects."""
    ref = ref_of(item)
    return ref.name if (ref.group, ref.kind) == ("", "Namespace") else ""


def _defined_kind(item: JsonObject) -> str:
    """Return the kind that a CustomResourceDefinition defines as ``GROUP/KIND``, ``""`` for other objects."""
    ref = ref_of(item)
    if (ref.group, ref.kind) != ("apiextensions.k8s.io", "CustomResourceDefinition"):
        return ""
    group, kind = text_at(item, "spec", "group"), text_at(item, "spec", "names", "kind")
    return f"{group}/{kind}" if group and kind else ""


def _kind(item: JsonObject) -> str:
    """Return the kind of an object as ``GROUP/KIND``."""
    ref = ref_of(item)
    return f"{ref.group}/{ref.kind}"


def _before_users(
    ranked: Sequence[Task], made: Callable[[JsonObject], str], used: Callable[[JsonObject], str]
) -> list[Task]:
    """Return the tasks, with each one that creates something moved before its first user and into that stage."""
    found: list[Task] = []
    for task in ranked:
        name = made(task.item)
        first = next((at for at, other in enumerate(found) if not made(other.item) and used(other.item) == name), None)
        if not name or first is None:
            found.append(task)
        else:
            found.insert(first, replace(task, stage=found[first].stage))
    return found


@dataclass(frozen=True, slots=True)
class SyncWait:
    """An endless wait of a sync: ``what`` has to happen to these objects, in task order."""

    what: str
    refs: tuple[ObjectRef, ...]

    def __str__(self) -> str:
        """Return the message of the controller (``setRunningPhase``)."""
        first, more = self.refs[0], len(self.refs) - 1
        others = f" and {more} more resources" if more else ""
        return f"waiting for {self.what} of {first.group}/{first.kind}/{first.name}{others}"


def wait_for(what: str, items: Iterable[JsonObject]) -> SyncWait:
    """Return the wait for these objects, sorted like tasks."""
    ranked = sorted((Task(0, item, (SYNC_PHASE, 0)) for item in items), key=lambda one: one.rank)
    return SyncWait(what, tuple(ref_of(task.item) for task in ranked))


@dataclass(frozen=True, slots=True)
class SyncStep:
    """One step of a sync: it prunes these objects, and applies the objects at these indexes."""

    places: tuple[int, ...]
    pruned: frozenset[Identity]


def steps(
    policy: ArgoSync, stages: Sequence[Stage], leftovers: Iterable[JsonObject]
) -> tuple[tuple[SyncStep, ...], SyncWait | None]:
    """Return the steps of a sync, and the endless wait after them, or ``None``.

    ``stages`` has the stage of each applied object. The waves of pruned objects are recomputed before each step from
    those that still exist.
    """
    there = {ref_of(item).identity: item for item in leftovers}
    todo, pending, found = dict(enumerate(stages)), set(there), list[SyncStep]()
    while todo or pending:
        turned = _prune_stages(policy, there, stages)
        stage = min((*todo.values(), *(turned[name] for name in pending)))
        names = frozenset(name for name in pending if turned[name] == stage)
        asking = [there[name] for name in names if policy.awaits_confirmation(there[name])]
        if asking:
            return tuple(found), wait_for("pruning confirmation", asking)
        found.append(SyncStep(tuple(place for place, own in todo.items() if own == stage), names))
        todo = {place: own for place, own in todo.items() if own != stage}
        pending -= names
        waiting = [there[name] for name in names if policy.keeps_waiting(there[name])]
        if waiting and (todo or pending):
            return tuple(found), wait_for("deletion", waiting)
        there = {name: item for name, item in there.items() if name not in names or not policy.prunes_item(item)}
    return tuple(found), None


def _prune_stages(
    policy: ArgoSync, leftovers: Mapping[Identity, JsonObject], stages: Sequence[Stage]
) -> Mapping[Identity, Stage]:
    """Return the stage in which each leftover object is pruned: in reverse order, or after all waves of its phase."""
    own = {name: wave_of(item) for name, item in leftovers.items()}
    asked = sorted(set(own.values()))
    mirrored = dict(zip(asked, reversed(asked), strict=True))
    turned = {name: mirrored[wave] for name, wave in own.items()}
    waves = (wave for phase, wave in stages if phase == SYNC_PHASE)
    last = max((0, *waves, *turned.values())) + 1
    return {name: (SYNC_PHASE, last if policy.is_last(leftovers[name]) else wave) for name, wave in turned.items()}
