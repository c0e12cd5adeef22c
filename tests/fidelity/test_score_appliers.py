"""Counting, floors and the command line of the score of calls of Helm."""

import json
from pathlib import Path

import pytest

from tests.fidelity.score import Share
from tests.fidelity.score_appliers import examples, main, score_file, shares, table
from tests.fidelity.test_helm_calls import REF, UPGRADE, stored_object, write_recording

WRONG = {**UPGRADE, "id": "t-2/1", "after": {REF: stored_object("2", a="3")}}


def test_shares_are_counted_over_all_and_by_action(tmp_path: Path) -> None:
    groups = shares(score_file(write_recording(tmp_path, UPGRADE, WRONG)))

    assert groups["result", "all"] == groups["result", "upgrade"] == Share(1, 2)
    assert table(groups).splitlines()[3] == "result   all 1/2  upgrade 1/2"


def test_examples_are_the_wrong_calls(tmp_path: Path) -> None:
    results = list(score_file(write_recording(tmp_path, UPGRADE, WRONG)))
    (shown,) = examples(results)

    assert json.loads(shown)["id"] == "t-2/1"
    assert "result" in json.loads(shown)
    assert list(examples(results, "run")) == []


def test_the_command_ends_with_1_below_a_floor_and_at_a_crash(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write_recording(tmp_path, UPGRADE, WRONG)

    assert main([str(file), "--floor", "result=0.5"]) == 0
    assert main([str(file), "--floor", "result=0.6", "--show", "1"]) == 1
    assert capsys.readouterr().out.endswith("short: result 0.5 < 0.6\n")
    assert main([str(write_recording(tmp_path, {**UPGRADE, "before": {}}))]) == 1
    assert capsys.readouterr().out.endswith("short: 1 crashes\n")
