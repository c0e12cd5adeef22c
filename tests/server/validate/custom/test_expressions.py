import sys
from collections.abc import Iterator

import pytest

from kubectl_applylint.core.values import MISSING
from kubectl_applylint.server.validate.custom import expressions
from kubectl_applylint.server.validate.custom.evaluation import EvaluatedValue, Undecided, Value
from kubectl_applylint.server.validate.custom.expressions import evaluate, evaluate_with, speaks_of_old

LIBRARY = "kubectl_applylint.server.validate.custom.library"


@pytest.fixture(name="without_library")
def _without_library(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make the import of what needs cel-python fail."""
    monkeypatch.setitem(sys.modules, LIBRARY, None)
    monkeypatch.delattr("kubectl_applylint.server.validate.custom.library", raising=False)
    expressions._library.cache_clear()
    yield
    expressions._library.cache_clear()


@pytest.mark.parametrize(
    ("expression", "is_it"),
    [
        ("self == oldSelf", True),
        ("oldSelf.a", True),
        ("self.oldSelfish", False),
        ("self.myoldSelf", False),
        ("self == old", False),
    ],
)
def test_an_expression_that_compares_with_what_was_stored(expression: str, is_it: bool) -> None:
    assert speaks_of_old(expression) == is_it


def test_an_expression_is_about_a_value_or_about_variables() -> None:
    assert evaluate("self + 1", EvaluatedValue(1, MISSING, {"type": "integer"})) == Value(2)
    assert evaluate_with("a + b", {"a": 1, "b": 2}) == Value(3)


@pytest.mark.usefixtures("without_library")
def test_without_the_library_nothing_is_evaluated() -> None:
    undecided = Undecided("install kubectl-applylint[cel] to have it evaluated")

    assert evaluate("self", EvaluatedValue(1, MISSING, {})) == undecided
    assert evaluate_with("true", {}) == undecided
