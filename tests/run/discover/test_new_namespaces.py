"""Namespaces that new Applications make."""

from pathlib import Path

import pytest

from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.appliers.unit_applier import AskedApplier
from tests.run.running import DIR, plan, runs, write

APPLICATION = """
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: %s, namespace: argocd}
spec:
  project: team
  source: {path: %s}
  destination: {server: "https://kubernetes.default.svc", namespace: %s}
  syncPolicy: {syncOptions: [CreateNamespace=true]}
"""
PROJECT = """
apiVersion: argoproj.io/v1alpha1
kind: AppProject
metadata: {name: team, namespace: argocd}
spec:
  sourceRepos: ["*"]
  destinations: [{server: "*", namespace: "*"}]
"""
NAMESPACE = "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n"
OBJECT = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s}\n"
OBJECTS = {f"{name}/object.yaml": OBJECT % name for name in ("web", "api")}


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.chdir(tmp_path)


def namespaces(before: dict[str, str], after: dict[str, str]) -> list[str]:
    """Return what a plan says of Namespaces."""
    write(Path("before"), {**OBJECTS, **before})
    write(Path("all"), {**OBJECTS, **before, **after})
    found = plan(runs(against=DIR, flags=Flags(asked=AskedApplier(None)))).outcomes
    return [f"{one.ref.name} {outcome.verdict}" for one, outcome in found if one.ref.kind == "Namespace"]


def application(name: str, namespace: str) -> dict[str, str]:
    return {f"argo/{name}.yaml": APPLICATION % (name, name, namespace)}


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({}, application("web", "shop"), ["shop created"]),
        ({}, {**application("web", "shop"), **application("api", "shop")}, ["shop created"]),
        (application("api", "shop"), application("web", "shop"), []),
        (application("web", "shop"), application("web", "prod"), ["prod created"]),
        ({"namespaces/shop.yaml": NAMESPACE}, application("web", "shop"), []),
        ({}, application("web", "kube-system"), []),
        ({}, application("web", "argocd"), []),
        ({"argo/project.yaml": PROJECT}, application("web", "shop"), ["shop rejected"]),
    ],
    ids=["new", "two", "in use", "another", "in the files", "of each cluster", "of Argo CD", "not permitted"],
)
def test_the_first_application_makes_its_namespace(
    before: dict[str, str], after: dict[str, str], expected: list[str]
) -> None:
    assert namespaces(before, after) == expected
