"""The constraints that tables consist of.

Each checks the value at its place and accepts an absent one, unless its description mentions absent values.
"""

from collections.abc import Callable

from kubectl_applylint.core.values import MISSING, Json, Missing, equal
from kubectl_applylint.server.validate.field_context import (
    Always,
    Constraint,
    FieldContext,
    FieldErrors,
    always,
    is_absent,
    is_known,
)
from kubectl_applylint.server.validate.formats import Format


def required(detail: str = "") -> Constraint:
    """Require a field that is present and not empty."""
    return Always(lambda fld: (fld.required(detail),) if fld.empty else ())


def set_at_all(detail: str = "") -> Constraint:
    """Require a field that is present, even if it is empty (Go: a pointer that is not nil)."""
    return Always(lambda fld: () if fld.there else (fld.required(detail),))


def forbidden(detail: str) -> Constraint:
    """Forbid the field."""
    return lambda fld: (fld.forbidden(detail),)


def one_of(*values: str) -> Constraint:
    """Require one of these words; ``values`` have the order in which the server lists them."""
    return lambda fld: (fld.not_supported(values),) if fld.there and fld.value not in values else ()


def must(condition: Callable[[FieldContext], bool], words: str) -> Constraint:
    """Require the condition, or else report the value as invalid."""
    return lambda fld: () if condition(fld) else (fld.invalid(words),)


def required_one_of(*values: str) -> Constraint:
    """Require one of these words; an absent field counts as the empty word."""
    return Always(lambda fld: () if fld.value in values else (fld.not_supported(values),))


def required_and_one_of(*values: str) -> Constraint:
    """Require a field that is present and has one of these words."""

    def check(fld: FieldContext) -> FieldErrors:
        if not fld.text():
            return (fld.required(),)
        return () if fld.value in values else (fld.not_supported(values),)

    return Always(check)


def well_formed(form: Format, *, even_empty: bool = False) -> Constraint:
    """Require a format of ``formats``; an empty text is accepted unless ``even_empty``."""

    def check(fld: FieldContext) -> FieldErrors:
        if not isinstance(fld.value, str) or not (fld.value or even_empty):
            return ()
        return [fld.invalid(fault) for fault in form(fld.value)]

    return check


def keys_well_formed(form: Format) -> Constraint:
    """Require a format of ``formats`` for every key of the map; errors show the key as the value."""

    def check(fld: FieldContext) -> FieldErrors:
        for key in sorted(fld.value) if isinstance(fld.value, dict) else ():
            yield from (fld.entry(key).invalid(fault, key) for fault in form(key))

    return check


def between(low: int, high: int, words: str = "") -> Constraint:
    """Require a number between two others, inclusive."""
    detail = words or f"must be between {low} and {high}, inclusive"
    return lambda fld: (fld.invalid(detail),) if isinstance(fld.value, int) and not low <= fld.value <= high else ()


def at_least(low: int, words: str = "") -> Constraint:
    """Require a number of ``low`` or more."""
    detail = words or f"must be greater than or equal to {low}"
    return lambda fld: (fld.invalid(detail),) if isinstance(fld.value, int) and fld.value < low else ()


def at_most(high: int, words: str = "") -> Constraint:
    """Require a number of ``high`` or less."""
    detail = words or f"must be less than or equal to {high}"
    return lambda fld: (fld.invalid(detail),) if isinstance(fld.value, int) and fld.value > high else ()


def no_longer_than(limit: int) -> Constraint:
    """Require a text of at most ``limit`` bytes."""

    def check(fld: FieldContext) -> FieldErrors:
        long = isinstance(fld.value, str) and len(fld.value.encode()) > limit
        return (fld.too_long(limit),) if long else ()

    return check


def no_more_than(limit: int) -> Constraint:
    """Require a list of at most ``limit`` elements."""
    return lambda fld: (fld.too_many(limit),) if isinstance(fld.value, list) and len(fld.value) > limit else ()


def unique(*keys: str) -> Constraint:
    """Require distinct elements of the list, or distinct combinations of their values in ``keys``."""

    def check(fld: FieldContext) -> FieldErrors:
        seen: list[Json] = []
        for item in fld.items():
            identity = [item.get(key) for key in keys] if keys else item.value
            if any(identity == earlier for earlier in seen):
                yield item.child(keys[0]).duplicate() if len(keys) == 1 else item.duplicate()
            seen.append(identity)

    return check


def star_alone(what: str) -> Constraint:
    """Require an asterisk, which means all ``what``, to be the only element of the list."""

    def check(fld: FieldContext) -> FieldErrors:
        mixed = fld.size() > 1 and any(item.value == "*" for item in fld.items())
        return (fld.invalid(f"if '*' is present, must not specify other {what}"),) if mixed else ()

    return check


@always
def unchangeable(fld: FieldContext) -> FieldErrors:
    """Require the value that the field was created with."""
    return () if fld.creating or same(fld.value, fld.old) else (fld.immutable(),)


def update_forbidden(words: str) -> Constraint:
    """Forbid updates of the field, with ``words`` as the message."""
    return on_update(Always(lambda fld: () if same(fld.value, fld.old) else (fld.forbidden(words),)))


def same(left: Json | Missing, right: Json | Missing) -> bool:
    """Return whether two values are the same; null is absent, and an unknown value equals any other.

    Other empty values differ from absent ones: decoding has dropped those that Go does not distinguish.
    """
    if type(left) is str and type(right) is str:
        return left == right
    if left is right or not (is_known(left) and is_known(right)):
        return True
    if isinstance(left, dict) and isinstance(right, dict):
        keys = left if left.keys() == right.keys() else left.keys() | right.keys()
        return all(same(left.get(key, MISSING), right.get(key, MISSING)) for key in keys)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return equal(left, right) or (is_absent(left) and is_absent(right))


def on_update(*constraints: Constraint) -> Constraint:
    """Apply the constraints to updates only."""
    return when(lambda fld: not fld.creating, *constraints)


def on_create(*constraints: Constraint) -> Constraint:
    """Apply the constraints to creates only."""
    return when(lambda fld: fld.creating, *constraints)


def since(minor: int, *constraints: Constraint) -> Constraint:
    """Apply the constraints from Kubernetes 1.``minor`` on."""
    return when(lambda fld: fld.occasion.minor >= minor, *constraints)


def until(minor: int, *constraints: Constraint) -> Constraint:
    """Apply the constraints up to Kubernetes 1.``minor``."""
    return when(lambda fld: fld.occasion.minor <= minor, *constraints)


def ratchet(*constraints: Constraint) -> Constraint:
    """Apply the constraints to changed values only: unchanged stored ones are valid."""
    return when(lambda fld: not fld.unchanged, *constraints)


def unless(condition: Callable[[FieldContext], bool], *constraints: Constraint) -> Constraint:
    """Apply the constraints unless the condition holds."""
    return when(lambda fld: not condition(fld), *constraints)


def when(condition: Callable[[FieldContext], bool], *constraints: Constraint) -> Constraint:
    """Apply the constraints if the condition holds."""
    absent = tuple(constraint for constraint in constraints if isinstance(constraint, Always))

    def check(fld: FieldContext) -> FieldErrors:
        if not condition(fld):
            return ()
        asked = constraints if fld.there else absent
        return [refusal for constraint in asked for refusal in constraint(fld)]

    return Always(check) if absent else check
