"""Each scope of a request has its discovery."""

from pathlib import Path

import pytest

from kubectl_applylint.run.compare.live_source import LiveSources, no_live_source
from kubectl_applylint.run.discover.discover import discover
from kubectl_applylint.run.discover.unit_tasks import UnitTask
from kubectl_applylint.run.execute import SERIAL
from kubectl_applylint.run.request import Request
from kubectl_applylint.units.model import Unit
from tests.run.running import DIR, WEB, write


@pytest.mark.parametrize(
    ("request_", "kind"),
    [
        pytest.param(Request(files=("all",), is_one_apply=True), Request, id="one apply"),
        pytest.param(Request(files=("all",)), Unit, id="units"),
        pytest.param(Request(files=("all",), against=DIR), UnitTask, id="a change"),
    ],
)
def test_the_scope_decides_what_a_unit_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request_: Request, kind: type
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    write(tmp_path, {"all/web/web.yaml": WEB, "before/web/web.yaml": WEB.replace("1.27", "1.28")})

    units = [*discover(request_, LiveSources(no_live_source()), SERIAL).units]

    assert [type(unit) for unit in units] == [kind]
