"""A run uses renderings of earlier ones as long as their input has not changed."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.sources.render.test_kustomize import program

Run = Callable[..., tuple[int, str, str]]
MANIFEST = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n"


@pytest.fixture(name="tree", autouse=True)
def _tree(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A kustomization, a program that counts how often it renders, and a folder for what is kept."""
    (folder / "app").mkdir()
    (folder / "bin").mkdir()
    (folder / "app" / "kustomization.yaml").write_text("resources: [cm.yaml]\nnamePrefix: x-\n")
    (folder / "app" / "cm.yaml").write_text(MANIFEST)
    program(folder, "kustomize", f"echo x >> {folder}/count; cat {folder}/app/cm.yaml")
    monkeypatch.setenv("PATH", f"{folder / 'bin'}:/usr/bin:/bin")
    monkeypatch.setenv("APPLYLINT_CACHE_DIR", str(folder / "kept"))
    return folder


def _count(tree: Path) -> int:
    return len((tree / "count").read_text().splitlines())


def test_a_second_run_renders_nothing(run: Run, tree: Path) -> None:
    first = run("check", "app")

    assert run("check", "app") == first
    assert _count(tree) == 1


def test_a_changed_file_is_rendered(run: Run, tree: Path) -> None:
    run("check", "app")
    (tree / "app" / "cm.yaml").write_text(MANIFEST + "data: {a: b}\n")
    run("check", "app")

    assert _count(tree) == 2


def test_no_cache_renders_again_and_writes_nothing(run: Run, tree: Path) -> None:
    run("check", "app", "--no-cache")
    run("check", "app", "--no-cache")

    assert _count(tree) == 2
    assert not (tree / "kept").exists()
