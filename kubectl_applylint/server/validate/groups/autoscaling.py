"""HorizontalPodAutoscaler, in both of its versions.

Mirrors ``pkg/apis/autoscaling/validation`` and the options that the registry's strategy passes. The server validates
autoscaling/v1 converted to v2.
"""

from typing import Final

from kubectl_applylint.server.validate import dsl as v
from kubectl_applylint.server.validate.pods.resources import container_name_faults

_MORE_THAN_NOTHING: Final = "must be greater than 0"
_SOURCES: Final = {
    "Object": "object",
    "External": "external",
    "Pods": "pods",
    "Resource": "resource",
    "ContainerResource": "containerResource",
}
"""The types of metrics and their fields, in the order in which the server checks the fields."""
_TARGETS: Final = ("Utilization", "Value", "AverageValue")
_GROUP_ASKED_SINCE: Final = 34
_METRIC_OF_V1: Final = ".metrics[0].resource.target.averageUtilization"
"""The server's path of ``targetCPUUtilizationPercentage`` of autoscaling/v1."""


def _enough(fld: v.FieldContext) -> v.FieldErrors:
    """Require at least one pod, unless the stored object allowed none already."""
    least = 0 if fld.old == 0 and not fld.creating else 1
    return (fld.invalid(f"must be greater than or equal to {least}"),) if fld.number() < least else ()


@v.always
def _not_below_minimum(fld: v.FieldContext) -> v.FieldErrors:
    least = fld.parent.number("minReplicas") if fld.parent.sets("minReplicas") else fld.number()
    return (
        (fld.invalid("must be greater than or equal to `minReplicas`", fld.number()),) if fld.number() < least else ()
    )


@v.always
def _positive(fld: v.FieldContext) -> v.FieldErrors:
    """Require a number above zero; up to Kubernetes 1.35 a missing one is reported as invalid."""
    if fld.number() == 0 and fld.occasion.minor > 35:
        return (fld.required("must be set and greater than 0"),)
    words = "must be greater than or equal to 1" if fld.occasion.minor > 35 else _MORE_THAN_NOTHING
    return (fld.invalid(words, fld.number()),) if fld.number() < 1 else ()


def _faults_of_version(text: str, *, core: bool) -> list[str]:
    """Return the faults of the ``apiVersion`` of an object; ``core`` allows one without group."""
    if text.count("/") > 1:
        return [f"unexpected GroupVersion string: {text}"]
    return [] if core or "/" in text.strip("/") else ["apiVersion must specify API group"]


@v.always
def _version_of_target(fld: v.FieldContext) -> v.FieldErrors:
    """Require an API group for the scale target, except for stored ones and ReplicationControllers."""
    target, old = fld.up, fld.up.before() if fld.up else fld
    if target is None or (not fld.creating and _same_kind(target, old)):
        return ()
    faults = _faults_of_version(fld.text(), core=target.text("kind") == "ReplicationController")
    return [fld.invalid(fault, fld.text()) for fault in faults]


def _same_kind(left: v.FieldContext, right: v.FieldContext) -> bool:
    return all(left.text(name) == right.text(name) for name in ("apiVersion", "kind"))


def _version_of_described(fld: v.FieldContext) -> v.FieldErrors:
    stored = fld.root.before().at("spec", "metrics").items()
    versions = [metric.text("object", "describedObject", "apiVersion") for metric in stored]
    if any(_faults_of_version(version, core=True) for version in versions):
        return ()
    return [fld.invalid(fault) for fault in _faults_of_version(fld.text(), core=True)]


def _metrics_for_none(fld: v.FieldContext) -> v.FieldErrors:
    """Require an object or external metric to scale from zero pods; ``fld`` is the spec."""
    types = [metric.text("type") for metric in fld.child("metrics").items()]
    if fld.get("minReplicas") != 0 or "Object" in types or "External" in types:
        return ()
    words = "must specify at least one Object or External metric to support scaling to zero replicas"
    return (fld.child("metrics").forbidden(words),)


def _metric(fld: v.FieldContext) -> v.FieldErrors:
    """Require the one source that the type of a metric names."""
    kind, given_fields = fld.text("type"), [name for name in _SOURCES.values() if fld.sets(name)]
    wanted = _SOURCES.get(kind)
    if not kind:
        yield fld.child("type").required("must specify a metric source type")
    if wanted is None:
        yield fld.child("type").with_value(kind).not_supported(sorted(_SOURCES))
    elif wanted not in given_fields:
        yield fld.child(wanted).required("must populate information for the given metric source")
    if len(given_fields) != 1:
        others = (name for name in given_fields if name != wanted)
        yield from (fld.child(name).forbidden("must populate the given metric source only") for name in others)


def _is_first_source(fld: v.FieldContext) -> bool:
    """Return whether a source is the first of its metric, the only one that the server validates."""
    return next(filter(fld.parent.sets, _SOURCES.values()), "") == fld.step[1:]


def _if_validated(table: v.Table) -> v.Constraint:
    """Apply the table to a source only if the server validates it."""
    return v.where(_is_first_source, table)


@v.always
def _target_type(fld: v.FieldContext) -> v.FieldErrors:
    if not fld.text():
        yield fld.required("must specify a metric target type")
    if fld.text() not in _TARGETS:
        yield fld.invalid("must be either Utilization, Value, or AverageValue", fld.text())


def _one_target(*names: str, none: str, both: str = "") -> v.Constraint:
    """Require one of two fields, else report the first as missing; with ``both``, report the second as surplus."""

    def check(fld: v.FieldContext) -> v.FieldErrors:
        found = [name for name in names if fld.sets(name)]
        if not found:
            return (fld.child(names[0]).required(none),)
        return (fld.child(names[1]).forbidden(both),) if both and len(found) > 1 else ()

    return check


_POSITIVE: Final = v.must(lambda fld: v.amount(fld.value) > 0, "must be positive")
_TARGET: Final[v.Table] = {
    "type": [_target_type],
    "value": [_POSITIVE],
    "averageValue": [_POSITIVE],
    "averageUtilization": [v.at_least(1, _MORE_THAN_NOTHING)],
}
_RAW_OR_UTILIZATION: Final = _one_target(
    "averageUtilization",
    "averageValue",
    none="must set either a target raw value or a target utilization",
    both="may not set both a target raw value and a target utilization",
)
_VALUE_OR_AVERAGE: Final = _one_target("averageValue", "value", none="must set either a target value or averageValue")
_VALUE_OR_PER_POD: Final = _one_target(
    "averageValue",
    "value",
    none="must set either a target value for metric or a per-pod target",
    both="may not set both a target value for metric and a per-pod target",
)
_AVERAGE: Final = _one_target("averageValue", none="must specify a positive target averageValue")
_METRIC_NAME: Final[v.Table] = {
    "metric": [v.struct],
    "metric.name": [v.required("must specify a metric name"), v.well_formed(v.path_segment)],
}
_REFERENCE: Final[v.Table] = {
    "kind": [v.required(), v.well_formed(v.path_segment)],
    "name": [v.required(), v.well_formed(v.path_segment)],
}


_RESOURCE: Final[v.Table] = {
    "name": [v.required("must specify a resource name")],
    "target": [v.struct, _TARGET, _RAW_OR_UTILIZATION],
}
_METRIC: Final[v.Table] = {
    "object": [
        _if_validated(
            {
                **_METRIC_NAME,
                "describedObject": [v.struct, _REFERENCE],
                "describedObject.apiVersion": [v.since(_GROUP_ASKED_SINCE, _version_of_described)],
                "target": [v.struct, _TARGET, _VALUE_OR_AVERAGE],
            }
        )
    ],
    "external": [_if_validated({**_METRIC_NAME, "target": [v.struct, _TARGET, _VALUE_OR_PER_POD]})],
    "pods": [_if_validated({**_METRIC_NAME, "target": [v.struct, _TARGET, _AVERAGE]})],
    "resource": [_if_validated(_RESOURCE)],
    "containerResource": [
        _if_validated(
            {
                "": [_RESOURCE],
                "name": [v.well_formed(container_name_faults)],
                "container": [v.required("must specify a container"), v.well_formed(v.dns_label)],
            }
        )
    ],
}


_ABOVE_ZERO: Final = "must be greater than zero"
_SCALING: Final[v.Table] = {
    "stabilizationWindowSeconds": [v.at_least(0, "must be greater than or equal to zero"), v.at_most(3600)],
    "selectPolicy": [v.if_set(v.required_one_of("Disabled", "Max", "Min"))],
    "policies": [v.required("must specify at least one Policy")],
    "policies[*].type": [v.required_one_of("Percent", "Pods")],
    "policies[*].value": [v.or_zero(v.at_least(1, _ABOVE_ZERO))],
    "policies[*].periodSeconds": [v.or_zero(v.at_least(1, _ABOVE_ZERO)), v.at_most(1800)],
    "tolerance": [v.not_negative],
}
_HORIZONTAL_POD_AUTOSCALER: Final[v.Table] = {
    "spec": [v.struct, _metrics_for_none],
    "spec.minReplicas": [_enough],
    "spec.maxReplicas": [_positive, _not_below_minimum],
    "spec.scaleTargetRef": [v.struct, _REFERENCE],
    "spec.scaleTargetRef.apiVersion": [v.since(_GROUP_ASKED_SINCE, _version_of_target)],
    "spec.metrics[*]": [_metric, _METRIC],
    "spec.behavior.scaleUp": _SCALING,
    "spec.behavior.scaleDown": _SCALING,
    "spec.targetCPUUtilizationPercentage": [v.StepSpelling(_METRIC_OF_V1), v.at_least(1, _MORE_THAN_NOTHING)],
}

KINDS: Final[v.Group] = {("autoscaling", "HorizontalPodAutoscaler"): v.Rules(_HORIZONTAL_POD_AUTOSCALER)}
