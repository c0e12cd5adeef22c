"""Validation of Deployments.

Mirrors ``pkg/apis/apps/validation``.
"""

from typing import Final

from kubectl_applylint.server.kinds.replica_set.validate import TEMPLATE_OF_REPLICAS
from kubectl_applylint.server.validate import dsl as v


def _not_both_zero(fld: v.FieldContext) -> v.FieldErrors:
    """Reject a rolling update that cannot make progress."""
    if v.size_of(fld.get("maxUnavailable")) or v.size_of(fld.get("maxSurge")):
        return ()
    return (fld.child("maxUnavailable").invalid("may not be 0 when `maxSurge` is 0"),)


_ROLLING_DEPLOYMENT: Final = v.inside(
    {
        "": [_not_both_zero],
        "maxUnavailable": [v.number_or_percent, v.not_more_than_all],
        "maxSurge": [v.number_or_percent],
    }
)


def _deployment_strategy(fld: v.FieldContext) -> v.FieldErrors:
    """Validate the update strategy."""
    rolling = fld.child("rollingUpdate")
    match fld.text("type"):
        case "Recreate":
            words = "may not be specified when strategy `type` is 'Recreate'"
            return (rolling.forbidden(words),) if rolling.there else ()
        case "RollingUpdate":
            words = "this should be defaulted and never be nil"
            return _ROLLING_DEPLOYMENT(rolling) if rolling.there else (rolling.required(words),)
        case _:
            return (fld.not_supported(("Recreate", "RollingUpdate")),)


def _progress_deadline(fld: v.FieldContext) -> v.FieldErrors:
    """Require that ``progressDeadlineSeconds`` is greater than ``minReadySeconds``."""
    least = fld.parent.number("minReadySeconds")
    return (fld.invalid("must be greater than minReadySeconds"),) if fld.number() <= least else ()


_DEPLOYMENT: Final[v.Table] = {
    "spec": [v.struct, TEMPLATE_OF_REPLICAS],
    "spec.replicas": [v.at_least(0)],
    "spec.selector": [v.required_selector("deployment"), v.unchangeable, v.LABEL_SELECTOR],
    "spec.strategy": [v.struct, _deployment_strategy],
    "spec.minReadySeconds": [v.at_least(0)],
    "spec.revisionHistoryLimit": [v.at_least(0)],
    "spec.progressDeadlineSeconds": [v.at_least(0), _progress_deadline],
}

KINDS: Final[v.Group] = {("apps", "Deployment"): v.Rules(_DEPLOYMENT)}
"""The rules of Deployments."""
