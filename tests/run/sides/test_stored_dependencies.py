"""Dependencies of charts of the repository that are in the store."""

from pathlib import Path

from kubectl_applylint.run.sides.stored_dependencies import remote_dependencies, with_stored_dependencies
from kubectl_applylint.sources.render.chart_files import Dependency, MissingDependency
from kubectl_applylint.sources.render.packed_chart import archive
from kubectl_applylint.sources.store import store
from kubectl_applylint.sources.store.chart_source import named_chart
from kubectl_applylint.sources.store.store_place import Store, use_store

CHART = b"""\
apiVersion: v2
name: web
version: 1.0.0
dependencies:
- {name: cache, repository: https://charts.example.com, version: 1.x}
- {name: local, repository: file://../local, version: 1.0.0}
"""
LOCK = b"dependencies: [{name: cache, repository: https://charts.example.com, version: 1.2.3}]\n"
MISSING = MissingDependency("web", Dependency("cache", "https://charts.example.com"), is_direct=True)


def test_dependencies_of_repositories_are_listed() -> None:
    assert remote_dependencies(CHART) == [("cache", "https://charts.example.com", "1.x")]


def test_a_dependency_comes_from_the_store_in_the_locked_version(tmp_path: Path) -> None:
    files = {"web/Chart.yaml": CHART, "web/Chart.lock": LOCK}
    packed = archive({"Chart.yaml": b"apiVersion: v2\nname: cache\nversion: 1.2.3\n"})
    with use_store(Store(str(tmp_path))):
        assert with_stored_dependencies(files, [MISSING]) == (files, (MISSING,))
        store.add(named_chart("https://charts.example.com", "cache", "1.2.3"), packed)
        found, missing = with_stored_dependencies(files, [MISSING])

    assert missing == ()
    assert found == {**files, "web/charts/cache-1.2.3.tgz": packed}
