"""Predictions by bundled definitions against what a real API server with the real ones did.

``definitions-1.36.jsonl.gz`` was recorded by ``tests.fidelity.record`` with the definitions of widely used projects,
and with manifests of real repositories. Its head has the definitions that the server had, without prose.
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
from tests.fidelity.recording import Story, opened
from tests.fidelity.score import DISABLED_ADMISSION

pytestmark = pytest.mark.slow

FILE = Path(__file__).parent / "definitions-1.36.jsonl.gz"
GIVEN: Mapping[str, float] = {"accept": 0.995, "verdict": 0.995, "writes": 0.995, "result": 0.995, "causes": 0.97}
BUNDLED: Mapping[str, float] = {"verdict": 0.97, "result": 0.97}
"""A possible rejection counts as a right verdict: it says that both is possible."""
MOST_POSSIBLE = 0.2
"""The greatest share of possible rejections; a fifth of the recorded applies is rejected."""


@cache
def _recording() -> tuple[Sequence[JsonObject], Sequence[Story]]:
    with opened(FILE) as (head, stories):
        return head.crds, list(stories)


@cache
def _predicted(*, is_bundled: bool) -> Sequence[tuple[Story, Outcome]]:
    crds, stories = _recording()
    schema = load("1.36", bundled=_bundled(crds)) if is_bundled else load("1.36", crds=crds)
    return [(story, _outcome(story, schema)) for story in stories]


def _bundled(crds: Sequence[JsonObject]) -> list[tuple[str, JsonObject]]:
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


@pytest.mark.parametrize(("is_bundled", "floors"), [(False, GIVEN), (True, BUNDLED)], ids=["given", "bundled"])
def test_predictions_keep_their_floors(is_bundled: bool, floors: Mapping[str, float]) -> None:
    shares = _shares(_predicted(is_bundled=is_bundled))

    assert {name: shares[name] for name, floor in floors.items() if shares[name] < floor} == {}


def test_possible_rejections_are_few_and_mostly_real() -> None:
    predicted = _predicted(is_bundled=True)
    possible = [story for story, outcome in predicted if outcome.possible_errors]

    assert 0 < len(possible) <= MOST_POSSIBLE * len(predicted)
    assert sum(not story.accepted for story in possible) >= len(possible) / 2


def test_many_kinds_of_many_projects_are_recorded() -> None:
    crds, stories = _recording()

    assert len({(story.manifest["apiVersion"], story.kind) for story in stories}) >= 40
    assert len({name.partition(" ")[0] for name, _ in _bundled(crds)}) >= 15
