"""The plan of children against what the real Metacontroller did; no figure may fall below its floor."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from tests.fidelity.children_stories import METRICS, Scored, opened, scored
from tests.fidelity.score import Floors, below
from tests.fidelity.score_children import shares

pytestmark = pytest.mark.slow

RECORDED = Path(__file__).parent / "metacontroller-children.jsonl.gz"
FLOORS: Floors = {"run": 0.92, "verdict": 0.9, "result": 0.98, "owners": 0.98, "pruned": 0.98}
"""The least share of right answers for each metric.

Recordings end while some children of ``RollingRecreate`` are still to come, and a port of a child that is deleted first
counts as taken.
"""


@cache
def results() -> Sequence[Scored]:
    """Return the stories, predicted once."""
    return tuple(map(scored, opened(RECORDED)))


def test_predictions_keep_their_floors() -> None:
    assert [result.crash for result in results() if result.crash] == []
    assert below(shares(results()), FLOORS) == []


def test_all_figures_are_compared() -> None:
    assert all(shares(results())[metric, "all"].total for metric in METRICS)
