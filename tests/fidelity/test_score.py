"""Counting, floors and the command line of the score."""

import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.fidelity.judge import Judgement
from tests.fidelity.recording import Story, stories
from tests.fidelity.score import Scored, Selection, Share, below, examples, floors, kinds_below, main, shares, table
from tests.fidelity.test_recording import CASE

(STORY,) = stories(CASE)
RIGHT, WRONG = Judgement(True), Judgement(False, "differs")


def result(judgement: Judgement, story: Story = STORY, crash: str = "") -> Scored:
    return Scored(story, {"patch": judgement}, 0.1, crash)


def test_shares_are_counted_over_all_by_mode_and_by_kind() -> None:
    groups = shares([result(RIGHT), result(WRONG, replace(STORY, mode="client")), result(RIGHT)])

    assert groups == {
        ("patch", "all"): Share(2, 3),
        ("patch", "mode:server"): Share(2, 2),
        ("patch", "mode:client"): Share(0, 1),
        ("patch", "ConfigMap"): Share(2, 3),
    }
    assert table(groups).splitlines()[3] == "patch    all 2/3  mode:client 0/1  ConfigMap 2/3  mode:server 2/2"


@pytest.mark.parametrize(
    ("selection", "selected"),
    [
        (Selection(), True),
        (Selection(modes=frozenset({"client"})), False),
        (Selection(modes=frozenset({"client", "server"})), True),
        (Selection(kind="Config"), False),
        (Selection(kind="ConfigMap", id="t-", only="accepted"), True),
        (Selection(id="u"), False),
        (Selection(only="rejected"), False),
    ],
    ids=["all", "other mode", "mode", "part of a kind", "all three", "other id", "rejected"],
)
def test_stories_are_selected(selection: Selection, selected: bool) -> None:
    assert selection.has(STORY) is selected


def test_figures_below_a_floor_are_named() -> None:
    groups = shares([result(RIGHT), result(RIGHT), result(WRONG)])

    assert floors("patch=0.9,accept=1") == {"patch": 0.9, "accept": 1.0}
    assert below(groups, {"patch": 0.6667}) == []
    assert below(groups, {"patch": 0.7, "owners": 0.0}) == ["patch 0.6667 < 0.7", "owners None < 0.0"]


def test_only_common_kinds_have_floors_of_their_own() -> None:
    rare = result(WRONG, replace(STORY, base="Pod/p"))
    groups = shares([*[result(WRONG)] * 20, rare])

    assert kinds_below(groups, {"patch": 0.5}) == ["patch of ConfigMap 0/20"]
    assert kinds_below(groups, {"patch": 0.0}) == []


def test_examples_show_what_differs() -> None:
    shown = list(examples([result(RIGHT), result(WRONG), result(RIGHT, crash="Traceback")], ""))

    assert [json.loads(shown[0])["patch"], shown[1]] == ["differs", "t-1 CRASH Traceback"]
    assert list(examples([result(WRONG)], "owners")) == []


def test_the_command_ends_with_1_below_a_floor(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "recorded.jsonl.gz"
    head = {"server": "v1.36.3", "kubectl": "v1.36.3"}
    with gzip.open(file, "wt") as out:
        out.writelines(json.dumps(line) + "\n" for line in (head, {**CASE, "args": ["apply", "-f", "-"]}))

    assert main([str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["cases"] == 1
    assert main([str(file), "--floor", "accept=2"]) == 1
    assert "short: accept " in capsys.readouterr().out
