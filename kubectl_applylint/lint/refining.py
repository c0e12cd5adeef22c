"""Drops findings of general rules that a more specific rule refines."""

from collections.abc import Iterable
from typing import TypeVar

from kubectl_applylint.lint.model import Finding, Rule

_Result = TypeVar("_Result")


def drop_refined(results: Iterable[tuple[Rule, _Result]]) -> list[tuple[Rule, _Result]]:
    """Return the results of one object without findings that a refining rule has at the same path.

    A rule that is itself refined still hides the rules that it refines.
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
