"""Applications whose files are in another repository."""

from pathlib import Path

import pytest

from kubectl_applylint.run.request import Request
from kubectl_applylint.sources.render.packed_chart import archive
from kubectl_applylint.sources.store import store
from kubectl_applylint.sources.store.chart_source import git_source
from kubectl_applylint.sources.store.store_place import Store, use_store
from tests.run.running import load_units
from tests.run.sides.test_source_sides import MAP, OTHER
from tests.sources.repositories import create


@pytest.mark.slow
@pytest.mark.parametrize("version", ["v1", "v2"])
def test_an_application_of_another_repository_is_rendered(tmp_path: Path, version: str) -> None:
    repo = create(tmp_path / "repo")
    repo.git("remote", "add", "origin", "https://example.com/o/r")
    spec = f"source: {{repoURL: '{OTHER}', path: app, targetRevision: {version}}}"
    head = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: web, namespace: argocd}\n"
    repo.commit({"app.yaml": f"{head}spec:\n  destination: {{namespace: shop}}\n  {spec}\n"})
    with use_store(Store(str(tmp_path / "store"))):
        store.add_files(git_source(OTHER, "v1"), archive({"app/x.yaml": MAP}), "0123456789abcdef")
        every = load_units(Request(files=(str(repo.folder),))).each
    units = {one.unit.root: one for one in every if one.unit}

    unit = units["Application/argocd/web"]
    names = [document.file.rpartition("/")[2] for document in unit.input.documents]
    is_stored = version == "v1"
    assert names == ["x.yaml"] * is_stored
    assert unit.unit
    assert bool(unit.unit.applied.gap) is not is_stored
