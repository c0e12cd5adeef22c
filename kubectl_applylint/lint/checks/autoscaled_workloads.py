"""Workloads that an autoscaler of the same run scales, with or without a replica count in the manifest."""

from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.state import live_object
from kubectl_applylint.core.values import MISSING, Json, dig, equal
from kubectl_applylint.lint.checks.autoscaled_replicas import autoscalers_of
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield ``spec.replicas``, or else ``spec``, once if an autoscaler of the same run scales the object.

    Skipped if another number is live and the run keeps it. ``params["autoscalers"]`` are those of
    ``autoscaled_replicas``. Facts: autoscaler, replicas (of the manifest, or else the default).
    """
    replicas = dig(subject.manifest, "spec", "replicas")
    is_open = replicas is MISSING or replicas is None
    if _is_replica_count_kept(subject, 1 if is_open else replicas):
        return
    for peer in autoscalers_of(subject, params["autoscalers"]):
        facts = {"autoscaler": str(peer.ref), "replicas": 1 if is_open else replicas}
        path = fields("spec") if is_open else fields("spec", "replicas")
        yield Hit(path, facts, ((peer, fields("spec", "scaleTargetRef"), str(peer.ref)),))
        return


def _is_replica_count_kept(subject: Subject, written: Json) -> bool:
    """Return whether the run keeps a live replica count other than the written one."""
    live = dig(live_object(subject.state.live), "spec", "replicas")
    if live is MISSING or equal(live, written):
        return False
    outcome = subject.predict(Scenario.APPLY)
    return not outcome.refused and equal(dig(outcome.result, "spec", "replicas"), live)
