"""Both sides of a comparison, and what of them is examined."""

from pathlib import Path

import pytest

from kubectl_applylint.core.records import replace
from kubectl_applylint.run.discover.revisions import Revisions, is_in
from kubectl_applylint.run.sides import sides
from kubectl_applylint.units.model import Applied, Form, Reason, Unit

FOLDER = Unit("apps/web", Form.FOLDER, frozenset({"apps/web/a.yaml"}))
RELEASE = Unit("HelmRelease/shop/web", Form.RELEASE, frozenset({"apps/web/release.yaml"}))


@pytest.mark.parametrize(
    ("unit", "folder", "inside"),
    [
        pytest.param(FOLDER, "", True, id="the whole repository"),
        pytest.param(FOLDER, "apps", True, id="a folder above it"),
        pytest.param(FOLDER, "apps/web", True, id="its folder"),
        pytest.param(FOLDER, "app", False, id="the start of a name"),
        pytest.param(Unit("apps/web/a.yaml", Form.FILE, FOLDER.files), "apps/web", True, id="the folder of a file"),
        pytest.param(RELEASE, "apps", True, id="the folder of a release"),
        pytest.param(RELEASE, "HelmRelease", False, id="the name of a release"),
    ],
)
def test_a_unit_is_in_a_folder(unit: Unit, folder: str, inside: bool) -> None:
    assert is_in(unit, folder) is inside


def test_a_file_or_a_folder_selects_units(tmp_path: Path) -> None:
    side = sides.of_folder(str(tmp_path))
    found = Revisions(side, side, frozenset(), ((), ()), names=("apps/web/a.yaml",))

    assert found.has(FOLDER)
    assert not found.has(RELEASE)
    assert replace(found, names=("apps",)).has(RELEASE)


@pytest.mark.parametrize(
    ("name", "is_named"), [("argo/web.yaml", True), ("argo", True), ("arg", False), ("argo/web", False)]
)
def test_the_file_of_the_declaring_object_selects_units(tmp_path: Path, name: str, is_named: bool) -> None:
    side = sides.of_folder(str(tmp_path))
    declared = replace(FOLDER, applied=Applied("argocd", reason=Reason("", side.label("argo/web.yaml"), 1)))
    found = Revisions(side, side, frozenset(), ((), ()), names=(name,))

    assert found.declares((declared, None)) is is_named
    assert found.declares((None, declared)) is is_named
    assert not found.declares((FOLDER, FOLDER))


def test_a_unit_of_another_revision_has_the_files_of_that(tmp_path: Path) -> None:
    before, after, other = (sides.of_folder(str(tmp_path)) for _ in range(3))
    found = Revisions(before, after, frozenset(), ((), ()), side_of={"tag v1": other}.get)
    tagged = replace(FOLDER, applied=Applied("flux", revision="tag v1"))

    assert found.sides_of((tagged, FOLDER)) == (other, after)
    assert found.sides_of((None, replace(tagged, applied=replace(tagged.applied, gap="x")))) == found.sides
