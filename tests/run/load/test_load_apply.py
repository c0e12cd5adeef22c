"""One apply: of named files, or of the live objects that kubectl apply created."""

import json
from pathlib import Path

import pytest

from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.lint.hiding.suppress import Extent
from kubectl_applylint.run.compare.against import read_against
from kubectl_applylint.run.compare.open_source import open_source
from kubectl_applylint.run.load.load_apply import load_apply
from kubectl_applylint.run.load.run_input import RunInput
from kubectl_applylint.run.request import Request
from tests.cli.conftest import CONFIG_MAP, DEPLOYMENT, live_deployment


@pytest.fixture(name="files", autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("web.yaml").write_text(DEPLOYMENT)
    Path("settings.yaml").write_text(CONFIG_MAP)
    Path("prod.json").write_text(json.dumps({"kind": "List", "apiVersion": "v1", "items": [live_deployment()]}))


def load_input(*names: str, against: str = "none", flags: Flags) -> RunInput:
    request = Request(names, flags=flags, against=read_against(against))
    with open_source(request.against) as source:
        return load_apply(request, source)


def test_without_files_the_applied_objects_of_the_cluster_are_examined() -> None:
    found = load_input(against="snapshot:prod.json", flags=Flags(namespace="shop"))

    assert [subject.ref.name for subject in found.subjects] == ["web"]
    assert found.notes[0].startswith(
        "checked the objects that kubectl apply created in namespace shop of snapshot prod.json"
    )


@pytest.mark.parametrize(
    ("names", "flags", "extent", "has_problems"),
    [
        ((".",), Flags(), Extent.WHOLE, False),
        ((".",), Flags(selector="app=shop"), Extent.PART, False),
        ((".", "web.yaml"), Flags(), Extent.PART, False),
        ((".", "no.yaml"), Flags(), Extent.PART, True),
    ],
)
def test_the_extent_of_what_was_named(names: tuple[str, ...], flags: Flags, extent: Extent, has_problems: bool) -> None:
    found = load_input(*names, flags=flags)

    assert (found.extent, bool(found.problems)) == (extent, has_problems)
