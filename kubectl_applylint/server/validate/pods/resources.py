"""Requests and limits of containers and pods: names of resources, amounts, claims.

Mirrors ``validateResourceRequirements`` and the helpers of ``pkg/apis/core/helper``.
"""

from collections.abc import Callable
from fractions import Fraction
from itertools import chain
from typing import Final

from kubectl_applylint.core.values import Json
from kubectl_applylint.server.validate import dsl as v

_HUGE_PAGES: Final = "hugepages-"
_OF_CONTAINERS: Final = ("cpu", "memory", "ephemeral-storage")
_COUNTED: Final = ("resourcequotas", "services", "replicationcontrollers", "secrets", "configmaps")
_OTHERS: Final = ("persistentvolumeclaims", "services.nodeports", "services.loadbalancers", "pods")
_STANDARD: Final = {
    *_OF_CONTAINERS,
    *(f"{side}.{name}" for side in ("requests", "limits") for name in _OF_CONTAINERS),
    *_COUNTED,
    *_OTHERS,
    "storage",
    "requests.storage",
}
_WHOLE: Final = {*_COUNTED, *_OTHERS}
"""Resources of Kubernetes itself that are integers."""


def is_huge_pages(name: str) -> bool:
    """Return whether a resource is huge pages (``hugepages-2Mi``)."""
    return name.startswith(_HUGE_PAGES)


def is_native(name: str) -> bool:
    """Return whether a resource is one of Kubernetes itself."""
    return "/" not in name or "kubernetes.io/" in name


def is_extended(name: str) -> bool:
    """Return whether a resource is an extended one that nodes offer (``example.com/gpu``)."""
    return not is_native(name) and not name.startswith("requests.") and not v.qualified_name(f"requests.{name}")


def can_be_overcommitted(name: str) -> bool:
    """Return whether requests for a resource may exceed its amount."""
    return is_native(name) and not is_huge_pages(name)


def comes_in_whole_numbers(name: str) -> bool:
    """Return whether amounts of a resource are integers."""
    return name in _WHOLE or is_extended(name)


def resource_name_faults(name: str) -> list[str]:
    """Return the faults of the name of any resource."""
    faults = v.qualified_name(name)
    if not faults and "/" not in name and name not in _STANDARD and not is_quota_of_huge_pages(name):
        return ["must be a standard resource type or fully qualified"]
    return faults


def is_quota_of_huge_pages(name: str) -> bool:
    """Return whether a name is the request for huge pages in a quota (``requests.hugepages-2Mi``)."""
    return is_huge_pages(name.removeprefix("requests."))


def container_name_faults(name: str) -> list[str]:
    """Return the faults of the name of a resource of containers."""
    faults = resource_name_faults(name)
    if "/" not in name:
        standard = name in _OF_CONTAINERS or is_huge_pages(name)
        return faults + ([] if standard else ["must be a standard resource for containers"])
    bad = not is_native(name) and not is_extended(name)
    return faults + (["doesn't follow extended resource name standard"] if bad else [])


def _container_resource(fld: v.FieldContext) -> v.FieldErrors:
    """Check one entry of limits or requests of a container: ``fld`` is the amount, its step the name."""
    name = fld.step[1:-1]
    yield from (fld.invalid(fault, name) for fault in container_name_faults(name))
    yield from valid_amount(fld)


def _pod_resource(fld: v.FieldContext) -> v.FieldErrors:
    name = fld.step[1:-1]
    faults = resource_name_faults(name)
    yield from (fld.invalid(fault, name) for fault in faults)
    if not faults and name not in ("cpu", "memory") and not is_huge_pages(name):
        yield fld.with_value(name).not_supported(("cpu", "hugepages-", "memory"))
    yield from valid_amount(fld)


def valid_amount(fld: v.FieldContext) -> v.FieldErrors:
    """Require an amount that is not negative and, for some resources, an integer; ``fld``'s step is the name."""
    yield from v.not_negative(fld)
    if comes_in_whole_numbers(fld.step[1:-1]) and v.amount(fld.value).denominator != 1:
        yield fld.invalid("must be an integer")


def _divisible_huge_pages(fld: v.FieldContext) -> v.FieldErrors:
    """Require whole huge pages, except in pods that are stored with others."""
    if _uses_parts_of_pages(fld.nearest(".spec").old):
        return
    for side in ("limits", "requests"):
        for entry in fld.child(side).entries():
            name = entry.step[1:-1]
            if is_huge_pages(name) and not _is_divisible(name, entry.value):
                yield entry.invalid(f"{entry.text()} is not positive integer multiple of {name}")


def _is_divisible(name: str, value: Json) -> bool:
    page, asked = v.amount(name.removeprefix(_HUGE_PAGES)), v.amount(value)
    return page > 0 and asked % page == 0


def _uses_parts_of_pages(spec: Json) -> bool:
    containers = chain.from_iterable(spec.get(kind) or [] for kind in CONTAINERS) if isinstance(spec, dict) else ()
    lists = ((each.get("resources") or {}).get(side) or {} for each in containers for side in ("limits", "requests"))
    return any(is_huge_pages(name) and not _is_divisible(name, value) for each in lists for name, value in each.items())


CONTAINERS: Final = ("initContainers", "containers", "ephemeralContainers")
"""The lists of containers of a pod, in the order in which the server visits them."""


def _requests_within_limits(fld: v.FieldContext) -> v.FieldErrors:
    limits, requests = fld.child("limits"), fld.child("requests")
    for entry in requests.entries():
        name, limit = entry.step[1:-1], limits.get(entry.step[1:-1])
        committed = not can_be_overcommitted(name)
        if limit in (None, "") or not limits.sets(name):
            yield from (limits.required("Limit must be set for non overcommitable resources"),) if committed else ()
        elif not v.is_known(limit):
            continue
        elif committed and v.amount(entry.value) != v.amount(limit):
            yield requests.invalid(f"must be equal to {name} limit of {limit}", entry.value)
        elif v.amount(entry.value) > v.amount(limit):
            yield requests.invalid(f"must be less than or equal to {name} limit of {limit}", entry.value)


def _huge_pages_with_others(fld: v.FieldContext) -> v.FieldErrors:
    names = {entry.step[1:-1] for side in ("limits", "requests") for entry in fld.child(side).entries()}
    alone = any(map(is_huge_pages, names)) and not names & {"cpu", "memory"}
    return (fld.forbidden("HugePages require cpu or memory"),) if alone else ()


def _claims_of_the_pod(fld: v.FieldContext) -> v.FieldErrors:
    """Require claims of the pod in a container, each once."""
    offered = sorted(claim.text("name") for claim in fld.nearest(".spec").child("resourceClaims").items())
    seen: list[str] = []
    for claim in fld.items():
        name, request = claim.text("name"), claim.text("request")
        key = f"{name}/{request}" if request else name
        if not name:
            yield claim.required()
            continue
        if name in seen or key in seen or (not request and any(other.startswith(f"{name}/") for other in seen)):
            yield claim.duplicate(name)
        else:
            yield from (
                claim.child("request").invalid(fault, request) for fault in (v.dns_label(request) if request else ())
            )
            seen.append(key)
        if name not in offered:
            others = f": {', '.join(offered)}" if offered else " which is empty"
            yield claim.with_value(name).not_found(f"must be one of the names in pod.spec.resourceClaims{others}")


def _requirements(entry: v.Constraint) -> v.Table:
    return {
        "": [_requests_within_limits, _divisible_huge_pages, _huge_pages_with_others],
        "limits.*": [entry],
        "requests.*": [entry],
    }


CONTAINER_RESOURCES: Final[v.Table] = {"": [_requirements(_container_resource)], "claims": [_claims_of_the_pod]}
"""The constraints of ``resources`` of a container."""

POD_RESOURCES: Final[v.Table] = {
    "": [_requirements(_pod_resource)],
    "claims": [v.forbidden("claims may not be set for Resources at pod-level"), _claims_of_the_pod],
}
"""The constraints of ``resources`` of a pod."""

OVERHEAD: Final[v.Table] = {"": [v.StepSpelling(".overhead.limits")], "*": [_container_resource]}
"""The constraints of ``overhead`` of a pod, which the server treats as limits."""


def enough_for_containers(fld: v.FieldContext) -> v.FieldErrors:
    """Require requests and limits of the pod that cover its containers; ``fld`` is the pod's spec."""
    resources = fld.child("resources")
    for entry in resources.child("requests").entries():
        needed = _sum_of_requests(fld, entry.step[1:-1])
        if needed > v.amount(entry.value):
            shown = v.quantity_text(needed, _any_amount(fld, "requests", entry.step[1:-1]))
            yield entry.invalid(f"must be greater than or equal to aggregate container requests of {shown}")
    for entry in resources.child("limits").entries():
        yield from _limits_within(fld, entry)


def _limits_within(fld: v.FieldContext, limit: v.FieldContext) -> v.FieldErrors:
    name = limit.step[1:-1]
    total = _sum_of(fld, lambda container: v.amount(container.get("resources", "limits", name)))
    if is_huge_pages(name) and total > v.amount(limit.value):
        shown = v.quantity_text(total, _any_amount(fld, "limits", name))
        yield limit.invalid(f"must be greater than or equal to aggregate container limits of {shown}")
    for container in fld.child("containers").items():
        own = container.get("resources", "limits", name)
        if v.amount(own) > v.amount(limit.value):
            place = fld.child("resources").child("containers").with_step(f".containers{container.step}[{name}].limits")
            yield place.invalid(f"must be less than or equal to pod limits of {limit.text()}", own)


def _any_amount(fld: v.FieldContext, side: str, name: str) -> str:
    """Return the first amount in a container; sums are shown with its suffix."""
    containers = (*fld.child("initContainers").items(), *fld.child("containers").items())
    return next(filter(None, (container.text("resources", side, name) for container in containers)), "")


def _sum_of_requests(fld: v.FieldContext, name: str) -> Fraction:
    return _sum_of(fld, lambda container: v.amount(container.get("resources", "requests", name)))


def _sum_of(fld: v.FieldContext, take: Callable[[v.FieldContext], Fraction]) -> Fraction:
    """Return the sum over all containers: init containers run one by one, along with the sidecars before them."""
    sidecars, peak = Fraction(0), Fraction(0)
    for container in fld.child("initContainers").items():
        if container.text("restartPolicy") == "Always":
            sidecars += take(container)
            peak = max(peak, sidecars)
        else:
            peak = max(peak, sidecars + take(container))
    running = sum(map(take, fld.child("containers").items()), sidecars)
    return max(peak, running)
