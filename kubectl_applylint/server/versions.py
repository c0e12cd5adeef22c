"""Converts objects between the versions of a kind: managers own fields in the version that they wrote.

Versions of a kind mostly have the same fields. The horizontal pod autoscaler does not: version 1 has one field for the
CPU, and stores the other fields of version 2 in annotations. Mirrors ``pkg/apis/autoscaling/v1/conversion.go``.
"""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from kubectl_applylint.core import gotext
from kubectl_applylint.core.outcome import plain
from kubectl_applylint.core.values import MISSING, Json, JsonObject, Missing, dig, items, mapping
from kubectl_applylint.merge.errors import MergeError
from kubectl_applylint.schema import crd
from kubectl_applylint.schema.types import Kind, Node, Schema

_Convert: TypeAlias = Callable[[JsonObject], JsonObject]

_METRICS: Final = "autoscaling.alpha.kubernetes.io/metrics"
_BEHAVIOR: Final = "autoscaling.alpha.kubernetes.io/behavior"
_CURRENT_METRICS: Final = "autoscaling.alpha.kubernetes.io/current-metrics"
_CONDITIONS: Final = "autoscaling.alpha.kubernetes.io/conditions"
_CURRENT: Final = "currentCPUUtilizationPercentage"
_CURRENT_CPU: Final = ("resource", "current", "averageUtilization")
_CPU: Final = 80
"""The default CPU target of version 1 in percent."""
_TARGET: Final = "targetCPUUtilizationPercentage"


def convert(stored: JsonObject, api_version: str) -> JsonObject:
    """Return an object in a version of its kind; fields without a known conversion keep their names."""
    step = _STEPS.get((str(stored.get("kind")), str(stored.get("apiVersion")), api_version))
    return {**(step(stored) if step else stored), "apiVersion": api_version}


def root_of(kind: Kind, schema: Schema, api_version: str) -> Node | None:
    """Return the schema of a kind in a version, ``None`` for a version that this server does not serve.

    Raises ``MergeError`` with the server's message for a version that the definition of a custom resource does not
    have.
    """
    if api_version == kind.api_version:
        return kind.root
    found = schema.kind(api_version, kind.name)
    if found is not None or not kind.custom:
        return found.root if found else None
    unserved = crd.kinds_of(_all_served(kind.definition), metadata=kind.root.fields["metadata"])
    if (api_version, kind.name) not in unserved:
        raise MergeError(f"request to convert CR to an invalid group/version: {api_version}")
    return unserved[api_version, kind.name].root


def _all_served(definition: JsonObject) -> JsonObject:
    versions = [{**version, "served": True} for version in definition["spec"]["versions"] if isinstance(version, dict)]
    return {**definition, "spec": {**definition["spec"], "versions": versions}}


def _in_spec(stored: JsonObject, changes: Mapping[str, Json | Missing]) -> JsonObject:
    spec = {**mapping(stored.get("spec")), **changes}
    return {**stored, "spec": {name: value for name, value in spec.items() if value is not MISSING}}


def _with_annotations(stored: JsonObject, changes: Mapping[str, str | Missing]) -> JsonObject:
    metadata = mapping(stored.get("metadata"))
    annotations = {**mapping(metadata.get("annotations")), **changes}
    kept = {name: text for name, text in annotations.items() if text is not MISSING}
    rest = {name: value for name, value in metadata.items() if name != "annotations"}
    return {**stored, "metadata": {**rest, **({"annotations": kept} if kept else {})}}


def _is_cpu(metric: Json) -> bool:
    return dig(metric, "resource", "name") == "cpu" and dig(metric, "resource", "target", "averageUtilization") not in (
        MISSING,
        None,
    )


def _to_v1(stored: JsonObject) -> JsonObject:
    """Return an autoscaler of version 2 in version 1; the texts of the annotations are not the server's own."""
    spec = mapping(stored.get("spec"))
    metrics = spec.get("metrics") or []
    cpu = [dig(metric, "resource", "target", "averageUtilization") for metric in metrics if _is_cpu(metric)]
    others = [metric for metric in metrics if not _is_cpu(metric)]
    carried = {
        _METRICS: gotext.encode(plain(others)) if others else MISSING,
        _BEHAVIOR: gotext.encode(plain(spec["behavior"])) if spec.get("behavior") else MISSING,
    }
    changes = {"metrics": MISSING, "behavior": MISSING, _TARGET: cpu[0] if cpu else MISSING}
    return _status_to_v1(_with_annotations(_in_spec(stored, changes), carried))


def _to_v2(stored: JsonObject) -> JsonObject:
    """Return an autoscaler of version 1 in version 2."""
    cpu = dig(stored, "spec", _TARGET)
    others = _value_in_annotation(stored, _METRICS)
    metrics = [*items(others), *([] if cpu in (MISSING, None) else [_cpu_metric(cpu)])]
    behavior = _value_in_annotation(stored, _BEHAVIOR)
    changes = {
        _TARGET: MISSING,
        "metrics": metrics or [_cpu_metric(_CPU)],
        "behavior": behavior if isinstance(behavior, dict) else MISSING,
    }
    return _status_to_v2(_with_annotations(_in_spec(stored, changes), {_METRICS: MISSING, _BEHAVIOR: MISSING}))


def _status_to_v1(stored: JsonObject) -> JsonObject:
    """Return the object with the status of version 1: one number for the CPU, and the rest in annotations."""
    if not isinstance(stored.get("status"), dict):
        return stored
    status = stored["status"]
    metrics, conditions = items(status.get("currentMetrics")), items(status.get("conditions"))
    cpu = [dig(metric, *_CURRENT_CPU) for metric in metrics if _is_current_cpu(metric)]
    others = [metric for metric in metrics if not _is_current_cpu(metric)]
    carried = {
        _CURRENT_METRICS: gotext.encode(others) if others else MISSING,
        _CONDITIONS: gotext.encode(conditions) if conditions else MISSING,
    }
    rest = {name: value for name, value in status.items() if name not in ("currentMetrics", "conditions")}
    number = {_CURRENT: cpu[0]} if cpu else {}
    return {
        **_with_annotations(stored, carried),
        "status": {**rest, "currentReplicas": rest.get("currentReplicas", 0), **number},
    }


def _status_to_v2(stored: JsonObject) -> JsonObject:
    """Return the object with the status of version 2, which always lists metrics and leaves out 0 replicas."""
    if not isinstance(stored.get("status"), dict):
        return stored
    status = stored["status"]
    metrics, conditions = (
        items(_value_in_annotation(stored, _CURRENT_METRICS)),
        items(_value_in_annotation(stored, _CONDITIONS)),
    )
    if status.get(_CURRENT) is not None:
        resource = {"name": "cpu", "current": {"averageUtilization": status[_CURRENT]}}
        metrics = [*metrics, {"type": "Resource", "resource": resource}]
    left_out = {_CURRENT} if status.get("currentReplicas") else {_CURRENT, "currentReplicas"}
    rest = {name: value for name, value in status.items() if name not in left_out}
    known = {"conditions": conditions} if conditions else {}
    bare = _with_annotations(stored, {_CURRENT_METRICS: MISSING, _CONDITIONS: MISSING})
    return {**bare, "status": {**rest, "currentMetrics": metrics or None, **known}}


def _is_current_cpu(metric: Json) -> bool:
    is_cpu = dig(metric, "resource", "name") == "cpu"
    return is_cpu and dig(metric, *_CURRENT_CPU) not in (MISSING, None)


def _value_in_annotation(stored: JsonObject, annotation: str) -> Json | Missing:
    text = dig(stored, "metadata", "annotations", annotation)
    try:
        return gotext.decode(text) if isinstance(text, str) else MISSING
    except (ValueError, RecursionError):
        return MISSING


def _cpu_metric(percent: Json) -> JsonObject:
    target = {"type": "Utilization", "averageUtilization": percent}
    return {"type": "Resource", "resource": {"name": "cpu", "target": target}}


_STEPS: Final[Mapping[tuple[str, str, str], _Convert]] = {
    ("HorizontalPodAutoscaler", "autoscaling/v2", "autoscaling/v1"): _to_v1,
    ("HorizontalPodAutoscaler", "autoscaling/v1", "autoscaling/v2"): _to_v2,
}
