import sys

import pytest

from kubectl_applylint.sources.system.recursion import USUAL_LEVELS, raise_recursion_limit


@pytest.mark.parametrize(
    ("before", "after"), [pytest.param(1000, 20_000, id="raised"), pytest.param(30_000, 30_000, id="never lowered")]
)
def test_functions_may_call_themselves_more_often(before: int, after: int) -> None:
    usual = sys.getrecursionlimit()
    try:
        sys.setrecursionlimit(before)
        raise_recursion_limit()
        assert sys.getrecursionlimit() == after
    finally:
        sys.setrecursionlimit(usual)


def test_usual_depths_need_no_more_than_python_starts_with() -> None:
    """Of the 1000 calls that Python allows at first, each level takes a few."""
    assert USUAL_LEVELS * 4 < 1000
