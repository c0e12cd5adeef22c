"""Costs and sizes of the parts of an expression, as the server estimates them."""

from collections.abc import Mapping
from math import ceil
from typing import Any, Final, TypeAlias

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.server.validate.custom.decls import Decl

MOST: Final = 2**64 - 1
"""The greatest cost and size; the server counts no further."""
_SCALARS: Final = frozenset(("bool", "double", "duration", "int", "timestamp", "uint", "null"))
LOST: Final = Decl("")
"""The place of a value whose sizes the server looks up where there is no declaration."""


@dataclass(frozen=True, slots=True)
class Size:
    """The least and the greatest size of a value."""

    least: int = 0
    most: int = MOST

    def times(self, factor: float) -> int:
        """Return the greatest cost of iterating over a value with ``factor`` units a step."""
        return MOST if self.most * factor >= MOST else ceil(float(self.most) * factor)

    def union(self, other: "Size") -> "Size":
        """Return a size that covers both."""
        return Size(min(self.least, other.least), max(self.most, other.most))


_UNKNOWN: Final = Size()
_ONE: Final = Size(1, 1)


@dataclass(frozen=True, slots=True)
class Estimate:
    """The estimate of a part: its cost and type, the declaration of its sizes, its size and that of its elements.

    ``place`` is the declaration that the server looks sizes up in; ``literal`` is a constant.
    """

    cost: int
    kind: Decl
    place: Decl | None = None
    own: Size | None = None
    entry: Size | None = None
    literal: tuple[Any, ...] = ()

    @property
    def size(self) -> Size:
        """The size, or the bounds that are known of it."""
        if self.own is not None:
            return self.own
        if self.place is not None and self.place is not LOST:
            return Size(0, self.place.most)
        return _ONE if _is_scalar(self.kind) else _UNKNOWN


def _is_scalar(kind: Decl) -> bool:
    if kind.kind == "optional" and kind.element is not None:
        return _is_scalar(kind.element)
    return kind.kind in _SCALARS


Scope: TypeAlias = Mapping[str, Estimate]
ROOT: Final = "@root"


def add(*costs: int) -> int:
    """Return a sum of costs, at most ``MOST``."""
    return min(MOST, sum(costs))


def times(left: int, right: int) -> int:
    """Return a product, at most ``MOST``."""
    return min(MOST, left * right)


def place_of_elements(holder: Estimate, scope: Scope) -> Decl | None:
    """Return the declaration of the sizes of elements; without a path the server uses that of the whole value."""
    return scope[ROOT].place if holder.place is None else holder.place.element or LOST


def place_of_field(holder: Estimate, name: str, scope: Scope) -> Decl | None:
    """Return the declaration of the size of a field; without a path the server uses that of the whole value."""
    return scope[ROOT].place if holder.place is None else holder.place.fields.get(name, LOST)
