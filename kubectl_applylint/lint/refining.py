"""General rules keep silent where a rule that refines them speaks."""

from collections.abc import Iterable
from typing import TypeVar

from kubectl_applylint.lint.model import Finding, Rule

_Result = TypeVar("_Result")


def unrefined(results: Iterable[tuple[Rule, _Result]]) -> list[tuple[Rule, _Result]]:
    """Return the results of one object without findings at paths where a rule that refines theirs has found something.

    A rule that is refined itself still keeps those silent that it refines.
    """
    found = list(results)
    refined = {
        (general, result.path) for rule, result in found if isinstance(result, Finding) for general in rule.refines
    }
    return [
        (rule, result)
        for rule, result in found
        if not isinstance(result, Finding) or (rule.id, result.path) not in refined
    ]
