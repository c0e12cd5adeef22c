"""The units that a change touches."""

from pathlib import Path

import pytest

from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.appliers.unit_applier import AskedApplier
from kubectl_applylint.core.problem import UnreadableError
from kubectl_applylint.run.compare.against import Against, AgainstKind
from kubectl_applylint.run.loaded_units import LoadedUnits
from tests.run.running import DIR, WEB, runs, write


@pytest.fixture(name="folder", autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder, outside of git, with two environments below ``all``."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"all/dev/web.yaml": WEB, "all/prod/web.yaml": WEB, "before/dev/web.yaml": WEB})
    return tmp_path


def roots(found: LoadedUnits) -> list[str]:
    return [run.unit.root for run in found.each if run.unit]


def test_a_folder_is_compared_by_units() -> None:
    found = runs(against=DIR)

    assert roots(found) == ["prod"]
    assert found.notes[0] == f"compared with {found.origin}"


@pytest.mark.parametrize(
    ("path", "words"),
    [("./dev", "no Kustomization of Flux names one of these units"), ("./x", "no Kustomization of Flux names a unit")],
)
def test_a_program_that_applies_units_beside_the_change_is_not_denied(folder: Path, path: str, words: str) -> None:
    apps = f"kind: Kustomization\nmetadata: {{name: apps}}\nspec: {{path: {path}}}\n"
    both = f"apiVersion: kustomize.toolkit.fluxcd.io/v1\n{apps}"
    write(folder, {"all/flux/apps.yaml": both, "before/flux/apps.yaml": both})

    found = runs(against=DIR, flags=Flags(asked=AskedApplier(Applier.FLUX)))

    assert roots(found) == ["prod"]
    assert f"--applier flux: {words}; all are predicted as with kubectl" in found.notes


def test_what_cannot_be_compared_with_ends_the_run() -> None:
    with pytest.raises(UnreadableError):
        runs(against=Against(AgainstKind.DIR, "nowhere"))
