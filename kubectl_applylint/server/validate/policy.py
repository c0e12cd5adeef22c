"""PodDisruptionBudget.

Mirrors ``pkg/apis/policy/validation``.
"""

from collections.abc import Iterable
from typing import Final

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.server.validate.conditions import had_bad_values
from kubectl_applylint.server.validate.constraints import one_of
from kubectl_applylint.server.validate.field_context import FieldContext, Table
from kubectl_applylint.server.validate.formats import path_segment
from kubectl_applylint.server.validate.portions import not_more_than_all, number_or_percent
from kubectl_applylint.server.validate.rules import Group, Rules
from kubectl_applylint.server.validate.selectors import selector_table


def _one_limit(fld: FieldContext) -> Iterable[FieldError]:
    both = fld.sets("minAvailable") and fld.sets("maxUnavailable")
    return (fld.invalid("minAvailable and maxUnavailable cannot be both set"),) if both else ()


_POD_DISRUPTION_BUDGET: Final[Table] = {
    "spec": [_one_limit],
    "spec.minAvailable": [number_or_percent, not_more_than_all],
    "spec.maxUnavailable": [number_or_percent, not_more_than_all],
    "spec.selector": selector_table(tolerant=had_bad_values("spec", "selector")),
    "spec.unhealthyPodEvictionPolicy": [one_of("AlwaysAllow", "IfHealthyBudget")],
}

KINDS: Final[Group] = {("policy", "PodDisruptionBudget"): Rules(_POD_DISRUPTION_BUDGET, name=path_segment)}
"""The server never looks at the names of budgets: all that can stand in a URL will do."""
