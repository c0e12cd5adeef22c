"""The constraints that tables are made of. Each says nothing about a field that is not there, but for ``required``."""

from collections.abc import Callable, Iterator

from kubectl_applylint.outcome import Refusal
from kubectl_applylint.server.validate.formats import Format
from kubectl_applylint.server.validate.spots import Constraint, Spot
from kubectl_applylint.values import MISSING, Json, Missing, equal


def required(detail: str = "") -> Constraint:
    """The field must be there and not empty."""

    def check(spot: Spot) -> Iterator[Refusal]:
        if spot.empty:
            yield spot.required(detail)

    return check


def one_of(*values: str) -> Constraint:
    """The field holds one of these words; ``values`` stand in the order in which the server lists them."""

    def check(spot: Spot) -> Iterator[Refusal]:
        if not spot.empty and spot.value not in values:
            yield spot.unsupported(values)

    return check


def required_one_of(*values: str) -> Constraint:
    """The field holds one of these words; an absent field counts as the empty word."""

    def check(spot: Spot) -> Iterator[Refusal]:
        if spot.value not in values:
            yield spot.unsupported(values)

    return check


def well_formed(form: Format) -> Constraint:
    """The text has a format of ``formats``."""

    def check(spot: Spot) -> Iterator[Refusal]:
        if isinstance(spot.value, str) and spot.value:
            yield from map(spot.invalid, form(spot.value))

    return check


def keys_well_formed(form: Format) -> Constraint:
    """Every key of the map has a format of ``formats``; the key is the value that is objected to."""

    def check(spot: Spot) -> Iterator[Refusal]:
        for key in sorted(spot.value) if isinstance(spot.value, dict) else ():
            yield from (spot.entry(key).invalid(fault, key) for fault in form(key))

    return check


def between(low: int, high: int, words: str = "") -> Constraint:
    """The number lies between two others, both included."""

    def check(spot: Spot) -> Iterator[Refusal]:
        if isinstance(spot.value, int) and not low <= spot.value <= high:
            yield spot.invalid(words or f"must be between {low} and {high}, inclusive")

    return check


def at_least(low: int, words: str = "") -> Constraint:
    """The number is not below another."""

    def check(spot: Spot) -> Iterator[Refusal]:
        if isinstance(spot.value, int) and spot.value < low:
            yield spot.invalid(words or f"must be greater than or equal to {low}")

    return check


def unique(*keys: str) -> Constraint:
    """No two elements of the list are the same, or have the same value in ``keys`` taken together."""

    def check(spot: Spot) -> Iterator[Refusal]:
        seen: list[Json] = []
        for item in spot.items():
            identity = [item.get(key) for key in keys] if keys else item.value
            if any(identity == earlier for earlier in seen):
                yield item.child(keys[0]).duplicate() if len(keys) == 1 else item.duplicate()
            seen.append(identity)

    return check


def unchangeable(spot: Spot) -> Iterator[Refusal]:
    """The field keeps the value that it was created with; empty and absent are the same."""
    if not spot.creating and not _same(spot):
        yield spot.immutable()


def _same(spot: Spot) -> bool:
    return (_holds_nothing(spot.value) and _holds_nothing(spot.old)) or equal(spot.value, spot.old)


def _holds_nothing(value: Json | Missing) -> bool:
    return value is MISSING or value is None or value in ({}, [], "")


def on_update(constraint: Constraint) -> Constraint:
    """The constraint holds for updates only."""
    return lambda spot: iter(()) if spot.creating else constraint(spot)


def on_create(constraint: Constraint) -> Constraint:
    """The constraint holds when an object is created."""
    return lambda spot: constraint(spot) if spot.creating else iter(())


def when(condition: Callable[[Spot], bool], *constraints: Constraint) -> Constraint:
    """The constraints hold where the condition does."""

    def check(spot: Spot) -> Iterator[Refusal]:
        if condition(spot):
            for constraint in constraints:
                yield from constraint(spot)

    return check


def ratcheted(*constraints: Constraint) -> Constraint:
    """The constraints hold for what is new: what was stored and stays as it is may stay."""
    return when(lambda spot: not spot.unchanged, *constraints)
