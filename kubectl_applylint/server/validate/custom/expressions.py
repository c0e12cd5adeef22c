"""Evaluates the expressions of custom resources, most of them with ``cel-python``, which is imported on demand.

Every other module calls ``evaluate``. What the library cannot do is not a verdict: it is left open, with the reason.
"""

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Final, Protocol

from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import Json
from kubectl_applylint.server.validate.custom import field_tests
from kubectl_applylint.server.validate.custom.evaluation import EvaluatedValue, Evaluation, Undecided


class Library(Protocol):
    """The interface of the module that evaluates expressions."""

    def evaluate(self, expression: str, subject: EvaluatedValue) -> Evaluation:
        """Return the result of an expression about a subject."""

    def evaluate_with(self, expression: str, variables: Mapping[str, Json]) -> Evaluation:
        """Return the result of an expression about variables without a schema."""


_OLD: Final = regex(r"\boldSelf\b")


@lru_cache(maxsize=1024)
def speaks_of_old(expression: str) -> bool:
    """Return whether an expression uses the stored value."""
    return _OLD.search(expression) is not None


def evaluate(expression: str, subject: EvaluatedValue) -> Evaluation:
    """Return the result of an expression for a subject."""
    found = field_tests.evaluate(expression, subject)
    if found is not None:
        return found
    library = _library()
    return _MISSING if library is None else library.evaluate(expression, subject)


def evaluate_with(expression: str, variables: Mapping[str, Json]) -> Evaluation:
    """Return the result of an expression about variables that have no schema, by name."""
    library = _library()
    return _MISSING if library is None else library.evaluate_with(expression, variables)


_MISSING: Final = Undecided("install kubectl-applylint[cel] to have it evaluated")


@cache
def _library() -> Library | None:
    try:
        # The library takes 0.2 s to import, and hardly any run has expressions to evaluate.
        from kubectl_applylint.server.validate.custom import library  # noqa: PLC0415
    except ImportError:
        return None
    return library
