"""Which unit a run has come to."""

from pathlib import Path

import pytest

from kubectl_applylint.lint.dispatch import Dispatch
from kubectl_applylint.run import unit_reports, unit_runs
from kubectl_applylint.run.assemble import RunRequest
from kubectl_applylint.run.live_source import no_live_source
from kubectl_applylint.run.progress import in_turn, reached, seen_by
from kubectl_applylint.run.unit_reports import UnitJudge

Seen = tuple[str, int, int, str]


@pytest.fixture(name="seen")
def _seen() -> list[Seen]:
    return []


def test_each_item_is_reached_as_its_turn_comes(seen: list[Seen]) -> None:
    with seen_by(lambda *step: seen.append(step)):
        turns = in_turn("checking unit", ["a", "b"], str.upper)
        assert (next(turns), seen) == ("a", [("checking unit", 1, 2, "A")])
        assert list(turns) == ["b"]

    assert seen[1:] == [("checking unit", 2, 2, "B")]


def test_the_only_unit_is_no_news_and_nothing_is_seen_later(seen: list[Seen]) -> None:
    with seen_by(lambda *step: seen.append(step)):
        reached("checking unit", 1, 1, "a")
    reached("checking unit", 1, 2, "a")

    assert seen == []


@pytest.mark.parametrize("command", ["check", "plan"])
def test_a_run_reaches_each_of_its_units(tmp_path: Path, seen: list[Seen], command: str) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x.yaml").write_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n")
    runs = unit_runs.runs_of(RunRequest(files=(str(tmp_path),)), no_live_source())

    with seen_by(lambda *step: seen.append(step)):
        unit_reports.check(runs, UnitJudge(Dispatch(()))) if command == "check" else unit_reports.plan(runs)

    assert [(number, whole, Path(name).name) for _, number, whole, name in seen] == [(1, 2, "a"), (2, 2, "b")]
