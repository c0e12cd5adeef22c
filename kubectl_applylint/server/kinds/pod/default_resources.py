"""Defaults of the resources of a whole pod.

Mirrors ``defaultPodRequests`` and ``defaultHugePagePodLimits`` of pkg/apis/core/v1/defaults.go.
"""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Final, TypeAlias

from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import JsonObject, dig, mapping
from kubectl_applylint.server.quantity import Quantity, parse

_Amounts: TypeAlias = Mapping[str, Quantity]
_OVERCOMMITTED: Final = frozenset({"cpu", "memory"})
_HUGE_PAGES: Final = "hugepages-"
_CONTAINERS: Final = ("initContainers", "containers")


def pod_limits(spec: JsonObject) -> JsonObject:
    """Default the limits of huge pages to the peak of the containers."""
    resources = mapping(spec.get("resources"))
    limits, requests = mapping(resources.get("limits")), mapping(resources.get("requests"))
    if not limits and not requests:
        return {}
    used = _peak(spec, "limits")
    given = {**requests, **limits}
    missing = {name: str(used[name]) for name in used if name.startswith(_HUGE_PAGES) and name not in given}
    return {"resources": {**resources, "limits": {**missing, **limits}}} if missing else {}


def pod_requests(spec: JsonObject) -> JsonObject:
    """Default the requests of a pod with limits to the peak of its containers, else to its limits."""
    resources = mapping(spec.get("resources"))
    limits, requests = mapping(resources.get("limits")), mapping(resources.get("requests"))
    if not limits:
        return {}
    used = _peak(spec, "requests")
    asked = {name: str(used[name]) for name in used if name in _OVERCOMMITTED}
    limited = {name: limit for name, limit in limits.items() if name in _OVERCOMMITTED or name.startswith(_HUGE_PAGES)}
    missing = {**limited, **asked}
    return {"resources": {**resources, "requests": {**missing, **requests}}} if missing.keys() - requests.keys() else {}


def _peak(spec: JsonObject, side: str) -> _Amounts:
    """Return the maximum that the containers of a pod use at one time: in parallel, or while one initializes.

    Resources are left out if an amount of a container is unknown.
    """
    sidecars: _Amounts = {}
    starting: _Amounts = {}
    for container in spec.get("initContainers") or []:
        used = _sum((_amounts(container, side), sidecars))
        if container.get("restartPolicy") == "Always":
            sidecars = used = _sum((sidecars, _amounts(container, side)))
        starting = _most(starting, used)
    running = _sum([*(_amounts(container, side) for container in spec.get("containers") or []), sidecars])
    unknown = {name for each in _CONTAINERS for one in spec.get(each) or [] for name in _unknown_amounts(one, side)}
    return {name: amount for name, amount in _most(running, starting).items() if name not in unknown}


def _amounts(container: JsonObject, side: str) -> _Amounts:
    return {
        name: parse(str(text))
        for name, text in mapping(dig(container, "resources", side)).items()
        if not isinstance(text, Unknown)
    }


def _unknown_amounts(container: JsonObject, side: str) -> Iterator[str]:
    amounts = mapping(dig(container, "resources", side))
    yield from (name for name, text in amounts.items() if isinstance(text, Unknown))


def _sum(lists: Iterable[_Amounts]) -> _Amounts:
    total: dict[str, Quantity] = {}
    for amounts in lists:
        for name, amount in amounts.items():
            total[name] = _add(total[name], amount) if name in total else amount
    return total


def _most(left: _Amounts, right: _Amounts) -> _Amounts:
    larger = {name: amount for name, amount in right.items() if name not in left or _size(amount) > _size(left[name])}
    return {**left, **larger}


def _add(left: Quantity, right: Quantity) -> Quantity:
    exponent = min(left.exponent, right.exponent)
    unscaled = sum(amount.unscaled * 10 ** (amount.exponent - exponent) for amount in (left, right))
    return replace(left if left.unscaled else right, unscaled=unscaled, exponent=exponent, text="")


def _size(amount: Quantity) -> Fraction:
    return amount.unscaled * Fraction(10) ** amount.exponent
