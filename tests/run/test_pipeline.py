"""One run from the request to the report."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import pytest

from kubectl_applylint.core.problem import UnreadableError
from kubectl_applylint.lint.model import Rule
from kubectl_applylint.run.compare.against import Against, AgainstKind
from kubectl_applylint.run.compare.live_source import LiveSources, no_live_source
from kubectl_applylint.run.evaluate import PlanEvaluation
from kubectl_applylint.run.pipeline import run
from kubectl_applylint.run.request import Request
from tests.run.running import WEB, write

NOWHERE = LiveSources(no_live_source())


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    write(
        tmp_path,
        {
            "all/dev/web.yaml": WEB,
            "all/prod/web.yaml": WEB,
            "broken/web.yaml": WEB.replace("replicas: 1", "replicas: -1"),
        },
    )


@pytest.mark.parametrize(("is_one_apply", "units"), [(True, []), (False, ["dev", "prod"])])
def test_a_run_reports_each_unit(is_one_apply: bool, units: list[str]) -> None:
    report = run(
        Request(files=("all",), is_one_apply=is_one_apply, recursive=is_one_apply),
        nullcontext(NOWHERE),
        PlanEvaluation(),
    ).report

    assert [unit.root for unit in report.units] == units
    assert [outcome.verdict for _, outcome in report.outcomes] == [
        "created",
        "unchanged" if is_one_apply else "created",
    ]


def test_the_source_is_closed_before_the_units_are_evaluated() -> None:
    steps: list[str] = []

    @contextmanager
    def open_sources() -> Iterator[LiveSources]:
        yield NOWHERE
        steps.append("closed")

    def rules() -> tuple[Rule, ...]:
        steps.append("evaluated")
        return ()

    run(Request(files=("broken",)), open_sources(), PlanEvaluation(rules))

    assert steps == ["closed", "evaluated"]


def test_a_revision_outside_of_git_is_unreadable() -> None:
    request = Request(files=("all",), against=Against(AgainstKind.GIT, "HEAD"))

    with pytest.raises(UnreadableError):
        run(request, nullcontext(NOWHERE), PlanEvaluation())
