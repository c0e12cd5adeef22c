"""Roots of clusters that an overlay patches."""

import shutil
from pathlib import Path

import pytest

from kubectl_applylint.core.values import mapping
from kubectl_applylint.run.sides import sides
from kubectl_applylint.run.sides.overlay_roots import overlay_roots, patched_roots
from kubectl_applylint.run.sides.units_of import declarations, units_of
from kubectl_applylint.units.tree import tree
from tests.run.running import WEB, write
from tests.run.sides.test_declared_graph import declared_units, kustomization, repository

pytestmark = pytest.mark.skipif(not (shutil.which("kustomize") or shutil.which("kubectl")), reason="no kustomize here")


def patch(name: str, path: str) -> str:
    operation = f"{{op: add, path: /spec/path, value: {path}}}"
    return f"- {{target: {{kind: Kustomization, name: {name}}}, patch: '- {operation}'}}\n"


def overlay(name: str) -> str:
    patches = patch("flux-system", f"./clusters/{name}") + patch("apps", f"./apps/{name}")
    return f"resources: [../base]\npatches:\n{patches}"


BASE = {
    "clusters/base/kustomization.yaml": "resources: [sync.yaml, apps.yaml]\n",
    "clusters/base/sync.yaml": repository("flux-system") + kustomization("flux-system", "").replace(", path: ", ""),
    "clusters/base/apps.yaml": kustomization("apps", "").replace(", path: ", ""),
}
CLUSTERS = {f"clusters/{name}/kustomization.yaml": overlay(name) for name in ("prod", "test")}
APPS = {f"apps/{name}/web.yaml": WEB for name in ("prod", "test")}


def test_each_overlay_that_applies_itself_is_a_cluster(tmp_path: Path) -> None:
    write(tmp_path, {**BASE, **CLUSTERS, **APPS})

    assert declared_units(units_of(sides.of_folder(str(tmp_path)))) == [
        (f"clusters/{name}", *each)
        for name in ("prod", "test")
        for each in (("apps", f"apps/{name}"), ("flux-system", f"clusters/{name}"))
    ]


@pytest.mark.parametrize(
    "files",
    [
        {"clusters/prod/kustomization.yaml": "resources: [../base]\n"},
        {
            "clusters/prod/kustomization.yaml": "resources: [../base]\npatches:\n"
            + patch("flux-system", "clusters/test")
        },
        {"clusters/prod/kustomization.yaml": "resources: [sync.yaml]\n", "clusters/prod/sync.yaml": "a: 1\n"},
    ],
    ids=["without a patch", "another path", "no base"],
)
def test_other_overlays_are_no_roots(tmp_path: Path, files: dict[str, str]) -> None:
    write(tmp_path, {**BASE, **files})
    side = sides.of_folder(str(tmp_path))

    assert [*overlay_roots(side, declarations(side), tree(side.paths, side.content))] == []


DECRYPTION = "{provider: sops, secretRef: {name: age}}"
INLINE = f"""\
- target: {{kind: Kustomization, name: flux-system}}
  patch: '- {{op: add, path: /spec/decryption, value: {DECRYPTION}}}'
"""
MERGED = f"""\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {{name: flux-system, namespace: flux-system}}
spec: {{decryption: {DECRYPTION}}}
"""


@pytest.mark.parametrize(
    ("patches", "more"),
    [
        pytest.param(f"kind: Kustomization\npatches:\n{INLINE}", {}, id="in the kustomization"),
        pytest.param("patches: [{path: own.yaml}]\n", {"own.yaml": MERGED}, id="in a file"),
    ],
)
def test_the_kustomization_beside_a_root_patches_it(tmp_path: Path, patches: str, more: dict[str, str]) -> None:
    folder = "clusters/prod/flux-system"
    sync = repository("flux-system") + kustomization("flux-system", "clusters/prod")
    files = {"sync.yaml": sync, "kustomization.yaml": f"resources: [sync.yaml]\n{patches}", **more}
    write(tmp_path, {**{f"{folder}/{name}": text for name, text in files.items()}, "clusters/prod/web.yaml": WEB})

    (unit,) = units_of(sides.of_folder(str(tmp_path))).units
    assert (unit.root, unit.applied.cluster) == ("clusters/prod", "clusters/prod")
    assert "decryption" in mapping((unit.applied.tool_object or {})["spec"])


def test_the_kustomization_of_its_path_patches_a_root(tmp_path: Path) -> None:
    sync = repository("flux-system") + kustomization("flux-system", "clusters/prod")
    variables = MERGED.replace(f"decryption: {DECRYPTION}", "postBuild: {substitute: {NAME: web}}")
    files = {
        "flux-system/sync.yaml": sync,
        "flux-system/kustomization.yaml": "resources: [sync.yaml]\n",
        "variables.yaml": variables,
        "web.yaml": WEB.replace("{name: web}", "{name: '${NAME}'}"),
        "kustomization.yaml": "resources: [flux-system, web.yaml]\npatches: [{path: variables.yaml}]\n",
    }
    write(tmp_path, {f"clusters/prod/{name}": text for name, text in files.items()})

    (unit,) = units_of(sides.of_folder(str(tmp_path))).units
    assert unit.applied.variables.values == (("NAME", "web"),)


def test_a_root_without_patches_is_not_rendered(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "clusters/prod/kustomization.yaml": "resources: [sync.yaml]\n",
            "clusters/prod/sync.yaml": kustomization("flux-system", "clusters/prod"),
        },
    )
    side = sides.of_folder(str(tmp_path))

    assert [*patched_roots(side, declarations(side), tree(side.paths, side.content))] == []


def test_an_overlay_with_its_own_sync_is_not_rendered(tmp_path: Path) -> None:
    own = {"clusters/prod/sync.yaml": kustomization("flux-system", "clusters/prod")}
    base = {
        "clusters/base/kustomization.yaml": "resources: [apps.yaml]\n",
        "clusters/base/apps.yaml": BASE["clusters/base/apps.yaml"],
    }
    write(tmp_path, {**base, **own, "clusters/prod/kustomization.yaml": "resources: [../base, sync.yaml]\n"})
    side = sides.of_folder(str(tmp_path))

    assert [*overlay_roots(side, declarations(side), tree(side.paths, side.content))] == []
