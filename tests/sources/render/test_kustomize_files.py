"""The files of a kustomization, on disk and in a copy that may not be written."""

import os
from pathlib import Path

import pytest

from kubectl_applylint.sources.render.kustomize_files import files_of_copy, files_of_repository
from kubectl_applylint.sources.render.render_programs import Copy


@pytest.fixture(name="repository", autouse=True)
def _repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    (tmp_path / "repo" / "base").mkdir()
    (tmp_path / "repo" / "base" / "a.yaml").write_text("kind: Job\n")
    (tmp_path / "far.yaml").write_text("kind: Secret\n")
    monkeypatch.chdir(tmp_path / "repo")
    return tmp_path / "repo"


def test_files_on_disk_are_relative_to_their_work_tree(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (repository / "link.yaml").symlink_to("../far.yaml")
    files = files_of_repository("base")

    assert files.top == os.path.realpath(repository)
    assert files.original("base/a.yaml") == b"kind: Job\n"
    assert files.folders.real("link.yaml") is None
    assert files.display_name("base/a.yaml") == "base/a.yaml"
    monkeypatch.chdir(repository / "base")
    assert files.display_name("kustomization.yaml") == str(repository / "kustomization.yaml")


def test_files_of_a_copy_are_read_before_they_are_written() -> None:
    files = files_of_copy(Copy("/copy/tree", "/copy/beside", {"a.yaml": b"short", "b.yaml": b"b"}), {"a.yaml": b"long"})

    assert files.folders.read("a.yaml") == b"short"
    assert (files.original("a.yaml"), files.original("b.yaml"), files.original("c.yaml")) == (b"long", b"b", b"")
    assert files.folders.has("b.yaml")
    assert not files.folders.has("c.yaml")
    assert files.display_name("a.yaml") == "/copy/tree/a.yaml"
