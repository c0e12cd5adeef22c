"""The unit that a run has reached."""

from pathlib import Path

import pytest

from kubectl_applylint.lint.dispatch import Dispatch
from kubectl_applylint.run.evaluate import Evaluation, PlanEvaluation, RuleEvaluation
from kubectl_applylint.run.progress import begin, report_steps_to, report_unit, with_progress
from tests.run.running import evaluate_units, runs

Seen = tuple[str, int, int, str]


@pytest.fixture(name="seen")
def _progress_events() -> list[Seen]:
    return []


def test_each_item_is_reached_as_its_turn_comes(seen: list[Seen]) -> None:
    with report_steps_to(lambda *step: seen.append(step)):
        turns = with_progress("checking unit", ["a", "b"], str.upper)
        assert (next(turns), seen) == ("a", [("checking unit", 1, 2, "A")])
        assert list(turns) == ["b"]

    assert seen[1:] == [("checking unit", 2, 2, "B")]


def test_the_only_unit_is_no_news_and_nothing_is_seen_later(seen: list[Seen]) -> None:
    with report_steps_to(lambda *step: seen.append(step)):
        report_unit("checking unit", 1, 1, "a")
    report_unit("checking unit", 1, 2, "a")

    assert seen == []


def test_the_beginning_of_a_phase_is_seen(seen: list[Seen]) -> None:
    with report_steps_to(lambda *step: seen.append(step)):
        begin("checking 2 objects")

    assert seen == [("checking 2 objects", 0, 0, "")]


@pytest.mark.parametrize("evaluation", [RuleEvaluation(Dispatch(())), PlanEvaluation()], ids=["check", "plan"])
def test_a_run_reaches_each_of_its_units(tmp_path: Path, seen: list[Seen], evaluation: Evaluation) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x.yaml").write_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n")
    found = runs(str(tmp_path))

    with report_steps_to(lambda *step: seen.append(step)):
        evaluate_units(found, evaluation)

    units = [(number, whole, Path(name).name) for _, number, whole, name in seen if whole]
    assert units == [(1, 2, "a"), (2, 2, "b")]
