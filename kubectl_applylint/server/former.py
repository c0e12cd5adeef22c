"""Converts objects of versions that are no longer served to the versions that replaced them.

Stored objects survive an upgrade: the same object exists, with the fields of the newer version and the defaults of the
version in which it was written. Mirrors ``defaults.go`` and ``conversion.go`` of the older versions in ``pkg/apis`` of
Kubernetes.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeAlias

from kubectl_applylint.core.values import MISSING, Json, JsonObject, equal, items, mapping
from kubectl_applylint.schema.types import Gvk, Schema
from kubectl_applylint.server import versions
from kubectl_applylint.server.decode import drop_unknown_fields

_Convert: TypeAlias = Callable[[JsonObject], JsonObject]

_NO_LIMIT: Final = 2**31 - 1
_MATCHES_NOTHING: Final = {
    "matchExpressions": [{"key": "pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match", "operator": "Exists"}]
}


def convert_former(stored: JsonObject, gvk: Gvk, schema: Schema) -> JsonObject | None:
    """Return an object of a built-in kind converted to another version, possibly of another group.

    ``None`` if the object has fields that the other version does not declare and that no step here converts.
    """
    api_version, name = gvk
    step = _STEPS.get((str(stored.get("apiVersion")), name))
    moved = versions.convert(step(stored) if step else stored, api_version)
    kind = schema.kind(*gvk)
    is_told = kind is not None and not kind.custom and equal(drop_unknown_fields(moved, kind.root), moved)
    return moved if is_told else None


def differences(gvk: Gvk) -> tuple[str, ...]:
    """Return the fields of a kind that its successor renames, requires, or defaults differently."""
    return _DIFFERENCES.get(gvk, ())


def _spec(stored: JsonObject) -> JsonObject:
    return mapping(stored.get("spec"))


def _with_spec(stored: JsonObject, spec: Mapping[str, Json]) -> JsonObject:
    return {**stored, "spec": {name: value for name, value in spec.items() if value is not MISSING}}


def _workload(defaults: JsonObject) -> _Convert:
    """Return the converter of a workload; it adds ``defaults``, and a selector of its labels."""

    def convert(stored: JsonObject) -> JsonObject:
        spec = {**defaults, **_spec(stored), "rollbackTo": MISSING, "templateGeneration": MISSING}
        labels = mapping(mapping(mapping(spec.get("template")).get("metadata")).get("labels"))
        if spec.get("selector") is None and labels:
            spec["selector"] = {"matchLabels": labels}
        return _with_spec(stored, spec)

    return convert


def _ingress(stored: JsonObject) -> JsonObject:
    spec = _spec(stored)
    backend = spec.get("backend")
    changes = {"backend": MISSING, "defaultBackend": MISSING if backend is None else _backend(backend)}
    rules = {"rules": [_rule(rule) for rule in items(spec["rules"])]} if "rules" in spec else {}
    return _with_spec(stored, {**spec, **changes, **rules})


def _rule(rule: Json) -> Json:
    http = mapping(rule).get("http")
    if not isinstance(http, dict):
        return rule
    return {**mapping(rule), "http": {**http, "paths": [_path(path) for path in items(http.get("paths"))]}}


def _path(path: Json) -> Json:
    found = mapping(path)
    backend = {"backend": _backend(found["backend"])} if "backend" in found else {}
    return {"pathType": "ImplementationSpecific", **found, **backend}


def _backend(backend: Json) -> Json:
    found = mapping(backend)
    others = {name: value for name, value in found.items() if name not in ("serviceName", "servicePort")}
    if "serviceName" not in found:
        return others
    port = found.get("servicePort", 0)
    return {**others, "service": {"name": found["serviceName"], "port": {_port_key(port): port}}}


def _port_key(port: Json) -> str:
    return "name" if isinstance(port, str) else "number"


def _budget(stored: JsonObject) -> JsonObject:
    """Return a budget; an empty selector selected nothing, but selects everything in the newer version."""
    spec = _spec(stored)
    return _with_spec(stored, {**spec, "selector": _MATCHES_NOTHING}) if spec.get("selector") == {} else stored


def _concurrency(stored: JsonObject) -> JsonObject:
    spec = _spec(stored)
    limited = mapping(spec.get("limited"))
    if "assuredConcurrencyShares" not in limited:
        return stored
    rest = {name: value for name, value in limited.items() if name != "assuredConcurrencyShares"}
    return _with_spec(
        stored, {**spec, "limited": {**rest, "nominalConcurrencyShares": limited["assuredConcurrencyShares"]}}
    )


def _autoscaler(stored: JsonObject) -> JsonObject:
    spec = _spec(stored)
    metrics = (
        {"metrics": [dict(_metric(mapping(each))) for each in items(spec["metrics"])]} if "metrics" in spec else {}
    )
    return {**_with_spec(stored, {**spec, **metrics}), "apiVersion": "autoscaling/v2"}


def _metric(metric: JsonObject) -> Iterator[tuple[str, Json]]:
    for key, value in metric.items():
        yield key, dict(_source(value)) if isinstance(value, dict) else value


def _source(source: JsonObject) -> Iterator[tuple[str, Json]]:
    """Yield the fields of a resource metric; those of other sources keep their names, and so are invalid."""
    for key, value in source.items():
        if key == "targetAverageUtilization":
            yield "target", {"type": "Utilization", "averageUtilization": value}
        elif key == "targetAverageValue" and "metricName" not in source:
            yield "target", {"type": "AverageValue", "averageValue": value}
        else:
            yield key, value


_OLD_DEPLOYMENT: Final[JsonObject] = {
    "progressDeadlineSeconds": _NO_LIMIT,
    "revisionHistoryLimit": _NO_LIMIT,
    "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 1}},
}
_ON_DELETE: Final[JsonObject] = {"updateStrategy": {"type": "OnDelete"}}
_FLOW: Final = "flowcontrol.apiserver.k8s.io"

_STEPS: Final[Mapping[Gvk, _Convert]] = {
    ("apps/v1beta1", "Deployment"): _workload({"revisionHistoryLimit": 2}),
    ("apps/v1beta1", "StatefulSet"): _workload(_ON_DELETE),
    ("apps/v1beta2", "DaemonSet"): _workload({}),
    ("apps/v1beta2", "Deployment"): _workload({}),
    ("autoscaling/v2beta1", "HorizontalPodAutoscaler"): _autoscaler,
    ("autoscaling/v2beta2", "HorizontalPodAutoscaler"): lambda stored: {**stored, "apiVersion": "autoscaling/v2"},
    ("extensions/v1beta1", "DaemonSet"): _workload(_ON_DELETE),
    ("extensions/v1beta1", "Deployment"): _workload(_OLD_DEPLOYMENT),
    ("extensions/v1beta1", "Ingress"): _ingress,
    ("extensions/v1beta1", "ReplicaSet"): _workload({}),
    (f"{_FLOW}/v1beta1", "PriorityLevelConfiguration"): _concurrency,
    (f"{_FLOW}/v1beta2", "PriorityLevelConfiguration"): _concurrency,
    ("networking.k8s.io/v1beta1", "Ingress"): _ingress,
    ("policy/v1beta1", "PodDisruptionBudget"): _budget,
}

_INGRESS: Final = (
    "spec.backend → spec.defaultBackend",
    "backend.serviceName → backend.service.name",
    "backend.servicePort → backend.service.port.number or .name",
    "pathType (required)",
)
_SELECTOR: Final = "spec.selector (required, immutable)"
_WEBHOOKS: Final = (
    "sideEffects (required: None or NoneOnDryRun)",
    "admissionReviewVersions (required)",
    "failurePolicy (Fail instead of Ignore)",
    "matchPolicy (Equivalent instead of Exact)",
    "timeoutSeconds (10 instead of 30)",
)
_DIFFERENCES: Final[Mapping[Gvk, tuple[str, ...]]] = {
    ("admissionregistration.k8s.io/v1beta1", "MutatingWebhookConfiguration"): _WEBHOOKS,
    ("admissionregistration.k8s.io/v1beta1", "ValidatingWebhookConfiguration"): _WEBHOOKS,
    ("apiextensions.k8s.io/v1beta1", "CustomResourceDefinition"): (
        "spec.version → spec.versions",
        "spec.validation → spec.versions[*].schema (required, structural)",
        "spec.subresources → spec.versions[*].subresources",
        "spec.additionalPrinterColumns → spec.versions[*].additionalPrinterColumns",
        "JSONPath → jsonPath",
        "spec.preserveUnknownFields (false)",
    ),
    ("apps/v1beta1", "Deployment"): (
        _SELECTOR,
        "spec.rollbackTo (gone)",
        "spec.revisionHistoryLimit (10 instead of 2)",
    ),
    ("apps/v1beta1", "StatefulSet"): (_SELECTOR, "spec.updateStrategy.type (RollingUpdate instead of OnDelete)"),
    ("autoscaling/v2beta1", "HorizontalPodAutoscaler"): (
        "targetAverageUtilization → target.averageUtilization and target.type",
        "targetAverageValue → target.averageValue and target.type",
        "metricName → metric.name",
    ),
    ("certificates.k8s.io/v1beta1", "CertificateSigningRequest"): (
        "spec.signerName (required)",
        "spec.usages (required)",
    ),
    ("discovery.k8s.io/v1beta1", "EndpointSlice"): ("endpoints[*].topology → nodeName and zone",),
    ("extensions/v1beta1", "DaemonSet"): (
        _SELECTOR,
        "spec.templateGeneration (gone)",
        "spec.updateStrategy.type (RollingUpdate instead of OnDelete)",
    ),
    ("extensions/v1beta1", "Deployment"): (
        _SELECTOR,
        "spec.rollbackTo (gone)",
        "spec.progressDeadlineSeconds (600 instead of none)",
        "spec.revisionHistoryLimit (10 instead of all)",
        "maxSurge and maxUnavailable (25% instead of 1)",
    ),
    ("extensions/v1beta1", "Ingress"): _INGRESS,
    ("extensions/v1beta1", "ReplicaSet"): (_SELECTOR,),
    ("networking.k8s.io/v1beta1", "Ingress"): _INGRESS,
    ("policy/v1beta1", "PodDisruptionBudget"): ("an empty spec.selector (all pods instead of none)",),
    (f"{_FLOW}/v1beta1", "PriorityLevelConfiguration"): ("assuredConcurrencyShares → nominalConcurrencyShares",),
    (f"{_FLOW}/v1beta2", "PriorityLevelConfiguration"): ("assuredConcurrencyShares → nominalConcurrencyShares",),
}
