"""Predictions by bundled definitions against what a real API server with the real ones did.

``definitions-1.36.jsonl.gz`` has the definitions of widely used projects that the server had, without prose, and two
draws of applies of real examples: usual changes, recorded by ``tests.fidelity.record_definitions``, and arbitrary edits
that do not look at the definition, recorded by ``tests.fidelity.record``. The server rejects a quarter of these.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path

import pytest

from kubectl_applylint.appliers.request import Applier, ApplyRequest
from kubectl_applylint.core.outcome import Outcome
from kubectl_applylint.core.state import Absent, Present, State
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine.bundled_definitions import sparing_bundled_definitions
from kubectl_applylint.engine.predict import predict
from kubectl_applylint.schema import catalogue
from kubectl_applylint.schema.load import load
from kubectl_applylint.schema.types import Schema
from tests.fidelity.judge import judge
from tests.fidelity.recording import Story, open_recording
from tests.fidelity.score import DISABLED_ADMISSION

pytestmark = pytest.mark.slow

FILE = Path(__file__).parent / "definitions-1.36.jsonl.gz"
GIVEN: Mapping[str, float] = {"accept": 0.995, "verdict": 0.995, "writes": 0.995, "result": 0.995, "causes": 0.97}
BUNDLED: Mapping[str, Mapping[str, float]] = {
    "usual": {"verdict": 0.98, "result": 0.97},
    "arbitrary": {"verdict": 0.97, "result": 0.97},
}
"""A possible rejection counts as a right verdict: it says that both is possible."""
MOST_POSSIBLE: Mapping[str, float] = {"usual": 0.1, "arbitrary": 0.2}
"""The greatest share of possible rejections in each draw."""
DRAWS = ("usual", "arbitrary")


@cache
def _recording() -> tuple[Sequence[JsonObject], Sequence[Story]]:
    with open_recording(FILE) as (head, stories):
        return head.crds, list(stories)


def _draw(story: Story) -> str:
    return "usual" if story.id.startswith("usual-") else "arbitrary"


@cache
def _predict_stories(draw: str, *, is_bundled: bool) -> Sequence[tuple[Story, Outcome]]:
    crds, stories = _recording()
    schema = load("1.36", bundled=_bundled_definitions(crds)) if is_bundled else load("1.36", crds=crds)
    return [(story, _outcome(story, schema)) for story in stories if _draw(story) == draw]


def _bundled_definitions(crds: Sequence[JsonObject]) -> list[tuple[str, JsonObject]]:
    """Return the bundled definitions of the recorded kinds."""
    names = {(crd["spec"]["group"], crd["spec"]["names"]["kind"]) for crd in crds}
    entries = [entry for entry in catalogue.entries() if (entry.group, entry.kind) in names]
    return [(str(entry.project), catalogue.definition(entry)) for entry in entries]


def _outcome(story: Story, schema: Schema) -> Outcome:
    predicting = sparing_bundled_definitions(
        partial(_apply, story, schema), partial(_apply, story, schema.without_bundled()), schema
    )
    return predicting(story.manifest, State(Absent() if story.live is None else Present(story.live)))


def _apply(story: Story, schema: Schema, manifest: JsonObject, state: State) -> Outcome:
    return predict(
        ApplyRequest(
            manifest=manifest,
            state=state,
            schema=schema,
            applier=Applier.KUBECTL_SERVER if story.server_side else Applier.KUBECTL_CLIENT,
            field_manager=story.field_manager,
            force_conflicts=story.force_conflicts,
            disabled_admission=frozenset(DISABLED_ADMISSION),
        )
    )


def _shares(predicted: Sequence[tuple[Story, Outcome]]) -> Mapping[str, float]:
    """Return the share of right answers of each figure; an open verdict is right, and has no other figure."""
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for story, outcome in predicted:
        found = {} if outcome.possible_errors else judge(story, outcome.to_json())
        figures = {name: each.right for name, each in found.items()} or {"verdict": True}
        total.update(figures.keys())
        right.update(name for name, is_right in figures.items() if is_right)
    return {name: right[name] / count for name, count in total.items()}


@pytest.mark.parametrize("draw", DRAWS)
def test_predictions_with_the_definitions_keep_their_floors(draw: str) -> None:
    assert _below(_predict_stories(draw, is_bundled=False), GIVEN) == {}


@pytest.mark.parametrize("draw", DRAWS)
def test_predictions_with_bundled_definitions_keep_their_floors(draw: str) -> None:
    assert _below(_predict_stories(draw, is_bundled=True), BUNDLED[draw]) == {}


def _below(predicted: Sequence[tuple[Story, Outcome]], floors: Mapping[str, float]) -> Mapping[str, float]:
    """Return the shares below their floors."""
    shares = _shares(predicted)
    return {name: shares[name] for name, floor in floors.items() if shares[name] < floor}


@pytest.mark.parametrize("draw", DRAWS)
def test_possible_rejections_are_few_and_mostly_real(draw: str) -> None:
    predicted = _predict_stories(draw, is_bundled=True)
    possible = [story for story, outcome in predicted if outcome.possible_errors]

    assert 0 < len(possible) <= MOST_POSSIBLE[draw] * len(predicted)
    assert sum(not story.accepted for story in possible) >= len(possible) / 2


@pytest.mark.parametrize(("draw", "cases"), [("usual", 400), ("arbitrary", 200)])
def test_many_kinds_of_many_projects_are_recorded(draw: str, cases: int) -> None:
    crds, every = _recording()
    stories = [story for story in every if _draw(story) == draw]
    kinds = {(story.manifest["apiVersion"].partition("/")[0], story.kind) for story in stories}
    drawn = [crd for crd in crds if (crd["spec"]["group"], crd["spec"]["names"]["kind"]) in kinds]

    assert len({story.id.partition("/")[0] for story in stories}) >= cases
    assert len(kinds) >= 40
    assert len({name.partition(" ")[0] for name, _ in _bundled_definitions(drawn)}) >= 15
