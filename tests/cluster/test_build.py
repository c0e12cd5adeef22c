"""Sources of the programs: built once and cached, or ready-made."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.cluster.build import (
    HELM,
    SOURCES,
    Unavailable,
    assets,
    built,
    cache_directory,
    fingerprint,
    helm_flags,
    version_flags,
)

HELLO = 'package main\n\nfunc main() { println("hello") }\n'


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """A module as small as one can be that has the two programs."""
    folder = tmp_path / "sources"
    for name in ("testserver", "kubectl"):
        (folder / name).mkdir(parents=True)
        (folder / name / "main.go").write_text(HELLO)
    (folder / "go.mod").write_text("module hello\n\ngo 1.21\n\n// k8s.io/kubernetes v1.36.3\n")
    (folder / "go.sum").touch()
    return folder


@pytest.mark.cluster
def test_programs_are_built_once_however_many_ask(sources: Path, tmp_path: Path) -> None:
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(built, [sources] * 2, [tmp_path / "cache"] * 2)
    made = first.apiserver.stat()
    third = built(sources, tmp_path / "cache")

    assert first == second == third
    assert third.apiserver.stat() == made
    assert sorted(path.name for path in (tmp_path / "cache").iterdir()) == [first.kubectl.parent.name, "lock"]


@pytest.mark.cluster
def test_a_failed_build_says_why_and_leaves_nothing(sources: Path, tmp_path: Path) -> None:
    (sources / "kubectl" / "main.go").write_text("package main\n\nfunc main() { missing() }\n")

    with pytest.raises(Unavailable, match="undefined: missing"):
        built(sources, tmp_path / "cache")
    assert [path.name for path in (tmp_path / "cache").iterdir()] == ["lock"]


@pytest.mark.parametrize("changed", ["go.mod", "go.sum", "kubectl/main.go"])
def test_a_change_of_any_source_asks_for_another_build(sources: Path, changed: str) -> None:
    before = fingerprint(sources, "go1.26")
    (sources / changed).write_text("// changed\n")

    assert fingerprint(sources, "go1.26") != before


def test_another_compiler_asks_for_another_build(sources: Path) -> None:
    assert fingerprint(sources, "go1.26") != fingerprint(sources, "go1.27")


def test_the_cache_follows_the_environment() -> None:
    assert cache_directory({"XDG_CACHE_HOME": "/c", "HOME": "/h"}) == Path("/c/kubectl-applylint-tests")
    assert cache_directory({"HOME": "/h"}) == Path("/h/.cache/kubectl-applylint-tests")


def test_the_version_comes_from_the_module() -> None:
    flags = version_flags(SOURCES / "go.mod")

    assert "version.gitVersion=v1.36.3 " in flags
    assert flags.endswith("version.gitMajor=1 -X k8s.io/component-base/version.gitMinor=36")


def test_helm_prints_the_version_of_its_module() -> None:
    assert "internal/version.version=v3.2" in helm_flags(HELM / "go.mod")


def test_ready_made_programs_have_to_be_complete(tmp_path: Path) -> None:
    for name in ("kube-apiserver", "kubectl"):
        (tmp_path / name).touch()

    with pytest.raises(Unavailable, match="has no etcd"):
        assets(tmp_path)
    (tmp_path / "etcd").touch()
    assert assets(tmp_path).etcd == tmp_path / "etcd"
