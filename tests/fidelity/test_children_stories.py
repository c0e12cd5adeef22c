"""The plan of children against what the real Metacontroller did; no figure may fall below its floor."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from tests.fidelity.children_stories import METRICS, Scored, opened, scored
from tests.fidelity.controllers import controllers
from tests.fidelity.score import Floors, below
from tests.fidelity.score_children import shares

pytestmark = pytest.mark.slow

RECORDED = Path(__file__).parent / "metacontroller-children.jsonl.gz"
FLOORS: Floors = {"run": 0.96, "verdict": 0.96, "result": 0.97, "owners": 0.97, "pruned": 0.96}
"""The least share of right answers for each metric.

Not predicted are rolling updates that a child holds up, what is adopted in a sync that stops, and a second sync.
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


def test_two_hundred_stories_of_all_controllers_are_recorded() -> None:
    ways = {(str(one.story.controller["kind"]), one.story.way) for one in results()}

    assert len(results()) >= 200
    assert ways == {(one.manifest["kind"], one.parent) for one in controllers("")}
