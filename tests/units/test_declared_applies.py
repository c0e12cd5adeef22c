"""Every object of a repository that declares an apply is a unit, or is named with a reason."""

import shutil
from pathlib import Path

import pytest

from tests.sources.repositories import create
from tests.units.declared_applies import missing

CONFIG_MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: NAME}\n"


def kustomization(name: str, path: str, more: str = "", source: str = "flux-system") -> str:
    return f"""\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {{name: {name}, namespace: flux-system}}
spec: {{interval: 1h, prune: true, path: {path}, sourceRef: {{kind: GitRepository, name: {source}}}{more}}}
---
"""


def source(name: str, more: str = "") -> str:
    return f"""\
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {{name: {name}, namespace: flux-system}}
spec: {{interval: 1h, url: https://git.example/{name}{more}}}
---
"""


RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: NAME, namespace: apps}
spec: {interval: 1h, chart: {spec: {chart: web, sourceRef: {kind: HelmRepository, name: charts}}}}
---
"""
RESOURCE_SET = """\
apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: NAME, namespace: flux-system}
spec: SPEC
---
"""
APPLICATION = """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: NAME, namespace: argocd}
spec: {destination: {namespace: apps}, source: SOURCE}
---
"""
SETS = RESOURCE_SET.replace("NAME", "static").replace("SPEC", "{inputs: [{a: b}], resources: []}")
SETS += RESOURCE_SET.replace("NAME", "unknown").replace("SPEC", "{inputsFrom: [{name: pulls}]}")
APPLICATIONS = APPLICATION.replace("NAME", "path").replace("SOURCE", "{repoURL: https://git.example/x, path: apps/a}")
APPLICATIONS += APPLICATION.replace("NAME", "chart").replace(
    "SOURCE", "{repoURL: https://charts.example, chart: web, targetRevision: 1.0.0}"
)
FILES = {
    "clusters/prod/root.yaml": source("flux-system") + kustomization("root", "clusters/prod"),
    "clusters/prod/apps.yaml": kustomization("a", "apps/a") + kustomization("b", "apps/b", ", suspend: true"),
    "clusters/prod/elsewhere.yaml": source("other") + kustomization("c", "deploy", source="other"),
    "clusters/prod/revision.yaml": source("old", ", ref: {tag: v1}") + kustomization("d", "apps/a", source="old"),
    "clusters/prod/absent.yaml": kustomization("e", "absent"),
    "clusters/prod/sets.yaml": SETS,
    "clusters/prod/argocd.yaml": APPLICATIONS,
    "apps/a/settings.yaml": CONFIG_MAP.replace("NAME", "a") + "---\n" + RELEASE.replace("NAME", "web"),
    "apps/b/settings.yaml": CONFIG_MAP.replace("NAME", "b") + "---\n" + RELEASE.replace("NAME", "db"),
}


@pytest.mark.slow
@pytest.mark.skipif(not (shutil.which("kustomize") or shutil.which("kubectl")), reason="no kustomize here")
def test_every_declared_apply_is_a_unit_or_named(tmp_path: Path) -> None:
    create(tmp_path / "repo").commit(FILES)

    assert missing(tmp_path / "repo") == []
