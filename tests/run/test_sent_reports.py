import pickle
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import pytest

from kubectl_applylint.run import assemble
from kubectl_applylint.run.sent_reports import received, sent
from kubectl_applylint.run.unit_reports import planned
from kubectl_applylint.run.unit_run import UnitRun
from tests.run.test_unit_runs import DIR, WEB, runs, write

ROUTE = "apiVersion: example.org/v1\nkind: Route\nmetadata: {name: r}\n"


@pytest.fixture(name="folder", autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder, outside of git, with two environments, in one of which something has changed and gone."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"all/dev/web.yaml": WEB, "all/prod/web.yaml": WEB, "all/prod/route.yaml": ROUTE})
    write(tmp_path, {"before/dev/web.yaml": WEB.replace("web", "old"), "before/dev/route.yaml": ROUTE})
    return tmp_path


def by_pickle(work: Callable[[UnitRun], object], units: Sequence[UnitRun], /) -> Iterable[object]:
    return [pickle.loads(pickle.dumps(work(unit))) for unit in units]


@pytest.mark.parametrize("against", [None, DIR])
def test_a_report_is_the_same_after_it_was_sent(against: object) -> None:
    found = runs() if against is None else runs(against=DIR)
    (here, said), (there, told) = planned(found), planned(found, spread_units=by_pickle)  # type: ignore[arg-type]  # what it makes is what it is given

    assert there == here
    assert told == said
    assert any(one.report.outcomes for one in here)


def test_documents_are_not_sent_but_found_again() -> None:
    (first, *_) = runs(against=DIR).each
    report = assemble.plan(first.found)
    came = sent(first.found, report)
    back = received(first.found, came)

    assert came.report.outcomes == ()
    assert all(isinstance(place, int) for place, _ in came.outcomes)
    assert [id(document) for document, _ in back.outcomes] == [id(document) for document, _ in report.outcomes]
