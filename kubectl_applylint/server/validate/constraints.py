"""The constraints that tables are made of.

Each looks at what stands at its place and says nothing where nothing does, but for those that say so.
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
    """The field must be there and not empty."""
    return Always(lambda fld: (fld.required(detail),) if fld.empty else ())


def set_at_all(detail: str = "") -> Constraint:
    """The field must be there, be it empty (Go: a pointer that is not nil)."""
    return Always(lambda fld: () if fld.there else (fld.required(detail),))


def forbidden(detail: str) -> Constraint:
    """The field may not be there."""
    return lambda fld: (fld.forbidden(detail),)


def one_of(*values: str) -> Constraint:
    """The field holds one of these words; ``values`` stand in the order in which the server lists them."""
    return lambda fld: (fld.not_supported(values),) if fld.there and fld.value not in values else ()


def must(condition: Callable[[FieldContext], bool], words: str) -> Constraint:
    """The condition holds, or else the value is invalid."""
    return lambda fld: () if condition(fld) else (fld.invalid(words),)


def required_one_of(*values: str) -> Constraint:
    """The field holds one of these words; an absent field counts as the empty word."""
    return Always(lambda fld: () if fld.value in values else (fld.not_supported(values),))


def required_and_one_of(*values: str) -> Constraint:
    """The field must be there and hold one of these words."""

    def check(fld: FieldContext) -> FieldErrors:
        if not fld.text():
            return (fld.required(),)
        return () if fld.value in values else (fld.not_supported(values),)

    return Always(check)


def well_formed(form: Format, *, even_empty: bool = False) -> Constraint:
    """The text has a format of ``formats``; the empty text is left to ``required`` if not said otherwise."""

    def check(fld: FieldContext) -> FieldErrors:
        if not isinstance(fld.value, str) or not (fld.value or even_empty):
            return ()
        return [fld.invalid(fault) for fault in form(fld.value)]

    return check


def keys_well_formed(form: Format) -> Constraint:
    """Every key of the map has a format of ``formats``; the key is the value that is objected to."""

    def check(fld: FieldContext) -> FieldErrors:
        for key in sorted(fld.value) if isinstance(fld.value, dict) else ():
            yield from (fld.entry(key).invalid(fault, key) for fault in form(key))

    return check


def between(low: int, high: int, words: str = "") -> Constraint:
    """The number lies between two others, both included."""
    detail = words or f"must be between {low} and {high}, inclusive"
    return lambda fld: (fld.invalid(detail),) if isinstance(fld.value, int) and not low <= fld.value <= high else ()


def at_least(low: int, words: str = "") -> Constraint:
    """The number is not below another."""
    detail = words or f"must be greater than or equal to {low}"
    return lambda fld: (fld.invalid(detail),) if isinstance(fld.value, int) and fld.value < low else ()


def at_most(high: int, words: str = "") -> Constraint:
    """The number is not above another."""
    detail = words or f"must be less than or equal to {high}"
    return lambda fld: (fld.invalid(detail),) if isinstance(fld.value, int) and fld.value > high else ()


def no_longer_than(limit: int) -> Constraint:
    """The text takes no more than ``limit`` bytes."""

    def check(fld: FieldContext) -> FieldErrors:
        long = isinstance(fld.value, str) and len(fld.value.encode()) > limit
        return (fld.too_long(limit),) if long else ()

    return check


def no_more_than(limit: int) -> Constraint:
    """The list holds no more than ``limit`` elements."""
    return lambda fld: (fld.too_many(limit),) if isinstance(fld.value, list) and len(fld.value) > limit else ()


def unique(*keys: str) -> Constraint:
    """No two elements of the list are the same, or have the same value in ``keys`` taken together."""

    def check(fld: FieldContext) -> FieldErrors:
        seen: list[Json] = []
        for item in fld.items():
            identity = [item.get(key) for key in keys] if keys else item.value
            if any(identity == earlier for earlier in seen):
                yield item.child(keys[0]).duplicate() if len(keys) == 1 else item.duplicate()
            seen.append(identity)

    return check


def star_alone(what: str) -> Constraint:
    """An asterisk stands for all ``what``, and so alone in the list."""

    def check(fld: FieldContext) -> FieldErrors:
        mixed = fld.size() > 1 and any(item.value == "*" for item in fld.items())
        return (fld.invalid(f"if '*' is present, must not specify other {what}"),) if mixed else ()

    return check


@always
def unchangeable(fld: FieldContext) -> FieldErrors:
    """The field keeps the value that it was created with."""
    return () if fld.creating or same(fld.value, fld.old) else (fld.immutable(),)


def update_forbidden(words: str) -> Constraint:
    """The field stays as it was created; ``words`` forbid an update of it."""
    return on_update(Always(lambda fld: () if same(fld.value, fld.old) else (fld.forbidden(words),)))


def same(left: Json | Missing, right: Json | Missing) -> bool:
    """Return whether two values are the same, where null is absent and what nobody knows is as it should be.

    Nothing else that is empty is absent: decoding has dropped what Go does not tell from it.
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
    """The constraints hold for updates only."""
    return when(lambda fld: not fld.creating, *constraints)


def on_create(*constraints: Constraint) -> Constraint:
    """The constraints hold when an object is created."""
    return when(lambda fld: fld.creating, *constraints)


def since(minor: int, *constraints: Constraint) -> Constraint:
    """The constraints hold from Kubernetes 1.``minor`` on."""
    return when(lambda fld: fld.occasion.minor >= minor, *constraints)


def until(minor: int, *constraints: Constraint) -> Constraint:
    """The constraints hold up to Kubernetes 1.``minor``."""
    return when(lambda fld: fld.occasion.minor <= minor, *constraints)


def ratchet(*constraints: Constraint) -> Constraint:
    """The constraints hold for what is new: what was stored and stays as it is may stay."""
    return when(lambda fld: not fld.unchanged, *constraints)


def unless(condition: Callable[[FieldContext], bool], *constraints: Constraint) -> Constraint:
    """The constraints hold where the condition does not."""
    return when(lambda fld: not condition(fld), *constraints)


def when(condition: Callable[[FieldContext], bool], *constraints: Constraint) -> Constraint:
    """The constraints hold where the condition does."""
    absent = tuple(constraint for constraint in constraints if isinstance(constraint, Always))

    def check(fld: FieldContext) -> FieldErrors:
        if not condition(fld):
            return ()
        asked = constraints if fld.there else absent
        return [refusal for constraint in asked for refusal in constraint(fld)]

    return Always(check) if absent else check
