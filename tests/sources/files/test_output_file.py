import errno
import os
import stat
import subprocess
from pathlib import Path
from threading import Thread

import pytest

from kubectl_applylint.sources.files.output_file import write_file


@pytest.fixture(name="repository")
def _repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the current directory, a repository beside a folder ``outside`` that holds a file ``target``."""
    repository = tmp_path / "repository"
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "target").write_text("mine")
    subprocess.run(["git", "init", "-q", str(repository)], check=True)
    monkeypatch.chdir(repository)
    return repository


@pytest.mark.parametrize("target", ["../outside/target", "../outside/new", ".git/config", "."])
def test_a_symlink_is_replaced(target: str, repository: Path, tmp_path: Path) -> None:
    config = (repository / ".git" / "config").read_bytes()
    Path("out.json").symlink_to(target)

    write_file("out.json", b"new")

    assert not Path("out.json").is_symlink()
    assert Path("out.json").read_bytes() == b"new"
    assert (repository / ".git" / "config").read_bytes() == config
    assert [(one.name, one.read_text()) for one in (tmp_path / "outside").iterdir()] == [("target", "mine")]


@pytest.mark.parametrize("target", ["../outside", ".git", ".git/hooks", "../repository/.git"])
@pytest.mark.parametrize("is_absolute", [False, True])
def test_a_folder_that_leads_out_of_the_repository_is_rejected(
    is_absolute: bool, target: str, repository: Path, tmp_path: Path
) -> None:
    Path("reports").symlink_to(target)

    with pytest.raises(OSError, match="a symlink leads out of the repository"):
        write_file(str(repository / "reports" / "target") if is_absolute else "reports/target", b"new")

    assert (tmp_path / "outside" / "target").read_text() == "mine"
    assert not (repository / ".git" / "target").exists()


def test_other_folders_are_written_to(repository: Path, tmp_path: Path) -> None:
    (repository / "inner").mkdir()
    Path("link").symlink_to("inner")

    for name in ("link/a", "inner/b", "../outside/c", ".git/d", str(tmp_path / "e")):
        write_file(name, b"new")

    assert (repository / "inner" / "a").read_bytes() == b"new"
    assert (repository / "inner" / "b").read_bytes() == b"new"
    assert (tmp_path / "outside" / "c").read_bytes() == b"new"
    assert (repository / ".git" / "d").read_bytes() == b"new"
    assert (tmp_path / "e").read_bytes() == b"new"


def test_permissions_are_kept(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_text("old")
    old.chmod(0o600)
    mask = os.umask(0o027)

    try:
        write_file(str(old), b"new")
        write_file(str(new), b"new")
    finally:
        os.umask(mask)

    assert [stat.S_IMODE(file.stat().st_mode) for file in (old, new)] == [0o600, 0o640]


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "out.json"
    file.write_text("old")

    def is_full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "replace", is_full)
    with pytest.raises(OSError, match="No space left on device"):
        write_file(str(file), b"new")

    assert file.read_text() == "old"
    assert [*tmp_path.iterdir()] == [file]


def test_folders_and_files_in_missing_folders_are_not_written(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        write_file(str(tmp_path), b"new")
    with pytest.raises(FileNotFoundError):
        write_file(str(tmp_path / "no" / "out"), b"new")

    assert [*tmp_path.iterdir()] == []


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    pipe, found = tmp_path / "pipe", list[bytes]()
    os.mkfifo(pipe)
    reader = Thread(target=lambda: found.append(pipe.read_bytes()))
    reader.start()

    write_file(str(pipe), b"new")
    reader.join()

    assert found == [b"new"]


def test_standard_output_is_written_to(capfd: pytest.CaptureFixture[str]) -> None:
    write_file("/dev/stdout", b"new")

    assert capfd.readouterr().out == "new"
