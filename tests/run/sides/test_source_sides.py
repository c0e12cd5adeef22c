"""Repositories of Applications in the store."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kubectl_applylint.run.sides.chart_folders import ChartError
from kubectl_applylint.run.sides.sides import of_folder
from kubectl_applylint.run.sides.source_sides import is_examined, source_files
from kubectl_applylint.sources.render.packed_chart import archive
from kubectl_applylint.sources.store import store
from kubectl_applylint.sources.store.chart_source import git_source
from kubectl_applylint.sources.store.store_place import Store, use_store
from kubectl_applylint.tools.argocd.application_sources import sources_of
from kubectl_applylint.units.model import Applied, Form, Unit

OTHER = "https://example.com/o/other"
MAP = b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: stored}\n"


@pytest.fixture(name="source_store", autouse=True)
def _source_store(tmp_path: Path) -> Iterator[None]:
    with use_store(Store(str(tmp_path / "store"))):
        store.add_files(git_source(OTHER, "v1"), archive({"app/x.yaml": MAP}), "0123456789abcdef")
        yield


def application(*sources: dict[str, str]) -> dict[str, Any]:
    spec = {"destination": {"namespace": "shop"}, "sources": [*sources]}
    return {"apiVersion": "argoproj.io/v1alpha1", "kind": "Application", "metadata": {"name": "web"}, "spec": spec}


def test_sources_are_repositories_of_the_store(tmp_path: Path) -> None:
    own = of_folder(str(tmp_path))
    item = application(
        {"repoURL": "https://example.com/o/r", "path": "a"},
        {"repoURL": OTHER, "path": "app", "targetRevision": "v1", "ref": "other"},
        {"repoURL": OTHER, "path": "app", "targetRevision": "v2", "ref": "newer"},
    )
    unit = Unit("Application/web", Form.RELEASE, frozenset(), Applied("argocd", other_repositories=(OTHER,)))
    here, there, newer = sources_of(item)

    assert source_files(own, unit, item, here, {}).side is own
    assert source_files(own, unit, item, there, {}).side.contents(["app/x.yaml"]) == {"app/x.yaml": MAP}
    assert source_files(own, unit, item, here, {}).referenced("none") is None
    with pytest.raises(ChartError, match="is not in the store"):
        source_files(own, unit, item, newer, {})


@pytest.mark.parametrize(
    ("applied", "is_here"),
    [
        (Applied("argocd"), True),
        (Applied("argocd", other_repositories=("https://git.example.com/a",)), False),
        (Applied("argocd", other_revisions=("branch v1",)), False),
    ],
    ids=["the examined one", "another repository", "another revision"],
)
def test_a_source_may_be_the_examined_repository(applied: Applied, is_here: bool) -> None:
    (source,) = sources_of(application({"repoURL": "https://git.example.com/a", "path": "b", "targetRevision": "v1"}))

    assert is_examined(source, Unit("Application/a", Form.RELEASE, frozenset(), applied)) is is_here
