"""Units that a Kustomization of Flux applies."""

from dataclasses import replace
from pathlib import Path

import pytest

from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.appliers.unit_applier import AskedApplier
from kubectl_applylint.core.outcome import Outcome
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.run.compare.against import Against, AgainstKind
from kubectl_applylint.run.loaded_units import LoadedUnits
from kubectl_applylint.run.request import Request
from kubectl_applylint.tools.flux.kustomization import FluxKustomization
from kubectl_applylint.tools.flux.unit import kustomization_of
from tests.run.compare.test_history import settings
from tests.run.running import load_units, plan
from tests.sources.repositories import Repo, create
from tests.tools.helm.test_unit import managers

KUSTOMIZATION = """
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: shop, namespace: flux-system}
spec: {path: ./shop, prune: true, sourceRef: {kind: GitRepository, name: flux-system}}
"""
SHOP = FluxKustomization("shop", "flux-system", prunes=True)
BEFORE = {
    "clusters/shop.yaml": KUSTOMIZATION,
    "shop/one.yaml": settings("one"),
    "shop/two.yaml": settings("two"),
    "plain/three.yaml": settings("three"),
}


SYSTEM = {
    "clusters/flux-system/sync.yaml": KUSTOMIZATION.replace("name: shop", "name: flux-system").replace(
        "./shop", "./clusters"
    )
}
BY_FLUX = AskedApplier(Applier.FLUX)


@pytest.mark.parametrize(
    ("spec", "source"),
    [
        ({}, FluxKustomization("apps", "flux-system")),
        ({"force": True}, FluxKustomization("apps", "flux-system", is_forced=True)),
        ({"prune": True}, FluxKustomization("apps", "flux-system", prunes=True, deletes=True)),
        ({"prune": True, "suspend": True}, FluxKustomization("apps", "flux-system", prunes=True)),
        ({"prune": True, "deletionPolicy": "Orphan"}, FluxKustomization("apps", "flux-system", prunes=True)),
        ({"deletionPolicy": "Delete"}, FluxKustomization("apps", "flux-system", deletes=True)),
        (
            {"images": [{"name": "a"}], "ignore": [{"paths": ["/spec"]}], "decryption": {"provider": "sops"}},
            FluxKustomization("apps", "flux-system", ignored=({"paths": ["/spec"]},)),
        ),
        (
            {"commonMetadata": {"labels": {"team": "a", "b": 1}, "annotations": {"note": "c"}}},
            FluxKustomization(
                "apps", "flux-system", common_labels=(("team", "a"),), common_annotations=(("note", "c"),)
            ),
        ),
        ({"prune": "yes"}, FluxKustomization("apps", "flux-system")),
    ],
)
def test_flux_applies_by_the_kustomization(spec: JsonObject, source: FluxKustomization) -> None:
    assert kustomization_of({"metadata": {"name": "apps"}, "spec": spec}) == source
    placed = kustomization_of({"metadata": {"name": "apps", "namespace": "there"}, "spec": spec})
    assert placed == replace(source, namespace="there")


@pytest.fixture(name="repo")
def _repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """Two folders; Flux applies one of them."""
    repo = create(tmp_path / "repo")
    repo.commit(BEFORE)
    monkeypatch.chdir(repo.folder)
    return repo


def plan_change(asked: AskedApplier | None = BY_FLUX) -> tuple[LoadedUnits, dict[str, Outcome]]:
    """Return the runs of a plan against the last commit, and the verdict of each object by its name."""
    request = Request(files=(".",), flags=Flags(asked=asked), against=Against(AgainstKind.GIT, "HEAD"))
    runs = load_units(request)
    return runs, {outcome.ref.name: outcome for _, outcome in plan(runs).outcomes}


@pytest.mark.slow
def test_flux_prunes_removed_files_of_its_folder_and_kubectl_applies_the_others(repo: Repo) -> None:
    repo.write({"shop/one.yaml": settings("one", "c"), "plain/three.yaml": settings("three", "c")})
    repo.write({"shop/two.yaml": None})
    runs, found = plan_change()

    assert {name: outcome.verdict.value for name, outcome in found.items()} == {
        "one": "configured",
        "two": "pruned",
        "three": "configured",
    }
    assert managers(found["one"]) == {"kustomize-controller"}
    assert managers(found["three"]) == {"kubectl-client-side-apply"}
    assert runs.notes[0].startswith("predicted as applied by Flux; ")


@pytest.mark.slow
def test_without_the_flag_kubectl_applies_what_flux_does(repo: Repo) -> None:
    repo.write({"shop/one.yaml": settings("one", "c"), "shop/two.yaml": None})
    runs, found = plan_change(None)

    assert (managers(found["one"]), found["two"].verdict.value) == ({"kubectl-client-side-apply"}, "kept")
    assert not any("Flux" in note for note in runs.notes)


@pytest.mark.slow
def test_one_invalid_object_keeps_flux_from_applying_the_others(repo: Repo) -> None:
    bad = settings("one").replace("  a:", "  a b:")
    repo.write({"shop/one.yaml": bad, "shop/two.yaml": settings("two", "c"), "shop/late.yaml": settings("late")})
    _, found = plan_change()

    assert {name: outcome.verdict.value for name, outcome in found.items()} == dict.fromkeys(
        ("one", "two", "late"), "rejected"
    )
    assert [cause.message for cause in found["two"].errors] == ["not reached: Flux stops at configmap/one"]


@pytest.mark.slow
def test_a_folder_that_is_gone_is_not_reconciled(repo: Repo) -> None:
    """Flux cannot find it, and stops."""
    repo.write({"shop/one.yaml": None, "shop/two.yaml": None})
    _, found = plan_change()

    assert {name: outcome.verdict.value for name, outcome in found.items()} == {"one": "kept", "two": "kept"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("files", "leaves", "verdict"),
    [
        pytest.param(SYSTEM, ("shop/one.yaml", "shop/two.yaml", "clusters/shop.yaml"), "pruned", id="with the object"),
        pytest.param(SYSTEM, ("shop/one.yaml", "shop/two.yaml"), "kept", id="the directory alone"),
        pytest.param({}, ("shop/one.yaml", "shop/two.yaml", "clusters/shop.yaml"), "kept", id="by nobody who prunes"),
    ],
)
def test_objects_are_deleted_with_their_kustomization(
    repo: Repo, files: dict[str, str], leaves: tuple[str, ...], verdict: str
) -> None:
    repo.commit(files)
    repo.write(dict.fromkeys(leaves))
    _, found = plan_change()

    assert {name: found[name].verdict.value for name in ("one", "two")} == {"one": verdict, "two": verdict}
