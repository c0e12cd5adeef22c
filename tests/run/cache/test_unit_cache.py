"""The units of a commit or a work tree, cached for later runs."""

import os
import pickle
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.run.cache.unit_cache import cached_units, content_of_change
from kubectl_applylint.run.compare.against import Against, AgainstKind
from kubectl_applylint.run.loaded_units import LoadedUnits
from kubectl_applylint.run.sides.renders import render_unit
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.run.sides.sides import of_folder
from kubectl_applylint.sources.render.packed_chart import archive
from kubectl_applylint.sources.store import store
from kubectl_applylint.sources.store.chart_source import ChartSource, SourceKind
from kubectl_applylint.sources.store.store_place import Store, use_store
from kubectl_applylint.sources.system import cache_folder
from kubectl_applylint.sources.system.cache_folder import use_folder
from kubectl_applylint.sources.text.manifests import Input
from kubectl_applylint.units.finder import FoundUnits
from kubectl_applylint.units.model import Applied, Form, Unit
from tests.run.running import WEB, runs, write
from tests.sources.repositories import create

KUSTOMIZATION = "resources: [web.yaml]\n"
WITH_ENVIRONMENT = "configMapGenerator: [{name: a, envs: [a.env]}]\n"
APPS = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec: {path: ./apps, prune: true, sourceRef: {kind: GitRepository, name: flux-system}}
"""
WEB_UNIT = Unit("web", Form.KUSTOMIZATION, frozenset({"web/kustomization.yaml"}))
ONE_UNIT = FoundUnits((WEB_UNIT,))
WITH_PASSWORD = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a"}, "data": {"key": "c3VwZXJzZWNyZXQ="}}


@pytest.fixture(name="folder", autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    (tmp_path / "repo").mkdir()
    monkeypatch.chdir(tmp_path / "repo")
    write(tmp_path / "repo", {"web/kustomization.yaml": KUSTOMIZATION, "web/web.yaml": WEB})
    with use_folder(str(tmp_path / "cache")):
        yield tmp_path / "repo"


class Finder:
    """Counts its calls. It returns one unit, and renders it from the side that it is given."""

    def __init__(self, found: FoundUnits = ONE_UNIT) -> None:
        self.calls = 0
        self.found = found

    def __call__(self, side: Side) -> FoundUnits:
        self.calls += 1
        render_unit(side, WEB_UNIT)
        return self.found


def rendering(found: Input) -> Side:
    return replace(of_folder("."), render=lambda folder: found)


def calls_of_two_runs(side: Side, finder: Finder) -> int:
    for _ in range(2):
        assert cached_units(side, ["abc"], [()], finder) == finder.found
    return finder.calls


def test_a_second_run_does_not_look_for_units() -> None:
    assert calls_of_two_runs(rendering(Input()), Finder()) == 1


def test_units_of_unknown_files_are_not_cached() -> None:
    side, finder = rendering(Input()), Finder()
    for _ in range(2):
        cached_units(side, [], [()], finder)

    assert finder.calls == 2


def test_units_depend_on_files_values_and_the_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    side, finder = rendering(Input()), Finder()
    cached_units(side, ["abc"], [("a",)], finder)
    cached_units(side, ["abd"], [("a",)], finder)
    cached_units(side, ["abc"], [("b",)], finder)
    monkeypatch.chdir(folder / "web")
    cached_units(side, ["abc"], [("a",)], finder)

    assert finder.calls == 4


def test_units_depend_on_the_store(tmp_path: Path) -> None:
    side, finder = rendering(Input()), Finder()
    with use_store(Store(str(tmp_path / "store"))):
        cached_units(side, ["abc"], [], finder)
        with use_folder(str(tmp_path / "store")):
            source = ChartSource(SourceKind.HELM, "https://example.com", "web", "1.0.0")
            store.add(source, archive({"Chart.yaml": b"name: web\nversion: 1.0.0\n"}))
        cached_units(side, ["abc"], [], finder)

    assert finder.calls == 2


@pytest.mark.parametrize(
    "found",
    [Input(problems=(Problem("web", "kustomize took more than 120 s", ""),)), Input(is_random=True)],
    ids=["problem", "random"],
)
def test_units_from_an_unreliable_rendering_are_not_cached(found: Input) -> None:
    assert calls_of_two_runs(rendering(found), Finder()) == 2


def test_units_are_not_cached_if_a_file_is_not_readable() -> None:
    side = rendering(Input())
    finder = Finder()

    def find(side: Side) -> FoundUnits:
        side.contents(["web/web.yaml", "web/absent.yaml"])
        return finder(side)

    for one in (replace(side, contents=lambda paths: {}), side):
        for _ in range(2):
            cached_units(one, ["abc"], [], find)

    assert finder.calls == 3


def test_units_from_the_environment_are_not_cached(folder: Path) -> None:
    write(folder, {"web/kustomization.yaml": WITH_ENVIRONMENT})

    assert calls_of_two_runs(rendering(Input()), Finder()) == 2


@pytest.mark.parametrize(
    "found",
    [
        FoundUnits((replace(WEB_UNIT, applied=Applied(tool_object=WITH_PASSWORD)),)),
        FoundUnits(generated=((None, WITH_PASSWORD),)),  # type: ignore[arg-type]  # only the object is read
    ],
    ids=["unit", "generated"],
)
def test_units_with_credentials_are_not_cached(found: FoundUnits) -> None:
    assert calls_of_two_runs(rendering(Input()), Finder(found)) == 2


@pytest.mark.parametrize("harm", [b"", pickle.dumps(1), b"cos\nsystem\n(S'touch harmed'\ntR."], ids=range(3))
def test_another_content_of_the_cache_is_ignored(folder: Path, harm: bytes) -> None:
    side, finder = rendering(Input()), Finder()
    cached_units(side, ["abc"], [], finder)
    for path in (folder.parent / "cache" / "units").iterdir():
        cache_folder.write("units", path.name, harm)

    assert cached_units(side, ["abc"], [], finder) == finder.found
    assert finder.calls == 2
    assert not os.path.exists("harmed")


def content(*differ: str) -> list[object]:
    """Return the content of a change of the current folder in which these files differ."""
    return [*content_of_change("abc", of_folder("."), of_folder("."), differ)]


def test_the_content_of_a_change_is_that_of_the_files_that_differ(folder: Path) -> None:
    web = folder / "web" / "web.yaml"
    before = of_folder(".")
    found = [content("web/web.yaml")]
    for text in (WEB.replace("1.27", "1.28"), WEB):
        web.write_text(text)
        found.append(content("web/web.yaml"))
    web.unlink()
    gone = [*content_of_change("abc", before, of_folder("."), ["web/web.yaml"])]

    assert found[0] == found[2] != found[1]
    assert gone not in found
    assert not [*content_of_change("", before, before, [])]


def test_the_content_is_unknown_if_git_changes_files(folder: Path) -> None:
    assert content()
    write(folder, {".gitattributes": "*.yaml filter=crypt\n"})
    assert not content()


def test_a_change_after_a_run_is_found(folder: Path) -> None:
    repo = create(folder)
    repo.commit({"flux/apps.yaml": APPS, "apps/web.yaml": WEB})
    against = Against(AgainstKind.GIT, "HEAD")
    found = []
    for file, text in (
        ("apps/web.yaml", WEB.replace("1.27", "1.28")),
        ("apps/web.yaml", WEB.replace("1.27", "1.29")),
        ("flux/apps.yaml", APPS.replace("prune: true", "prune: true, targetNamespace: shop")),
        ("flux/more.yaml", APPS.replace("apps", "web")),
    ):
        repo.write({file: text})
        cached, uncached = runs(".", against=against), _without_cache(against)
        assert [run.unit for run in cached.each] == [run.unit for run in uncached.each]
        found.append([(run.unit.root, run.unit.applied.namespace) for run in cached.each if run.unit])

    assert found == [
        [("apps", "")],
        [("apps", "")],
        [("apps", "shop"), ("flux", "")],
        [("apps", "shop"), ("web", ""), ("flux", "")],
    ]


def _without_cache(against: Against) -> LoadedUnits:
    with use_folder(""):
        return runs(".", against=against)
