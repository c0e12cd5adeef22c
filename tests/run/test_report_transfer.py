import pickle
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from kubectl_applylint.core.deferred import Deferred
from kubectl_applylint.core.documents import Document
from kubectl_applylint.lint.model import Report
from kubectl_applylint.run.evaluate import PlanEvaluation, plan
from kubectl_applylint.run.execute import Executor
from kubectl_applylint.run.load.run_input import RunInput
from kubectl_applylint.run.loaded_units import LoadedUnit
from kubectl_applylint.run.report_transfer import restore_report, strip_documents
from tests.run.running import DIR, WEB, evaluate_units, runs, write

ROUTE = "apiVersion: example.org/v1\nkind: Route\nmetadata: {name: r}\n"


@pytest.fixture(name="folder", autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder outside of git with two environments; in one, an object has changed and another was removed."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"all/dev/web.yaml": WEB, "all/prod/web.yaml": WEB, "all/prod/route.yaml": ROUTE})
    write(tmp_path, {"before/dev/web.yaml": WEB.replace("web", "old"), "before/dev/route.yaml": ROUTE})
    return tmp_path


def by_pickle(
    work: Callable[[LoadedUnit], object], units: Sequence[LoadedUnit], words: str, *, applies: int
) -> list[object]:
    return [pickle.loads(pickle.dumps(work(unit))) for unit in units]


@pytest.mark.parametrize("against", [None, DIR])
def test_a_report_is_the_same_after_it_was_sent(against: object) -> None:
    found = runs() if against is None else runs(against=DIR)
    here = evaluate_units(found, PlanEvaluation())
    there = evaluate_units(found, PlanEvaluation(), Executor(spread=by_pickle))  # type: ignore[arg-type]  # of units alone

    assert there == here
    assert here.report.outcomes


def test_documents_are_not_sent_but_found_again() -> None:
    (first, *_) = runs(against=DIR).each
    report = plan(first.input)
    came = strip_documents(first.input, report)
    back = restore_report(first.input, came)

    assert came.report.outcomes == ()
    assert all(isinstance(place, int) for place, _ in came.outcomes)
    assert [id(document) for document, _ in back.outcomes] == [id(document) for document, _ in report.outcomes]


def test_documents_are_not_read_for_a_report_without_outcomes() -> None:
    def fail() -> list[Document]:
        raise AssertionError("the documents were read")

    found = RunInput(documents=Deferred(fail))
    report = Report(checked=1)

    assert restore_report(found, strip_documents(found, report)) == report
