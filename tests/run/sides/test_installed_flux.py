"""The installation of Flux that applies a Kustomization."""

import shutil
from pathlib import Path

import pytest

from kubectl_applylint.core.values import dig
from kubectl_applylint.run.sides import renders, sides
from kubectl_applylint.run.sides.installed_flux import InstalledFlux
from kubectl_applylint.run.sides.units_of import units_of
from tests.run.running import WEB, write
from tests.run.sides.test_declared_graph import kustomization

IMAGE = "image: ghcr.io/fluxcd/kustomize-controller:%s\n"
GATE = "- args: [--feature-gates=StrictPostBuildSubstitutions=%s]\n"
INSTANCE = (
    "apiVersion: fluxcd.controlplane.io/v1\nkind: FluxInstance\nmetadata: {name: flux}\nspec: {distribution: {%s}}\n"
)
OLD = {"prod/flux-system/gotk-components.yaml": IMAGE % "v1.8.4"}


@pytest.mark.parametrize(
    ("installed", "is_strict"),
    [
        ({}, True),
        (OLD, False),
        ({"prod/flux-system/gotk-components.yaml": IMAGE % "v1.9.2"}, True),
        ({**OLD, "prod/flux-system/kustomization.yaml": GATE % "true"}, True),
        ({"prod/flux.yaml": INSTANCE % "version: 2.7.x"}, False),
        ({"prod/flux.yaml": INSTANCE % "version: 2.x"}, True),
        ({"prod/flux.yaml": INSTANCE % "registry: ghcr.io/fluxcd"}, True),
        ({"test/flux-system/gotk-components.yaml": IMAGE % "v1.9.2", **OLD}, False),
        ({"test/flux-system/kustomization.yaml": GATE % "true", **OLD}, False),
    ],
    ids=["none", "old", "new", "gate", "instance", "newest", "no version", "of another cluster", "gate of another"],
)
def test_the_installation_of_the_cluster_counts(tmp_path: Path, installed: dict[str, str], is_strict: bool) -> None:
    write(tmp_path, {**installed, "prod/apps.yaml": "a: 1\n"})
    side = sides.of_folder(str(tmp_path))
    own = [path for path in side.paths if path.startswith("prod/")]

    assert InstalledFlux(side).is_strict(side.label("prod/apps.yaml"), own) is is_strict


def test_the_nearest_installation_counts_without_one_of_the_cluster(tmp_path: Path) -> None:
    write(tmp_path, {**OLD, "all/flux-system/gotk-components.yaml": IMAGE % "v1.9.2"})
    side = sides.of_folder(str(tmp_path))

    assert not InstalledFlux(side).is_strict(side.label("prod/apps.yaml"), ["apps/web.yaml"])


@pytest.mark.skipif(not (shutil.which("kustomize") or shutil.which("kubectl")), reason="no kustomize here")
@pytest.mark.parametrize(("version", "color"), [("v1.8.4", [""]), ("v1.9.4", [])])
def test_an_earlier_flux_inserts_nothing(tmp_path: Path, version: str, color: list[str]) -> None:
    web = WEB.replace("name: web}", "name: web, annotations: {color: '${COLOR}'}}", 1)
    declared = kustomization("apps", "apps", ", postBuild: {substitute: {REPLICAS: '3'}}")
    installed = {"prod/root.yaml": kustomization("flux-system", "prod"), "prod/components.yaml": IMAGE % version}
    write(tmp_path, {**installed, "apps/web.yaml": web, "prod/apps.yaml": declared})
    side = sides.of_folder(str(tmp_path))
    (unit,) = (one for one in units_of(side).units if one.root == "apps")
    made = renders.render_unit(side, unit).documents

    assert [dig(one.object, "metadata", "annotations", "color") or "" for one in made] == color
