"""The plan of children against what the real Metacontroller did; no figure may fall below its floor."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.fidelity.children_stories import METRICS, ChildrenStory, Scored, read_stories, score_story
from tests.fidelity.controllers import controllers
from tests.fidelity.score import Floors, below
from tests.fidelity.score_children import shares

pytestmark = pytest.mark.slow

RECORDED = Path(__file__).parent / "metacontroller-children.jsonl.gz"
FLOORS: Floors = {"run": 0.98, "verdict": 0.98, "result": 0.985, "owners": 0.985, "pruned": 0.96}
"""The least share of right answers for each metric.

Not predicted are rolling updates that a child holds up, what is adopted in a sync that stops, and a second sync.
"""


@cache
def results() -> Sequence[Scored]:
    """Return the stories, predicted once."""
    return tuple(map(score_story, read_stories(RECORDED)))


def test_predictions_keep_their_floors() -> None:
    assert [result.crash for result in results() if result.crash] == []
    assert below(shares(results()), FLOORS) == []


def test_all_figures_are_compared() -> None:
    assert all(shares(results())[metric, "all"].total for metric in METRICS)


def test_two_hundred_stories_of_all_controllers_are_recorded() -> None:
    ways = {(str(one.story.controller["kind"]), one.story.way) for one in results()}

    assert len(results()) >= 200
    assert ways == {(one.manifest["kind"], one.parent) for one in controllers("")}


PARENT: JsonObject = {"apiVersion": "families.example.com/v1", "kind": "InPlaceFamily", "metadata": {"uid": "7"}}
CHILD: JsonObject = {"metadata": {"resourceVersion": "2", "ownerReferences": [{"uid": "7", "controller": True}]}}
ALREADY = 'failed to sync A "s/family": can\'t reconcile children for A s/family: '


@pytest.mark.parametrize(
    ("message", "before", "kept"),
    [
        ('configmaps "a" already exists', None, False),
        ('[configmaps "a" already exists, secrets "a" already exists]', None, False),
        ('configmaps "a" already exists', CHILD, True),
        ('configmaps "b" already exists', None, True),
        ('[configmaps "a" already exists, Service "x" is invalid: spec.ports: Required value]', None, True),
    ],
    ids=["created before", "both", "was there", "of others", "another error"],
)
def test_errors_caused_by_an_old_copy_are_no_failures(message: str, before: JsonObject | None, kept: bool) -> None:
    stranger = {"metadata": {"resourceVersion": "1"}}
    after: dict[str, JsonObject | None] = {"v1/ConfigMap/s/a": CHILD, "v1/ConfigMap/s/b": stranger}
    seen = {"v1/ConfigMap/s/a": before, "v1/ConfigMap/s/b": stranger}
    story = ChildrenStory("s-1", {}, PARENT, "s", [], seen, after, [ALREADY + message], "1.36")

    assert bool(story.failures) == kept
