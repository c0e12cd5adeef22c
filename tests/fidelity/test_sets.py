"""Whole folders against what a real kubectl and API server did with them, and how that is judged.

Everywhere every ninth case is predicted, in CI every one.
"""

import os
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import pytest

from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import JsonObject
from tests.fidelity.score import Floors, below
from tests.fidelity.score_sets import Scored, score, shares
from tests.fidelity.sets import Fate, SetStory, Step, entries, fates, judge, read_stories, result, verdict

pytestmark = pytest.mark.slow

RECORDING = Path(__file__).parent / "sets-1.36.jsonl.gz"
FLOORS: Floors = {"verdict": 0.985, "result": 0.985, "pruned": 0.95, "whole": 0.94}
"""The least share of right answers."""
STRIDE = 1 if os.environ.get("CI") else 9

WEB = ObjectRef("apps/v1", "Deployment", "shop", "web")
OLD = ObjectRef("v1", "ConfigMap", "shop", "old")
ROLE = ObjectRef("rbac.authorization.k8s.io/v1", "ClusterRole", "shop", "reader")


@pytest.fixture(scope="module")
def results() -> Sequence[Scored]:
    return [score(story) for story in islice(read_stories(RECORDING), 0, None, STRIDE)]


def test_predictions_keep_their_floors(results: Sequence[Scored]) -> None:
    assert [scored.crash for scored in results if scored.crash] == []
    assert below(shares(results), FLOORS) == []


def test_a_plan_of_a_set_takes_less_than_a_second(results: Sequence[Scored]) -> None:
    seconds = sorted(scored.seconds for scored in results)

    assert seconds[len(seconds) // 2] < 1


def manifest(ref: ObjectRef) -> str:
    place = "" if ref is ROLE else f", namespace: {ref.namespace}"
    return f"apiVersion: {ref.api_version}\nkind: {ref.kind}\nmetadata: {{name: {ref.name}{place}}}\n"


def story(before: Sequence[ObjectRef], after: Sequence[ObjectRef], stdout: str, *there: ObjectRef) -> SetStory:
    stored = {
        f"{ref.api_version}/{ref.kind}/{'' if ref is ROLE else 'shop'}/{ref.name}": {"metadata": {"uid": "1"}}
        if ref in there
        else None
        for ref in (WEB, OLD, ROLE)
    }
    base, head = ({"a.yaml": "---\n".join(map(manifest, refs))} for refs in (before, after))
    return SetStory("s-1", "plain", (), "shop", Step(base, 0, "", "", {}), Step(head, 0, stdout, "", stored))


@pytest.mark.parametrize(
    ("recorded", "words"),
    [
        pytest.param(story([WEB], [WEB], "deployment.apps/web unchanged\n", WEB), {WEB: "unchanged"}, id="applied"),
        pytest.param(story([], [WEB], ""), {WEB: "refused"}, id="refused"),
        pytest.param(story([OLD], [], "configmap/old pruned\n"), {OLD: "pruned"}, id="pruned"),
        pytest.param(story([OLD], [OLD], "configmap/old pruned\n"), {OLD: "pruned"}, id="pruned though in the files"),
        pytest.param(story([OLD], [], "", OLD), {OLD: "kept"}, id="kept"),
        pytest.param(story([OLD], [], ""), {}, id="never there"),
        pytest.param(
            story([], [WEB, WEB], "deployment.apps/web created\ndeployment.apps/web configured\n", WEB),
            {WEB: "configured"},
            id="applied twice",
        ),
        pytest.param(
            story([], [ROLE], "clusterrole.rbac.authorization.k8s.io/reader created\n", ROLE),
            {ROLE: "created"},
            id="cluster-scoped",
        ),
    ],
)
def test_the_output_of_kubectl_shows_the_fate_of_an_object(recorded: SetStory, words: dict[ObjectRef, str]) -> None:
    assert {ref: fate.word for ref, fate in fates(recorded).items()} == words


@pytest.mark.parametrize(
    ("fate", "entry", "is_right"),
    [
        (Fate("created", None), {"verdict": "created"}, True),
        (Fate("created", None), {"verdict": "configured"}, False),
        (Fate("refused", None), {"verdict": "conflict"}, True),
        (Fate("refused", None), None, False),
    ],
    ids=["the same word", "another word", "a refusal", "nothing"],
)
def test_a_verdict_is_right_or_wrong(fate: Fate, entry: JsonObject | None, is_right: bool) -> None:
    assert verdict(fate, entry).right is is_right


@pytest.mark.parametrize(
    ("after", "stored", "is_right"),
    [
        ({"data": {"a": "1"}, "metadata": {"uid": "7"}}, {"data": {"a": "1"}, "metadata": {}}, True),
        ({"data": {"a": "1"}}, {"data": {"a": "2"}}, False),
        ({"data": {"a": "1"}}, None, False),
        (None, None, None),
    ],
    ids=["but for the server's metadata", "another value", "nothing predicted", "nothing stored"],
)
def test_a_result_is_right_or_wrong(after: JsonObject | None, stored: JsonObject | None, is_right: bool | None) -> None:
    found = result(Fate("created", after), {"verdict": "created", "result": stored})

    assert (found and found.right) is is_right


def test_a_case_is_whole_when_all_verdicts_are_right() -> None:
    recorded = story([WEB, OLD], [WEB], "deployment.apps/web unchanged\nconfigmap/old pruned\n", WEB)
    right: dict[ObjectRef, JsonObject] = {
        WEB: {"verdict": "unchanged", "result": {"metadata": {}}},
        OLD: {"verdict": "pruned"},
    }

    for plan, is_whole, is_pruned in ((right, True, True), ({WEB: right[WEB]}, False, False), (None, False, False)):
        found = judge(recorded, plan)
        assert [each.right for each in found["whole"]] == [is_whole]
        assert [each.right for each in found["pruned"]] == [is_pruned]


def test_a_plan_is_read_by_name() -> None:
    text = '{"objects": [{"apiVersion": "v1", "kind": "ConfigMap", "namespace": "", "name": "old", "verdict": "kept"}]}'

    assert set(entries(text, "shop") or {}) == {OLD}
    assert entries("no plan", "shop") is None
