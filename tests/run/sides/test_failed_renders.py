"""Units that a side declares in a kustomization that cannot be rendered, but can be on the other side."""

from pathlib import Path

import pytest

from tests.run.running import DIR, plan, runs, write

APPLICATION = """
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: %s, namespace: argocd}
spec: {source: {repoURL: '', path: %s}, destination: {namespace: shop}, syncPolicy: {automated: {prune: true}}}
"""
KUSTOMIZATION = """
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: %s, namespace: flux-system}
spec: {path: %s, interval: 1h, prune: true, sourceRef: {kind: GitRepository, name: repo}}
"""
REPOSITORY = """
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: repo, namespace: flux-system}
spec: {interval: 1h, url: '', ref: {branch: main}}
---
"""
PATCH = """
patches:
- patch: '[{"op": "add", "path": "/spec/targetNamespace", "value": "shop"}]'
  target: {kind: Kustomization}
"""
MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s}\ndata: {a: 'value %s'}\n"
BROKEN = "resources: [one.yaml, one.yaml]\n"
GOOD = "resources: [one.yaml]\n"
BOTH = "resources: [one.yaml, two.yaml]\n"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.chdir(tmp_path)


def write_side(folder: str, files: dict[str, str]) -> None:
    """Write an app of apps, and what its Applications apply."""
    every = {
        "root.yaml": APPLICATION % ("root", "apps"),
        "apps/one.yaml": APPLICATION % ("one", "one"),
        "one/map.yaml": MAP % ("one", 1),
        "two/map.yaml": MAP % ("two", 1),
    }
    write(Path(folder), {**every, **files})


def write_side_of_flux(folder: str, files: dict[str, str]) -> None:
    """Write a Kustomization that applies others, and what these apply."""
    every = {
        "cluster/root.yaml": REPOSITORY + KUSTOMIZATION % ("root", "apps"),
        "apps/one.yaml": KUSTOMIZATION % ("one", "one"),
        "one/map.yaml": MAP % ("one", 1),
        "two/map.yaml": MAP % ("two", 1),
    }
    write(Path(folder), {**every, **files})


def verdicts() -> dict[str, str]:
    """Return the verdicts of the ConfigMaps of a change, by namespace and name."""
    found = plan(runs(against=DIR)).outcomes
    maps = [(one.ref, outcome.verdict) for one, outcome in found if one.ref.kind == "ConfigMap"]
    return {f"{ref.namespace}/{ref.name}": str(verdict) for ref, verdict in maps}


@pytest.mark.parametrize(("text", "expected"), [("1", {}), ("2", {"shop/one": "configured"})])
def test_applications_stay_if_their_kustomization_cannot_be_rendered(text: str, expected: dict[str, str]) -> None:
    write_side("before", {"apps/kustomization.yaml": f"{GOOD}nameSuffix: -prod\n"})
    write_side("all", {"apps/kustomization.yaml": f"{BROKEN}nameSuffix: -prod\n", "one/map.yaml": MAP % ("one", text)})
    problems = plan(runs(against=DIR)).problems

    assert verdicts() == expected
    assert ["cannot be rendered" in one.message for one in problems] == [True]


def test_kustomizations_stay_if_what_applies_them_cannot_be_rendered() -> None:
    write_side_of_flux("before", {"apps/kustomization.yaml": GOOD + PATCH})
    write_side_of_flux("all", {"apps/kustomization.yaml": BROKEN + PATCH, "one/map.yaml": MAP % ("one", 2)})

    assert verdicts() == {"shop/one": "configured"}


def test_applications_are_as_after_the_change_if_their_kustomization_could_not_be_rendered() -> None:
    write_side("before", {"apps/kustomization.yaml": f"{BROKEN}nameSuffix: -prod\n"})
    write_side("all", {"apps/kustomization.yaml": f"{GOOD}nameSuffix: -prod\n", "one/map.yaml": MAP % ("one", 2)})

    assert verdicts() == {"shop/one": "configured"}


def test_applications_in_changed_files_are_new_if_their_kustomization_could_not_be_rendered() -> None:
    write_side("before", {"apps/kustomization.yaml": f"{BROKEN}nameSuffix: -prod\n"})
    write_side(
        "all",
        {"apps/kustomization.yaml": f"{BOTH}nameSuffix: -prod\n", "apps/two.yaml": APPLICATION % ("two", "two")},
    )

    assert verdicts() == {"shop/two": "created"}


def test_applications_are_as_they_are_written_if_neither_side_can_be_rendered() -> None:
    for folder, text in (("before", "1"), ("all", "2")):
        files = {"apps/kustomization.yaml": f"{BROKEN}nameSuffix: -prod\n", "one/map.yaml": MAP % ("one", text)}
        write_side(folder, files)

    assert verdicts() == {"shop/one": "configured"}
