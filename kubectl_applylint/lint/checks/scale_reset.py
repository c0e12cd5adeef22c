"""Workloads whose replica count an apply resets to the default, because the manifest does not have it."""

from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.state import live_object
from kubectl_applylint.core.values import MISSING, dig, equal
from kubectl_applylint.lint.checks._argocd import has_sync_option
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield ``spec.replicas`` once if it changes although the manifest does not have it.

    ``params["option"]`` is a sync option of Argo CD. Facts: before, after.
    """
    if not has_sync_option(subject, params):
        return
    outcome = subject.predict(Scenario.APPLY)
    before, after = (dig(side, "spec", "replicas") for side in (live_object(subject.state.live), outcome.result))
    is_open = dig(subject.manifest, "spec", "replicas") is MISSING
    if not outcome.refused and is_open and isinstance(before, int) and not equal(before, after):
        yield Hit(fields("spec", "replicas"), {"before": before, "after": "nothing" if after is MISSING else after})
