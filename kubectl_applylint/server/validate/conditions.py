"""Conditions of constraints, for ``when`` and ``unless``."""

from collections.abc import Callable
from itertools import chain

from kubectl_applylint.core.values import Json
from kubectl_applylint.server.validate.constraints import when
from kubectl_applylint.server.validate.field_context import Always, Constraint, Content, FieldContext
from kubectl_applylint.server.validate.selectors import has_bad_values
from kubectl_applylint.server.validate.walk import inside

Condition = Callable[[FieldContext], bool]


def sibling_is(name: str, *values: str) -> Condition:
    """Return the condition that the sibling field ``name`` has one of these texts."""
    return lambda fld: fld.parent.text(name) in values


def any_set(*names: str) -> Condition:
    """Return the condition that one of the sibling fields ``names`` is set, even if it is empty."""
    return lambda fld: any(map(fld.parent.sets, names))


def if_set(*constraints: Constraint) -> Constraint:
    """Apply the constraints to a field that is set, even if it is empty."""
    return when(lambda fld: fld.there, *constraints)


def where(condition: Condition, content: Content) -> Constraint:
    """Apply the table to a place, and the places inside it, if the condition holds."""
    return when(condition, inside(content))


def had_bad_values(*path: str) -> Condition:
    """Return the condition that the stored object's label selector at ``path`` has values that are not valid labels."""
    return lambda fld: has_bad_values(fld.root.before().get(*path))


def had_bad_selector(fld: FieldContext) -> bool:
    """Return whether the stored label selector of the nearest spec has values that are not valid labels."""
    return has_bad_values(fld.nearest(".spec").before().get("selector"))


def or_zero(*constraints: Constraint) -> Constraint:
    """Apply the constraints to a number; an absent one counts as 0."""
    return Always(lambda fld: chain.from_iterable(each(_or(fld, 0)) for each in constraints))


def or_empty(*constraints: Constraint) -> Constraint:
    """Apply the constraints to a text; an absent one counts as the empty text."""
    return Always(lambda fld: chain.from_iterable(each(_or(fld, "")) for each in constraints))


def _or(fld: FieldContext, absent: Json) -> FieldContext:
    """Return the place, with the value ``absent`` if it has none."""
    return fld if fld.there else fld.with_value(absent)
