"""Conditions under which constraints hold, for ``when`` and ``unless``."""

from collections.abc import Callable
from itertools import chain

from kubectl_applylint.core.values import Json
from kubectl_applylint.server.validate.constraints import when
from kubectl_applylint.server.validate.field_context import Always, Constraint, Content, FieldContext
from kubectl_applylint.server.validate.selectors import has_bad_values
from kubectl_applylint.server.validate.walk import inside

Condition = Callable[[FieldContext], bool]


def sibling_is(name: str, *values: str) -> Condition:
    """Return the condition that the field ``name`` beside the place holds one of these texts."""
    return lambda fld: fld.parent.text(name) in values


def any_set(*names: str) -> Condition:
    """Return the condition that one of the fields ``names`` beside the place is there, be it empty."""
    return lambda fld: any(map(fld.parent.sets, names))


def if_set(*constraints: Constraint) -> Constraint:
    """The constraints hold for a field that is there, be it empty."""
    return when(lambda fld: fld.there, *constraints)


def where(condition: Condition, content: Content) -> Constraint:
    """The table holds for a place, and the places inside it, where the condition does."""
    return when(condition, inside(content))


def had_bad_values(*path: str) -> Condition:
    """Return the condition that the stored object's label selector at ``path`` has values that no label can have."""
    return lambda fld: has_bad_values(fld.root.before().get(*path))


def had_bad_selector(fld: FieldContext) -> bool:
    """The stored label selector of the nearest spec has values that no label can have."""
    return has_bad_values(fld.nearest(".spec").before().get("selector"))


def or_zero(*constraints: Constraint) -> Constraint:
    """The constraints hold for a number that counts as 0 where it is absent."""
    return Always(lambda fld: chain.from_iterable(each(_or(fld, 0)) for each in constraints))


def or_empty(*constraints: Constraint) -> Constraint:
    """The constraints hold for a text that counts as the empty one where it is absent."""
    return Always(lambda fld: chain.from_iterable(each(_or(fld, "")) for each in constraints))


def _or(fld: FieldContext, absent: Json) -> FieldContext:
    return fld if fld.there else fld.with_value(absent)
