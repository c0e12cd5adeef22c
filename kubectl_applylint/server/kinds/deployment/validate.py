"""What is refused of Deployments.

Mirrors ``pkg/apis/apps/validation``.
"""

from collections.abc import Iterable
from typing import Final

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.server.kinds.replica_set.validate import TEMPLATE_OF_REPLICAS
from kubectl_applylint.server.validate.constraints import at_least, unchangeable
from kubectl_applylint.server.validate.field_context import FieldContext, Table, struct
from kubectl_applylint.server.validate.portions import not_more_than_all, number_or_percent, size_of
from kubectl_applylint.server.validate.rules import Group, Rules
from kubectl_applylint.server.validate.selectors import (
    LABEL_SELECTOR,
    required_selector,
)
from kubectl_applylint.server.validate.walk import inside


def _not_both_zero(fld: FieldContext) -> Iterable[FieldError]:
    """A rolling update can make progress."""
    if size_of(fld.get("maxUnavailable")) or size_of(fld.get("maxSurge")):
        return ()
    return (fld.child("maxUnavailable").invalid("may not be 0 when `maxSurge` is 0"),)


_ROLLING_DEPLOYMENT: Final = inside(
    {
        "": [_not_both_zero],
        "maxUnavailable": [number_or_percent, not_more_than_all],
        "maxSurge": [number_or_percent],
    }
)


def _deployment_strategy(fld: FieldContext) -> Iterable[FieldError]:
    """How a Deployment gets from old pods to new ones."""
    rolling = fld.child("rollingUpdate")
    match fld.text("type"):
        case "Recreate":
            words = "may not be specified when strategy `type` is 'Recreate'"
            return (rolling.forbidden(words),) if rolling.there else ()
        case "RollingUpdate":
            words = "this should be defaulted and never be nil"
            return _ROLLING_DEPLOYMENT(rolling) if rolling.there else (rolling.required(words),)
        case _:
            return (fld.unsupported(("Recreate", "RollingUpdate")),)


def _longer_than_min_ready(fld: FieldContext) -> Iterable[FieldError]:
    """The time that a Deployment may take to progress exceeds the one for which pods must be ready."""
    least = fld.up.number("minReadySeconds") if fld.up is not None else 0
    return (fld.invalid("must be greater than minReadySeconds"),) if fld.number() <= least else ()


_DEPLOYMENT: Final[Table] = {
    "spec": [struct, TEMPLATE_OF_REPLICAS],
    "spec.replicas": [at_least(0)],
    "spec.selector": [required_selector("deployment"), unchangeable, LABEL_SELECTOR],
    "spec.strategy": [struct, _deployment_strategy],
    "spec.minReadySeconds": [at_least(0)],
    "spec.revisionHistoryLimit": [at_least(0)],
    "spec.progressDeadlineSeconds": [at_least(0), _longer_than_min_ready],
}

KINDS: Final[Group] = {("apps", "Deployment"): Rules(_DEPLOYMENT)}
"""The rules of Deployments."""
