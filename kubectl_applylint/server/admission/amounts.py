"""Sums of the requests and limits of pods, as servers compute them.

Mirrors ``podRequests`` and ``podLimits`` of LimitRanger.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Final, TypeAlias

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.values import Json, JsonObject, dig, mapping, objects_at
from kubectl_applylint.server.validate.amounts import amount, quantity_text

_POD_LEVEL: Final = ("cpu", "memory")
_POD_LEVEL_SINCE: Final = 34


@dataclass(frozen=True, slots=True)
class Amount:
    """A number, and the spelling of a quantity whose suffixes are used to print it."""

    number: Fraction
    like: str = ""

    def __str__(self) -> str:
        return self.like if amount(self.like) == self.number and self.like else quantity_text(self.number, self.like)

    def __add__(self, other: "Amount") -> "Amount":
        return Amount(self.number + other.number, self.like or other.like)


Amounts: TypeAlias = Mapping[str, Amount]
"""Amounts by the name of the resource."""


def amounts(given: Json) -> Amounts:
    """Return a list of resources (``{"cpu": "100m"}``) as amounts."""
    return {name: Amount(amount(text), str(text)) for name, text in mapping(given).items()}


def add(left: Amounts, right: Amounts) -> Amounts:
    """Return the sums of the amounts of each resource."""
    sums = {name: left[name] + each if name in left else each for name, each in right.items()}
    return {**left, **sums}


def greatest(left: Amounts, right: Amounts) -> Amounts:
    """Return the greater amount of each resource."""
    more = {name: each for name, each in right.items() if name not in left or each.number > left[name].number}
    return {**left, **more}


def resources_of(holder: JsonObject, side: str) -> Amounts:
    """Return the ``requests`` or ``limits`` of a container, pod or claim as amounts."""
    return amounts(dig(holder, "resources", side))


def pod_amounts(spec: JsonObject, side: str, minor: int) -> Amounts:
    """Return the ``requests`` or ``limits`` of a pod: its own ones, or else the sum of its containers."""
    total = _sum(resources_of(container, side) for container in objects_at(spec, "containers"))
    kept: Amounts = {}
    at_start: Amounts = {}
    for container in objects_at(spec, "initContainers"):
        if container.get("restartPolicy") == "Always":
            total, kept = add(total, resources_of(container, side)), add(kept, resources_of(container, side))
            at_start = greatest(at_start, kept)
        else:
            at_start = greatest(at_start, add(resources_of(container, side), kept))
    own = resources_of(spec, side) if minor >= _POD_LEVEL_SINCE else {}
    return {**greatest(total, at_start), **{name: each for name, each in own.items() if name in _POD_LEVEL}}


def _sum(parts: Iterable[Amounts]) -> Amounts:
    total: Amounts = {}
    for part in parts:
        total = add(total, part)
    return total
