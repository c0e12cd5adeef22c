"""Kustomizations that another one includes in one revision."""

import shutil
from pathlib import Path

import pytest

from tests.run.running import DIR, WEB, plan, runs, write
from tests.run.sides.test_declared_graph import kustomization

pytestmark = pytest.mark.skipif(not (shutil.which("kustomize") or shutil.which("kubectl")), reason="no kustomize here")

ROOTS = {f"clusters/{name}/root.yaml": kustomization("root", f"clusters/{name}") for name in ("prod", "test")}
BASE = {"base/kustomization.yaml": "resources: [web.yaml]\n", "base/web.yaml": WEB}
OVERLAY = {"apps/test/kustomization.yaml": "resources: [../../base]\n"}
FILES = {**ROOTS, **BASE, **OVERLAY, "clusters/test/apps.yaml": kustomization("apps", "apps/test")}


def verdicts(folder: Path, monkeypatch: pytest.MonkeyPatch, before: dict[str, str], after: dict[str, str]) -> list[str]:
    """Return the objects that a change of a repository changes, with the verdicts."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(folder.parent))
    monkeypatch.chdir(folder)
    for name, files in (("before", before), ("all", after)):
        write(folder, {f"{name}/{path}": text for path, text in files.items()})
    return sorted(f"{document.ref.kind} {outcome.verdict}" for document, outcome in plan(runs(against=DIR)).outcomes)


def test_a_new_kustomization_of_a_base_that_another_cluster_includes_creates_objects(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    after = {**FILES, "clusters/prod/apps.yaml": kustomization("apps", "base")}

    assert verdicts(tmp_path, monkeypatch, FILES, after) == ["Deployment created", "Kustomization created"]


def test_a_file_that_a_kustomization_lists_now_creates_what_it_declares(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {**FILES, "clusters/prod/apps.yaml": kustomization("apps", "base")}
    before = {**files, "clusters/prod/kustomization.yaml": "resources: [root.yaml]\n"}
    after = {**files, "clusters/prod/kustomization.yaml": "resources: [root.yaml, apps.yaml]\n"}

    assert verdicts(tmp_path, monkeypatch, before, after) == ["Deployment created", "Kustomization created"]


def test_an_included_kustomization_of_the_same_cluster_exists_already(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {**FILES, "clusters/prod/apps.yaml": kustomization("apps", "apps/test")}
    after = {**before, "clusters/prod/base.yaml": kustomization("base", "base")}

    assert verdicts(tmp_path, monkeypatch, before, after) == ["Kustomization created"]
