"""ResourceQuota: rejects new objects that exceed a quota of their namespace, based on its known usage.

Mirrors ``CheckRequest`` of apiserver's ``plugin/resourcequota`` and the evaluators of ``pkg/quota/v1``.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Final

from kubectl_applylint.core.state import Unknown, annotations_of
from kubectl_applylint.core.values import JsonObject, dig, mapping
from kubectl_applylint.server.admission.amounts import Amount, Amounts, amounts, pod_amounts
from kubectl_applylint.server.admission.attributes import (
    ALLOWED,
    AdmissionAttributes,
    AdmissionDenied,
    AdmissionResult,
    forbidden,
)
from kubectl_applylint.server.admission.quota_scopes import is_counted

_ONE: Final = Amount(Fraction(1), "1")
_NONE: Final = Amount(Fraction(0), "0")
_CLASS: Final = ".storageclass.storage.k8s.io/"
_CLASS_ANNOTATION: Final = "volume.beta.kubernetes.io/storage-class"
_UNCOUNTED: Final = ("Event",)
_ALIASES: Final = ("configmaps", "replicationcontrollers", "resourcequotas", "secrets")
_MEASURED: Final = ("PersistentVolumeClaim", "Service")
_COMPUTE: Final = ("cpu", "memory", "ephemeral-storage")
_REQUIRED: Final = ("cpu", "limits.cpu", "limits.memory", "memory", "requests.cpu", "requests.memory")


def validate(attributes: AdmissionAttributes) -> AdmissionResult:
    """Reject an object that exceeds the rest of a quota."""
    is_measured = attributes.is_a("", *_MEASURED)
    if not attributes.namespace or attributes.kind.name in _UNCOUNTED or not (attributes.creating or is_measured):
        return ALLOWED
    new, old = (
        _usage(attributes.new, attributes),
        _usage(attributes.old, attributes) if attributes.old is not None else {},
    )
    grown = {name: each if name not in old else _difference(each, old[name]) for name, each in new.items()}
    for quota in attributes.cluster_view.known_objects("", "ResourceQuota", attributes.namespace):
        if not is_counted(attributes, attributes.new, quota):
            continue
        was_counted = attributes.old is not None and is_counted(attributes, attributes.old, quota)
        denial = _denial(attributes, quota, grown if was_counted else new)
        if denial is not None:
            return AdmissionResult(denial)
    return ALLOWED


def _difference(new: Amount, old: Amount) -> Amount:
    return Amount(max(Fraction(0), new.number - old.number), new.like)


def _denial(attributes: AdmissionAttributes, quota: JsonObject, grown: Amounts) -> AdmissionDenied | None:
    """Return the rejection by one quota, or ``None``."""
    name = dig(quota, "metadata", "name")
    hard, used = (amounts(dig(quota, "status", side)) for side in ("hard", "used"))
    missing = _missing_amounts(attributes, hard)
    if missing:
        return forbidden(attributes, f"failed quota: {name}: must specify {missing}")
    counted = {each: grown[each] for each in sorted(grown) if each in hard and each in used and grown[each].number}
    over = [each for each, more in counted.items() if used[each].number + more.number > hard[each].number]
    if not over:
        return None
    words = f"requested: {_format(counted, over)}, used: {_format(used, over)}, limited: {_format(hard, over)}"
    return forbidden(attributes, f"exceeded quota: {name}, {words}")


def _format(given: Amounts, names: Iterable[str]) -> str:
    return ",".join(f"{name}={given[name]}" for name in names)


def _missing_amounts(attributes: AdmissionAttributes, hard: Amounts) -> str:
    """Return the limited amounts that containers of a pod do not set; empty for none."""
    spec = mapping(attributes.new.get("spec"))
    if not attributes.is_a("", "Pod") or bool(mapping(spec.get("resources"))) or _may_have_limit_ranges(attributes):
        return ""
    lacking: dict[str, set[str]] = {}
    for container in (*(spec.get("containers") or []), *(spec.get("initContainers") or [])):
        given = _compute_usage(*(amounts(dig(container, "resources", side)) for side in ("requests", "limits")))
        for name in (each for each in _REQUIRED if each in hard and each not in given):
            lacking.setdefault(name, set()).add(str(container.get("name")))
    return "; ".join(f"{name} for: {','.join(sorted(lacking[name]))}" for name in sorted(lacking))


def _may_have_limit_ranges(attributes: AdmissionAttributes) -> bool:
    """Return whether limit ranges may exist that set the missing amounts."""
    return isinstance(attributes.cluster_view.all_objects("", "LimitRange", attributes.namespace), Unknown)


def _usage(item: JsonObject, attributes: AdmissionAttributes) -> Amounts:
    """Return the usage of an object, by the resource names of quotas."""
    resource = attributes.kind.resource
    counts: dict[str, Amount] = {
        f"count/{resource}.{attributes.group}" if attributes.group else f"count/{resource}": _ONE
    }
    if attributes.group == "" and resource in _ALIASES:
        counts[resource] = _ONE
    match attributes.group, attributes.kind.name:
        case "", "Pod":
            return {**counts, "pods": _ONE, **_pod_usage(item, attributes.minor)}
        case "", "Service":
            return {**counts, "services": _ONE, **_service_usage(mapping(item.get("spec")))}
        case "", "PersistentVolumeClaim":
            return {**counts, "persistentvolumeclaims": _ONE, **_claim_usage(item)}
        case _:
            return counts


def _pod_usage(pod: JsonObject, minor: int) -> Amounts:
    """Return the amounts of a pod; none for a pod with an overhead, which is not predicted."""
    spec = mapping(pod.get("spec"))
    if spec.get("overhead"):
        return {}
    return _compute_usage(pod_amounts(spec, "requests", minor), pod_amounts(spec, "limits", minor))


def _compute_usage(requests: Amounts, limits: Amounts) -> Amounts:
    found = {name: requests[name] for name in _COMPUTE if name in requests}
    prefixed = {f"requests.{name}": each for name, each in requests.items()}
    return {**found, **prefixed, **{f"limits.{name}": limits[name] for name in _COMPUTE if name in limits}}


def _service_usage(spec: JsonObject) -> Mapping[str, Amount]:
    kind, ports = spec.get("type"), spec.get("ports") or []
    opened = ports if kind in ("NodePort", "LoadBalancer") else []
    if kind == "LoadBalancer" and spec.get("allocateLoadBalancerNodePorts") is False:
        opened = [port for port in ports if port.get("nodePort")]
    number = Amount(Fraction(len(opened)), str(len(opened)))
    return {"services.nodeports": number, "services.loadbalancers": _ONE if kind == "LoadBalancer" else _NONE}


def _claim_usage(claim: JsonObject) -> Mapping[str, Amount]:
    spec = mapping(claim.get("spec"))
    requests = amounts(dig(spec, "resources", "requests"))
    size = {"requests.storage": requests["storage"]} if "storage" in requests else {}
    chosen = annotations_of(claim).get(_CLASS_ANNOTATION) or spec.get("storageClassName")
    if not chosen:
        return size
    of_class = {f"{chosen}{_CLASS}{name}": each for name, each in size.items()}
    return {**size, **of_class, f"{chosen}{_CLASS}persistentvolumeclaims": _ONE}
