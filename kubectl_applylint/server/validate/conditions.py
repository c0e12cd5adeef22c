"""Conditions under which constraints hold, for ``when`` and ``unless``."""

from collections.abc import Callable
from itertools import chain

from kubectl_applylint.core.values import Json
from kubectl_applylint.server.validate.constraints import when
from kubectl_applylint.server.validate.selectors import has_bad_values
from kubectl_applylint.server.validate.spots import Always, Constraint, Content, Spot
from kubectl_applylint.server.validate.walk import inside

Condition = Callable[[Spot], bool]


def beside(name: str, *values: str) -> Condition:
    """Return the condition that the field ``name`` beside the place holds one of these texts."""
    return lambda spot: spot.up is not None and spot.up.text(name) in values


def given(*names: str) -> Condition:
    """Return the condition that one of the fields ``names`` beside the place is there, be it empty."""
    return lambda spot: spot.up is not None and any(map(spot.up.sets, names))


def if_set(*constraints: Constraint) -> Constraint:
    """The constraints hold for a field that is there, be it empty."""
    return when(lambda spot: spot.there, *constraints)


def where(condition: Condition, content: Content) -> Constraint:
    """The table holds for a place, and the places inside it, where the condition does."""
    return when(condition, inside(content))


def had_bad_values(*path: str) -> Condition:
    """Return the condition that the stored object's label selector at ``path`` has values that no label can have."""
    return lambda spot: has_bad_values(spot.root.before().get(*path))


def or_zero(*constraints: Constraint) -> Constraint:
    """The constraints hold for a number that counts as 0 where it is absent."""
    return Always(lambda spot: chain.from_iterable(each(_or(spot, 0)) for each in constraints))


def or_empty(*constraints: Constraint) -> Constraint:
    """The constraints hold for a text that counts as the empty one where it is absent."""
    return Always(lambda spot: chain.from_iterable(each(_or(spot, "")) for each in constraints))


def _or(spot: Spot, absent: Json) -> Spot:
    return spot if spot.there else spot.with_value(absent)
