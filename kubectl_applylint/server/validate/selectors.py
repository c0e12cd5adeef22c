"""Label selectors: their validation, and the labels that they match.

Mirrors apimachinery's ``apis/meta/v1/validation`` and ``LabelSelectorAsSelector``.
"""

from collections.abc import Callable
from typing import Final

from kubectl_applylint.core.selector import evaluate, read
from kubectl_applylint.core.values import Json, JsonObject, Missing, mapping
from kubectl_applylint.server.validate.constraints import unless
from kubectl_applylint.server.validate.field_context import (
    Always,
    Constraint,
    FieldContext,
    FieldErrors,
    Table,
    is_known,
)
from kubectl_applylint.server.validate.formats import label_value, qualified_name
from kubectl_applylint.server.validate.metadata import well_formed_labels
from kubectl_applylint.server.validate.walk import inside

_WITH_VALUES: Final = ("In", "NotIn")
_WITHOUT_VALUES: Final = ("Exists", "DoesNotExist")


def _well_formed_requirement(fld: FieldContext) -> FieldErrors:
    operator, values = fld.text("operator"), fld.child("values")
    if operator in _WITH_VALUES and values.empty:
        yield values.required("must be specified when `operator` is 'In' or 'NotIn'")
    if operator in _WITHOUT_VALUES and not values.empty:
        yield values.forbidden("may not be specified when `operator` is 'Exists' or 'DoesNotExist'")
    if operator not in _WITH_VALUES + _WITHOUT_VALUES:
        yield fld.child("operator").invalid("not a valid selector operator")
    key = fld.child("key")
    yield from (key.invalid(fault, key.text()) for fault in qualified_name(key.text()))


def a_label_name(fld: FieldContext) -> FieldErrors:
    """Require the key of a label."""
    return [fld.invalid(fault, fld.text()) for fault in qualified_name(fld.text())]


def label_values(fld: FieldContext) -> FieldErrors:
    """Require label values as elements of the list."""
    return [item.invalid(fault) for item in fld.items() for fault in label_value(item.text())]


def selector_table(*, tolerant: Callable[[FieldContext], bool] = lambda fld: False) -> Table:
    """Return the constraints of a label selector; if ``tolerant`` holds, its expressions may have invalid values."""
    return {
        "matchLabels": [well_formed_labels],
        "matchExpressions[*]": [_well_formed_requirement],
        "matchExpressions[*].values": [unless(tolerant, label_values)],
    }


LABEL_SELECTOR: Final = selector_table()
"""The constraints of a label selector."""


def has_bad_values(selector: Json | Missing) -> bool:
    """Return whether a label selector has an expression with a value that is not a valid label value."""
    requirements = mapping(selector).get("matchExpressions") or []
    return any(_is_bad(value) for each in requirements for value in each.get("values") or [])


def _is_bad(value: Json) -> bool:
    return isinstance(value, str) and bool(label_value(value))


def selects_nothing_in_particular(selector: Json | Missing) -> bool:
    """Return whether a label selector has no terms."""
    return not mapping(selector).get("matchLabels") and not mapping(selector).get("matchExpressions")


def is_usable(selector: Json | Missing) -> bool:
    """Return whether a label selector can be evaluated: its keys, values and operators are well formed."""
    labels = mapping(mapping(selector).get("matchLabels"))
    if any(qualified_name(key) or _is_bad(value) for key, value in labels.items()):
        return False
    return all(map(_is_usable_requirement, mapping(selector).get("matchExpressions") or []))


def _is_usable_requirement(requirement: JsonObject) -> bool:
    values, key, operator = requirement.get("values") or [], requirement.get("key", ""), requirement.get("operator")
    if not (is_known(key) and is_known(operator)):
        return False
    if qualified_name(key) or any(map(_is_bad, values)):
        return False
    return bool(values) if operator in _WITH_VALUES else operator in _WITHOUT_VALUES and not values


def chooses(selector: Json | Missing, labels: JsonObject) -> bool:
    """Return whether a label selector matches labels; an absent one matches nothing, one without terms everything.

    Unknown values are assumed to match.
    """
    return isinstance(selector, dict) and evaluate(read(selector), labels) is not False


def matches_template(fld: FieldContext) -> FieldErrors:
    """Require a selector that matches the labels of the workload's pod template; ``fld`` is the workload's ``spec``."""
    return selector_matches_labels(fld, fld.get("selector"), mapping(fld.get("template", "metadata", "labels")))


def selector_matches_labels(fld: FieldContext, selector: Json | Missing, labels: JsonObject) -> FieldErrors:
    """Require a selector of the workload that matches these labels; ``fld`` is the workload's ``spec``."""
    if not is_usable(selector) or chooses(selector, labels):
        return ()
    return (fld.at("template", "metadata", "labels").invalid("`selector` does not match template `labels`", labels),)


def if_selector_is_usable(otherwise: str, table: Table) -> Constraint:
    """Apply the table if the selector can be evaluated, or else report it with the message ``otherwise``.

    The table is one of the ``spec`` of a workload.
    """
    whole = inside(table)

    def check(fld: FieldContext) -> FieldErrors:
        return whole(fld) if is_usable(fld.get("selector")) else (fld.child("selector").invalid(otherwise),)

    return check


def nonempty_selector(kind: str) -> Constraint:
    """Require a label selector with terms; ``kind`` is the workload in the message."""

    def check(fld: FieldContext) -> FieldErrors:
        empty = selects_nothing_in_particular(fld.value)
        return (fld.invalid(f"empty selector is invalid for {kind}"),) if empty else ()

    return check


def required_selector(kind: str) -> Constraint:
    """Require a label selector with terms, also if it is absent; ``kind`` is the workload in the message."""
    nonempty = nonempty_selector(kind)
    return Always(lambda fld: nonempty(fld) if fld.there else (fld.required(),))
