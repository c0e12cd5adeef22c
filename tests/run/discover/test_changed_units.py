"""The units that a change touches."""

from dataclasses import replace
from pathlib import Path

import pytest

from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.appliers.unit_applier import AskedApplier
from kubectl_applylint.core.paths import Field
from kubectl_applylint.core.problem import UnreadableError
from kubectl_applylint.run.compare.against import Against, AgainstKind
from kubectl_applylint.run.execute import Executor
from kubectl_applylint.run.loaded_units import LoadedUnits
from kubectl_applylint.run.sides.places import place_of
from kubectl_applylint.run.sides.sides import with_texts
from tests.run.running import DIR, WEB, plan, runs, write
from tests.sources.repositories import create


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


def test_applications_that_are_not_known_are_named_beside_a_change(folder: Path) -> None:
    template = "{metadata: {name: '{{name}}'}, spec: {source: {path: 'apps/{{name}}'}}}"
    unknown = (
        "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: addons}\n"
        f"spec: {{generators: [{{clusters: {{}}}}], template: {template}}}\n"
    )
    write(folder, {"all/argo/addons.yaml": unknown, "before/argo/addons.yaml": unknown})
    words = "parameters of its source are not known (generator: clusters)"

    notes = [note for note in runs(against=DIR).notes if note.startswith("not examined: ")]

    assert notes == [f"not examined: ApplicationSet addons (all/argo/addons.yaml:4): {words}"]


def test_an_unreadable_earlier_state_ends_the_run() -> None:
    with pytest.raises(UnreadableError):
        runs(against=Against(AgainstKind.DIR, "nowhere"))


@pytest.mark.parametrize(
    ("flags", "cause"),
    [
        (Flags(), "list replaced"),
        (Flags(server_side=True), "list replaced or merged, depending on the definition of its kind"),
    ],
    ids=["client-side", "server-side"],
)
def test_an_object_without_definition_is_predicted_and_not_validated(folder: Path, flags: Flags, cause: str) -> None:
    lamp = "apiVersion: x.io/v1\nkind: Lamp\nmetadata: {name: a, namespace: x}\nspec: {colors: [red]}\n"
    write(folder, {"before/dev/lamp.yaml": lamp, "all/dev/lamp.yaml": lamp.replace("[red]", "[red, blue]")})
    write(folder, {"all/dev/new.yaml": lamp.replace("name: a", "name: b"), "all/prod/web.yaml": ""})
    write(folder, {"all/dev/lens.yaml": lamp.replace("Lamp", "Lens")})

    found = runs(against=DIR, flags=flags)
    outcomes = {str(document.ref): outcome for document, outcome in plan(found).outcomes}
    (change,) = (each for each in outcomes["lamp.x.io/a"].changes if each.path[0] == Field("spec"))

    assert str(change.provenance) == cause
    assert not any(outcome.validated for name, outcome in outcomes.items() if "x.io" in name)
    assert [name for name, outcome in outcomes.items() if "nothing shows" in str(outcome.confidence)] == ["lens.x.io/a"]
    assert (
        "not validated, because no definition of the kind was found: 2 Lamp (x.io/v1), 1 Lens (x.io/v1)" in found.notes
    )


@pytest.mark.slow
def test_a_text_of_an_editor_is_compared_in_place_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = create(tmp_path / "repo")
    repo.commit({"a/web.yaml": WEB, "b/web.yaml": WEB})
    repo.write({"b/web.yaml": WEB.replace("web", "site")})
    monkeypatch.chdir(repo.folder)
    place = place_of(["a/web.yaml"])

    def changed_roots(**texts: str) -> list[str]:
        edited = {f"{name}/web.yaml": text.encode() for name, text in texts.items()}
        executor = Executor(place=replace(place, side=with_texts(place.side, edited)))
        return roots(runs(".", against=Against(AgainstKind.GIT, "HEAD"), executor=executor))

    assert changed_roots() == ["b"]
    assert changed_roots(a=WEB.replace("web", "site")) == ["a", "b"]
    assert changed_roots(b=WEB) == []
