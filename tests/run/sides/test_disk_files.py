"""The files below a folder, and where its symlinks lead."""

import os
from pathlib import Path

import pytest

from kubectl_applylint.run.sides.disk_files import disk_files


def test_symlinks_lead_to_files_below_the_folder_or_nowhere(tmp_path: Path) -> None:
    (tmp_path / "top" / ".git").mkdir(parents=True)
    for path in ("out.yaml", "top/a.yaml", "top/.git/config"):
        (tmp_path / path).write_text("")
    ends = {"l.yaml": "a.yaml", "out.yaml": "../out.yaml", "lost.yaml": "b", "dir": ".", "git.yaml": ".git/config"}
    for name, end in ends.items():
        (tmp_path / "top" / name).symlink_to(end)

    found = disk_files(str(tmp_path / "top"), ["a.yaml", "gone.yaml", "a.yaml/b", ".git", *ends])

    assert found.files == {"a.yaml"}
    assert found.folders == {".git"}
    assert found.links == {**dict.fromkeys(ends), "l.yaml": "a.yaml"}


def test_a_file_that_must_not_be_read_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def deny(file: str) -> os.stat_result:
        raise PermissionError(13, "Permission denied", file)

    monkeypatch.setattr(os, "lstat", deny)

    assert disk_files(str(tmp_path), ["d/a.yaml"]).files == {"d/a.yaml"}
