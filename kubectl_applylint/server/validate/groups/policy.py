"""PodDisruptionBudget.

Mirrors ``pkg/apis/policy/validation``.
"""

from typing import Final

from kubectl_applylint.server.validate import dsl as v

_POD_DISRUPTION_BUDGET: Final[v.Table] = {
    "spec": [
        v.must(
            lambda fld: not (fld.sets("minAvailable") and fld.sets("maxUnavailable")),
            "minAvailable and maxUnavailable cannot be both set",
        )
    ],
    "spec.minAvailable": [v.number_or_percent, v.not_more_than_all],
    "spec.maxUnavailable": [v.number_or_percent, v.not_more_than_all],
    "spec.selector": v.selector_table(tolerant=v.had_bad_values("spec", "selector")),
    "spec.unhealthyPodEvictionPolicy": [v.one_of("AlwaysAllow", "IfHealthyBudget")],
}

KINDS: Final[v.Group] = {("policy", "PodDisruptionBudget"): v.Rules(_POD_DISRUPTION_BUDGET, name=v.path_segment)}
"""The server does not validate the names of budgets: every path segment is valid."""
