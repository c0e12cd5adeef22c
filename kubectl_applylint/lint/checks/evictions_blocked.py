"""Disruption budgets that allow no eviction of a healthy pod."""

from collections.abc import Mapping
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.values import Json, dig, mapping
from kubectl_applylint.lint.checks._graph import after_run, names, selected_peers
from kubectl_applylint.lint.checks._selectors import after_apply
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject
from kubectl_applylint.lint.relations import SCALERS, WORKLOADS, kind_of, references

_DAEMONS: Final = "DaemonSet.apps"
_NEVER: Final[Mapping[str, tuple[Json, ...]]] = {"maxUnavailable": (0, "0%"), "minAvailable": ("100%",)}
"""The bounds that allow no eviction for any number of pods."""


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the bound of the budget if it allows no eviction of the selected pods.

    ``params["bound"]``: ``always`` for a bound that allows none for any number of pods, ``replicas`` for a minimum
    equal
    to all replicas of the only selected workload of the run. Facts: value, workloads, replicas.
    """
    spec = mapping(after_apply(subject).get("spec"))
    if subject.predict(Scenario.APPLY).refused or not isinstance(spec.get("selector"), dict):
        return
    every = [(each, _evicted_pods(subject, each)) for each in selected_peers(subject, spec["selector"])]
    evicted = [each for each, count in every if count != 0]
    replicas = next((count for _, count in every if count), None) if len(evicted) == 1 else None
    for name in _NEVER if evicted or not every else ():
        value = spec.get(name)
        is_never = value in _NEVER[name]
        takes_all = not is_never and name == "minAvailable" and replicas and _min_available(value, replicas) >= replicas
        if {"always": is_never, "replicas": takes_all}[params["bound"]]:
            facts = {"value": value, "workloads": names(evicted), "replicas": replicas}
            yield Hit(fields("spec", name), facts, tuple((each, fields("spec"), "its pods") for each in evicted))


def _evicted_pods(subject: Subject, peer: Document) -> int | None:
    """Return the number of pods of a workload that a drain evicts, ``None`` if unknown.

    With a HorizontalPodAutoscaler it is the minimum; a drain ignores the pods of a DaemonSet.
    """
    if kind_of(peer) not in WORKLOADS:
        return None
    if kind_of(peer) == _DAEMONS:
        return 0
    scalers = [scaler for kind in SCALERS for scaler in subject.peers.of_kind(kind) if _scales(scaler, peer)]
    if not scalers:
        return _number(dig(after_run(subject, peer), "spec", "replicas"))
    is_known = scalers[0].ref.kind == "HorizontalPodAutoscaler"
    return _number(dig(after_run(subject, scalers[0]), "spec", "minReplicas")) if is_known else None


def _scales(scaler: Document, peer: Document) -> bool:
    """Return whether an autoscaler targets a workload."""
    targets = references(kind_of(scaler), scaler.object)
    return any((target.kind, target.name) == (kind_of(peer), peer.ref.name) for target in targets)


def _number(value: Json) -> int:
    """Return a number of replicas; the default is 1."""
    return value if isinstance(value, int) else 1


def _min_available(value: Json, replicas: int) -> int:
    """Return how many pods a minimum keeps; the disruption controller rounds a percentage up."""
    if isinstance(value, str) and value.endswith("%"):
        return -(-int(value[:-1]) * replicas // 100)
    return value if isinstance(value, int) else 0
