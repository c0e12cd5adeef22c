"""Scope of a request: one apply, units, or a change."""

from pathlib import Path

import pytest

from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.lint.hiding.suppress import Extent
from kubectl_applylint.run.compare.against import Against, AgainstKind
from kubectl_applylint.run.request import Request, extent_of, is_by_units
from kubectl_applylint.tools.metacontroller.children import IN_PLACE
from tests.run.running import DIR, GIT, WEB, write


@pytest.fixture(name="folder", autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"all/dev/web.yaml": WEB, "all/prod/web.yaml": WEB, "before/dev/web.yaml": WEB})
    return tmp_path


@pytest.mark.parametrize(
    ("request_", "by_units"),
    [
        pytest.param(Request(files=("all",)), True, id="a folder"),
        pytest.param(Request(files=("all/dev/web.yaml", "all")), True, id="a file and a folder"),
        pytest.param(Request(files=("all", "nowhere")), False, id="what is not there"),
        pytest.param(Request(files=("all", "-")), False, id="standard input"),
        pytest.param(Request(files=("https://x/y.yaml",)), False, id="an address"),
        pytest.param(Request(files=("helm:chart",)), False, id="a chart"),
        pytest.param(Request(), False, id="nothing"),
        pytest.param(Request(files=("all",), named=("all",)), False, id="-f"),
        pytest.param(Request(files=("all",), is_one_apply=True), False, id="one apply"),
        pytest.param(Request(files=("all",), flags=Flags(selector="a=b")), False, id="a selector"),
        pytest.param(Request(files=("all",), flags=Flags(prune=True, all=True)), False, id="prune"),
        pytest.param(Request(files=("all",), flags=Flags(sync=IN_PLACE)), False, id="Metacontroller"),
        pytest.param(Request(against=GIT), True, id="a revision"),
        pytest.param(Request(files=("nowhere",), against=GIT), True, id="what a revision may have"),
        pytest.param(Request(files=("-",), against=GIT), False, id="standard input and a revision"),
        pytest.param(Request(against=Against(AgainstKind.GIT, "main:a")), False, id="a path of a revision"),
        pytest.param(Request(files=("all",), against=DIR), True, id="two folders"),
        pytest.param(Request(files=("all", "before"), against=DIR), False, id="three folders"),
        pytest.param(Request(files=("all",), against=Against(AgainstKind.FILE, "x")), False, id="a file"),
        pytest.param(Request(files=("all",), against=Against(AgainstKind.LIVE)), True, id="a cluster"),
    ],
)
def test_requests_for_folders_and_revisions_are_by_units(request_: Request, by_units: bool) -> None:
    assert is_by_units(request_) == by_units


@pytest.mark.parametrize(
    ("request_", "extent"),
    [
        pytest.param(Request(files=("all",)), Extent.WHOLE, id="a folder"),
        pytest.param(Request(files=("all", "all/dev/web.yaml")), Extent.PART, id="a file"),
        pytest.param(Request(), Extent.PART, id="nothing"),
        pytest.param(Request(files=("all",), flags=Flags(selector="a=b")), Extent.PART, id="a selector"),
        pytest.param(Request(files=("all",), against=GIT), Extent.PART, id="a revision"),
    ],
)
def test_the_extent_of_a_request(request_: Request, extent: Extent) -> None:
    assert extent_of(request_) is extent
