"""Summaries of new objects by kind: image, replicas, ports, host, schedule, size, rules."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeAlias

from kubectl_applylint.core.name_lists import first_names
from kubectl_applylint.core.state import ObjectRef, Unknown
from kubectl_applylint.core.values import Json, JsonObject, items, mapping
from kubectl_applylint.report.objects.differences import shorten_both
from kubectl_applylint.report.words import LONGEST_VALUE

ValueSource: TypeAlias = str | Callable[[JsonObject], Iterator[str]]
"""The path of the values (``spec.rules.*.host``), or a function that yields them as texts."""
_MOST: Final = 3
"""The number of values of one kind that are shown."""


def _ports(service: JsonObject) -> Iterator[str]:
    for port in map(mapping, _at(service, "spec.ports.*")):
        number, target = port.get("port"), port.get("targetPort")
        protocol = port.get("protocol", "TCP")
        end = "" if target in (None, number) else f" → {target}"
        yield f"{number}{'' if protocol == 'TCP' else f'/{protocol}'}{end}"


def _rules(role: JsonObject) -> Iterator[str]:
    for rule in map(mapping, _at(role, "rules.*")):
        groups = [group for group in _at(rule, "apiGroups.*") if group]
        end = f".{groups[0]}" if len(groups) == 1 else ""
        names = [f"{name}{end}" for name in _at(rule, "resources.*")] + list(_at(rule, "nonResourceURLs.*"))
        yield f"{', '.join(map(str, names))} ({', '.join(map(str, _at(rule, 'verbs.*')))})"


def _keys(item: JsonObject) -> Iterator[str]:
    for field in ("data", "binaryData"):
        yield from mapping(item.get(field))


def _replicas(autoscaler: JsonObject) -> Iterator[str]:
    spec = mapping(autoscaler.get("spec"))
    yield f"{spec.get('minReplicas', 1)} to {spec.get('maxReplicas')}"


def _limits(quota: JsonObject) -> Iterator[str]:
    for name, value in mapping(mapping(quota.get("spec")).get("hard")).items():
        yield f"{name} {value}"


def _scalars(item: JsonObject) -> Iterator[str]:
    """Yield the first scalar fields of ``spec``, or of an object without it, for unknown kinds."""
    body = mapping(item.get("spec")) or {
        name: value for name, value in item.items() if name not in ("apiVersion", "kind", "metadata")
    }
    for name, value in body.items():
        if isinstance(value, (str, int, float)) and value != "":
            yield f"{name} {_plain(value)}"


def _pod_values(pod: str) -> dict[str, ValueSource]:
    """Return the sources of values that all pod templates have."""
    return {"image": f"{pod}.containers.*.image", "ports": f"{pod}.containers.*.ports.*.containerPort"}


_POD: Final = _pod_values("spec.template.spec")
_SIZE: Final = "spec.resources.requests.storage"
_ROLE: Final[Mapping[str, ValueSource]] = {"rules": _rules}
_BINDING: Final[Mapping[str, ValueSource]] = {"role": "roleRef.name", "subjects": "subjects.*.name"}
_HOOKS: Final[Mapping[str, ValueSource]] = {"webhooks": "webhooks.*.name", "failure policy": "webhooks.*.failurePolicy"}
_ROUTE: Final[Mapping[str, ValueSource]] = {"hosts": "spec.hostnames.*", "parents": "spec.parentRefs.*.name"}
_NOTHING: Final[Mapping[str, ValueSource]] = {}
_UNKNOWN: Final[Mapping[str, ValueSource]] = {"": _scalars}
KINDS: Final[Mapping[str, Mapping[str, ValueSource]]] = {
    "Pod": _pod_values("spec"),
    "Deployment.apps": {"replicas": "spec.replicas", **_POD},
    "StatefulSet.apps": {"replicas": "spec.replicas", **_POD, "size": f"spec.volumeClaimTemplates.*.{_SIZE}"},
    "ReplicaSet.apps": {"replicas": "spec.replicas", **_POD},
    "DaemonSet.apps": _POD,
    "Job.batch": _POD,
    "CronJob.batch": {"schedule": "spec.schedule", **_pod_values("spec.jobTemplate.spec.template.spec")},
    "Service": {"type": "spec.type", "ports": _ports},
    "Ingress.networking.k8s.io": {"hosts": "spec.rules.*.host", "class": "spec.ingressClassName"},
    "NetworkPolicy.networking.k8s.io": {"policy": "spec.policyTypes.*"},
    "HTTPRoute.gateway.networking.k8s.io": _ROUTE,
    "GRPCRoute.gateway.networking.k8s.io": _ROUTE,
    "Gateway.gateway.networking.k8s.io": {"class": "spec.gatewayClassName", "ports": "spec.listeners.*.port"},
    "PersistentVolumeClaim": {"size": _SIZE, "class": "spec.storageClassName", "access": "spec.accessModes.*"},
    "PersistentVolume": {"size": "spec.capacity.storage", "class": "spec.storageClassName"},
    "StorageClass.storage.k8s.io": {"provisioner": "provisioner", "reclaim policy": "reclaimPolicy"},
    "ConfigMap": {"keys": _keys},
    "Secret": {"type": "type", "keys": _keys},
    "Namespace": _NOTHING,
    "ServiceAccount": _NOTHING,
    "Role.rbac.authorization.k8s.io": _ROLE,
    "ClusterRole.rbac.authorization.k8s.io": _ROLE,
    "RoleBinding.rbac.authorization.k8s.io": _BINDING,
    "ClusterRoleBinding.rbac.authorization.k8s.io": _BINDING,
    "HorizontalPodAutoscaler.autoscaling": {"target": "spec.scaleTargetRef.name", "replicas": _replicas},
    "PodDisruptionBudget.policy": {"at least": "spec.minAvailable", "max unavailable": "spec.maxUnavailable"},
    "PriorityClass.scheduling.k8s.io": {"value": "value"},
    "ResourceQuota": {"limits": _limits},
    "CustomResourceDefinition.apiextensions.k8s.io": {"scope": "spec.scope", "versions": "spec.versions.*.name"},
    "ValidatingWebhookConfiguration.admissionregistration.k8s.io": _HOOKS,
    "MutatingWebhookConfiguration.admissionregistration.k8s.io": _HOOKS,
    "PrometheusRule.monitoring.coreos.com": {"groups": "spec.groups.*.name"},
    "Kustomization.kustomize.toolkit.fluxcd.io": {"path": "spec.path", "source": "spec.sourceRef.name"},
    "HelmRelease.helm.toolkit.fluxcd.io": {
        "chart": "spec.chart.spec.chart",
        "version": "spec.chart.spec.version",
        "source": "spec.chartRef.name",
    },
    "Application.argoproj.io": {"repository": "spec.source.repoURL", "path": "spec.source.path"},
    "Certificate.cert-manager.io": {"hosts": "spec.dnsNames.*", "issuer": "spec.issuerRef.name"},
}
"""The labelled values of each kind, by its name and group, in this order."""


def created_words(ref: ObjectRef, item: JsonObject) -> str:
    """Return a summary such as ``replicas 2; image web:1.9.0; ports 8080``; empty if there is none.

    The object must be masked already.
    """
    kind = ".".join(part for part in (ref.kind, ref.api_version.rpartition("/")[0]) if part)
    parts = ((label, _value_list(teller, item)) for label, teller in KINDS.get(kind, _UNKNOWN).items())
    return "; ".join(f"{label} {text}".strip() for label, text in parts if text)


def _value_list(teller: ValueSource, item: JsonObject) -> str:
    """Return the first values of a source, separated by commas."""
    values = _at(item, teller) if isinstance(teller, str) else teller(item)
    texts = list(dict.fromkeys(_short_value(value) for value in values if value not in (None, "")))
    return first_names(texts, _MOST)


def _short_value(value: Json | Unknown) -> str:
    """Return a value as a text of limited length."""
    text = "(unknown)" if isinstance(value, Unknown) else _plain(value)
    return shorten_both(text, "", LONGEST_VALUE)[0]


def _plain(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _at(value: Json, path: str) -> Iterator[Json]:
    """Yield the values at a path, in which ``*`` is each element of a list."""
    name, _, rest = path.partition(".")
    inner = items(value) if name == "*" else [mapping(value)[name]] if name in mapping(value) else []
    for each in inner:
        yield from _at(each, rest) if rest else [each]
