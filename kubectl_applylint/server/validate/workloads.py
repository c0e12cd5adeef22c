"""Deployments, DaemonSets, ReplicaSets and ReplicationControllers: pods that never end.

Mirrors ``pkg/apis/apps/validation`` and ``ValidateReplicationController``.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from kubectl_applylint.core.outcome import Refusal
from kubectl_applylint.core.values import mapping
from kubectl_applylint.server.validate.constraints import at_least, required, set_at_all, unchangeable
from kubectl_applylint.server.validate.field_context import FieldContext, Table, always, struct
from kubectl_applylint.server.validate.pods.spec import template_of
from kubectl_applylint.server.validate.portions import not_more_than_all, number_or_percent, size_of
from kubectl_applylint.server.validate.rules import Group, Rules
from kubectl_applylint.server.validate.selectors import (
    LABEL_SELECTOR,
    has_bad_values,
    if_selector_is_usable,
    matches_template,
    nonempty_selector,
    required_selector,
    selector_table,
)
from kubectl_applylint.server.validate.walk import inside

_UNSELECTABLE: Final = "invalid label selector"


def _not_both_zero(fld: FieldContext) -> Iterable[Refusal]:
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


def _deployment_strategy(fld: FieldContext) -> Iterable[Refusal]:
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


def _longer_than_min_ready(fld: FieldContext) -> Iterable[Refusal]:
    """The time that a Deployment may take to progress exceeds the one for which pods must be ready."""
    least = fld.up.number("minReadySeconds") if fld.up is not None else 0
    return (fld.invalid("must be greater than minReadySeconds"),) if fld.number() <= least else ()


def _one_way_of_rolling(fld: FieldContext) -> Iterable[Refusal]:
    """A DaemonSet either takes pods away first or adds some first."""
    unavailable, surge = size_of(fld.get("maxUnavailable")), size_of(fld.get("maxSurge"))
    if unavailable and surge:
        return (fld.child("maxSurge").invalid("may not be set when maxUnavailable is non-zero"),)
    if not unavailable and not surge:
        return (fld.child("maxUnavailable").required("cannot be 0 when maxSurge is 0"),)
    return ()


_ROLLING_DAEMON_SET: Final = inside(
    {
        "": [_one_way_of_rolling],
        "maxUnavailable": [number_or_percent, not_more_than_all],
        "maxSurge": [number_or_percent, not_more_than_all],
    }
)


def _daemon_set_strategy(fld: FieldContext) -> Iterable[Refusal]:
    """How a DaemonSet gets from old pods to new ones."""
    rolling = fld.child("rollingUpdate")
    match fld.text("type"):
        case "OnDelete":
            return ()
        case "RollingUpdate":
            return _ROLLING_DAEMON_SET(rolling) if rolling.there else (rolling.required(),)
        case _:
            return (fld.unsupported(("RollingUpdate", "OnDelete")),)


def _had_bad_affinity(fld: FieldContext) -> bool:
    """Return whether the pods of a stored DaemonSet have an affinity with bad values, which then may stay elsewhere."""
    affinity = fld.nearest(".spec").before().at("template", "spec", "affinity")
    terms = (
        term
        for kind in ("podAffinity", "podAntiAffinity")
        for term in affinity.at(kind, "requiredDuringSchedulingIgnoredDuringExecution").items()
    )
    return any(has_bad_values(term.get("labelSelector")) for term in terms)


_TEMPLATE_OF_REPLICAS: Final = if_selector_is_usable(
    _UNSELECTABLE, {"": [matches_template], "template": [struct, template_of("ReplicaSet")]}
)

_DEPLOYMENT: Final[Table] = {
    "spec": [struct, _TEMPLATE_OF_REPLICAS],
    "spec.replicas": [at_least(0)],
    "spec.selector": [required_selector("deployment"), unchangeable, LABEL_SELECTOR],
    "spec.strategy": [struct, _deployment_strategy],
    "spec.minReadySeconds": [at_least(0)],
    "spec.revisionHistoryLimit": [at_least(0)],
    "spec.progressDeadlineSeconds": [at_least(0), _longer_than_min_ready],
}

_REPLICA_SET: Final[Table] = {
    "spec": [struct, _TEMPLATE_OF_REPLICAS],
    "spec.replicas": [at_least(0)],
    "spec.minReadySeconds": [at_least(0)],
    "spec.selector": [required_selector("deployment"), unchangeable, LABEL_SELECTOR],
}

_DAEMON_SET: Final[Table] = {
    "spec": [struct, matches_template],
    "spec.selector": [nonempty_selector("daemonset"), unchangeable, selector_table(tolerant=_had_bad_affinity)],
    "spec.template": [struct, template_of("DaemonSet")],
    "spec.minReadySeconds": [at_least(0)],
    "spec.updateStrategy": [struct, _daemon_set_strategy],
    "spec.revisionHistoryLimit": [at_least(0)],
}


def _labels_as_selected(fld: FieldContext) -> Iterator[Refusal]:
    """The template of a ReplicationController has the labels that it selects."""
    wanted, labels = mapping(fld.get("selector")), mapping(fld.get("template", "metadata", "labels"))
    if fld.sets("template") and any(labels.get(key) != value for key, value in wanted.items()):
        place = fld.at("template", "metadata", "labels")
        yield place.invalid("`selector` does not match template `labels`", labels)


@always
def _a_template(fld: FieldContext) -> Iterable[Refusal]:
    return () if fld.there else (fld.required(),)


_REPLICATION_CONTROLLER: Final[Table] = {
    "spec": [struct, _labels_as_selected],
    "spec.minReadySeconds": [at_least(0)],
    "spec.selector": [required()],
    "spec.replicas": [set_at_all(), at_least(0)],
    "spec.template": [_a_template, template_of("ReplicationController")],
}

KINDS: Final[Group] = {
    ("apps", "Deployment"): Rules(_DEPLOYMENT),
    ("apps", "ReplicaSet"): Rules(_REPLICA_SET),
    ("apps", "DaemonSet"): Rules(_DAEMON_SET),
    ("", "ReplicationController"): Rules(_REPLICATION_CONTROLLER),
}
"""The rules of what keeps pods running."""
