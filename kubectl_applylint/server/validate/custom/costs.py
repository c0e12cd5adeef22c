"""The cost of evaluating an expression in the server's units, and the limit at which the server stops.

Mirrors ``interpreter/runtimecost.go`` of cel-go and ``pkg/cel/library/cost.go`` of apiserver. Besides the server's
units, the actual work here is counted: above a limit of that, an expression is not evaluated.
"""

from collections.abc import Callable, Mapping, Sequence
from math import ceil
from typing import Any, Final

from kubectl_applylint.server.validate.custom.dialect import Namespace, Optional
from kubectl_applylint.server.validate.custom.kinds import CelQuantity, Cidr, Ip
from kubectl_applylint.server.validate.custom.urls import Url

PER_CALL: Final = 1_000_000
"""The most that one expression may cost (``PerCallLimit``)."""
LIST, MAP = 10, 30
_MOST_WORK: Final = 3_000_000
_LONGEST_TEXT: Final = 10_000_000


class CostLimitError(Exception):
    """The server stops evaluating an expression at its cost limit."""


class WorkLimitError(Exception):
    """An expression takes more work than is done here, whatever the server does."""


class Meter:
    """The cost of one evaluation so far."""

    __slots__ = ("cost", "work")

    def __init__(self) -> None:
        self.cost = 0
        self.work = 0

    def add(self, cost: int) -> None:
        """Add a cost; raise ``CostLimitError`` above the limit."""
        self.cost += cost
        if self.cost > PER_CALL:
            raise CostLimitError

    def add_work(self, work: int) -> None:
        """Add work; raise ``WorkLimitError`` above the limit."""
        self.work += work
        if self.work > _MOST_WORK:
            raise WorkLimitError


def size(value: Any) -> int:
    """Return the size of a value as the server counts it."""
    match value:
        case str() | bytes() | list() | dict():
            return len(value)
        case Optional((content,)):
            return size(content)
        case Ip():
            return value.address.max_prefixlen // 8
        case Cidr():
            return ceil(value.block.prefixlen / 8)
        case _:
            return 1


def weight(value: Any) -> int:
    """Return the number of values in a value, including itself; each hundred characters count as one more."""
    match value:
        case list():
            return 1 + sum(map(weight, value))
        case dict():
            return 1 + sum(map(weight, value.values()))
        case str() | bytes():
            return 1 + len(value) // 100
        case _:
            return 1


def _traversal(value: Any) -> int:
    """Return the cost of going through a value."""
    match value:
        case str():
            return int(len(value.encode(errors="replace")) * 0.1)
        case bytes():
            return int(len(value) * 0.1)
        case list():
            return sum(map(_traversal, value))
        case dict():
            return sum(_traversal(key) + _traversal(item) for key, item in value.items())
        case _:
            return 1


def _tenth(count: float) -> int:
    """Return the tenth part, rounded up."""
    return ceil(count * 0.1)


def _equality_cost(values: Sequence[Any], _: Any) -> int:
    """Return the cost of ``==``."""
    if isinstance(values[0], (CelQuantity, Ip, Cidr, Url)):
        return 1
    return _tenth(min(map(size, values)))


def _comparison_cost(values: Sequence[Any], _: Any) -> int:
    """Return the cost of ``<`` and the like."""
    textual = all(isinstance(value, (str, bytes)) for value in values)
    return _tenth(min(map(size, values))) if textual else 1


def _addition_cost(values: Sequence[Any], _: Any) -> int:
    """Return the cost of ``+``."""
    return _tenth(sum(map(size, values))) if isinstance(values[0], (str, bytes)) else 1


def _match_cost(values: Sequence[Any], _: Any) -> int:
    """Return the cost of a regular expression match."""
    return _tenth(1.0 + size(values[0])) * ceil(size(values[1]) * 0.25)


def _containment_cost(values: Sequence[Any], _: Any) -> int:
    """Return the cost of ``contains``."""
    if isinstance(values[0], Namespace):
        return 1 + size(values[1]) * size(values[2])
    return _tenth(size(values[0])) * _tenth(size(values[1]))


def _sets_cost(values: Sequence[Any], factor: int) -> int:
    """Return the cost of a function on two lists."""
    return 1 + size(values[1]) * size(values[2]) * factor


def _block_cost(values: Sequence[Any], compared: int) -> int:
    """Return the cost of a test for an address or block inside a block."""
    block, other = size(values[0]), size(values[1]) if isinstance(values[1], str) else 0
    return _tenth(2 * block) + compared * (_tenth(block) + 1) + _tenth(other)


def _first_value_cost(values: Sequence[Any], _: Any) -> int:
    return _tenth(size(values[0])) if values else 1


def _double_traversal(values: Sequence[Any], _: Any) -> int:
    """Return the cost of going through the first value twice."""
    return ceil(size(values[0]) * 2 * 0.1)


_COSTS: Final[Mapping[str, Callable[[Sequence[Any], Any], int]]] = {
    **dict.fromkeys(("_==_", "_!=_"), _equality_cost),
    **dict.fromkeys(("_<_", "_<=_", "_>_", "_>=_"), _comparison_cost),
    **dict.fromkeys(
        ("startsWith", "endsWith", "lowerAscii", "upperAscii", "substring", "trim", "url"), _first_value_cost
    ),
    **dict.fromkeys(
        ("cidr", "isIP", "isCIDR", "quantity", "isQuantity", "semver", "isSemver", "format"), _first_value_cost
    ),
    **dict.fromkeys(("replace", "split"), _double_traversal),
    **dict.fromkeys(("find", "findAll", "matches"), _match_cost),
    "_!=_": lambda values, _: _tenth(min(map(size, values))),
    "_+_": _addition_cost,
    "_in_": lambda values, _: size(values[1]) if isinstance(values[1], list) else 1,
    "bytes": lambda values, _: _first_value_cost(values, _) if isinstance(values[0], str) else 1,
    "string": lambda values, _: _first_value_cost(values, _) if isinstance(values[0], bytes) else 1,
    "contains": _containment_cost,
    "containsCIDR": lambda values, _: _block_cost(values, 1),
    "containsIP": lambda values, _: _block_cost(values, 0),
    "equivalent": lambda values, _: _sets_cost(values, 2),
    "intersects": lambda values, _: _sets_cost(values, 1),
    "ip": lambda values, _: 1 if isinstance(values[0], Cidr) else _first_value_cost(values, _),
    "join": lambda _, result: ceil(size(result) * 2 * 0.1),
    "or": lambda values, _: 0,
    "orValue": lambda values, _: 0,
    **dict.fromkeys(
        ("isSorted", "sum", "max", "min", "indexOf", "lastIndexOf"), lambda values, _: _traversal(values[0])
    ),
}


def call_cost(name: str, values: Sequence[Any], result: Any) -> int:
    """Return the cost of a call of a function with given values."""
    cost = _COSTS.get(name)
    return 1 if cost is None else cost(values, result)


def call_work(name: str, values: Sequence[Any]) -> int:
    """Return the work of a call; raise ``WorkLimitError`` if its result would be too large."""
    match name:
        case "_==_" | "_!=_" if all(isinstance(value, (list, dict)) for value in values):
            left, right = map(weight, values)
            return left * min(right, 1000)
        case "_in_" if isinstance(values[1], list):
            return weight(values[1]) + len(values[1]) * weight(values[0])
        case "contains" | "equivalent" | "intersects" if isinstance(values[0], Namespace):
            return weight(values[1]) * len(values[2])
        case "replace" if isinstance(values[0], str):
            most = values[0].count(values[1]) * len(values[2]) + len(values[0])
            return _text_work(most)
        case "join" | "format":
            return _text_work(sum(size(each) + 2 for each in (values[0] if name == "join" else values[-1])) * 1)
        case _:
            return 0


def _text_work(length: int) -> int:
    """Return the work of creating a text; raise ``WorkLimitError`` if it is too long."""
    if length > _LONGEST_TEXT:
        raise WorkLimitError
    return length // 100
