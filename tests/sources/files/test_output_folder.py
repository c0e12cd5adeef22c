import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from kubectl_applylint.sources.files.output_folder import occupied_reason, write_folder

FILES = [("a/one", b"1"), ("a/two", b"2"), ("b/c/three", b"3")]


@pytest.fixture(name="repository")
def _repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the current directory, a repository beside an empty directory ``outside``."""
    repository = tmp_path / "repository"
    (tmp_path / "outside").mkdir()
    subprocess.run(["git", "init", "-q", str(repository)], check=True)
    monkeypatch.chdir(repository)
    return repository


def content(folder: Path) -> dict[str, bytes]:
    return {one.relative_to(folder).as_posix(): one.read_bytes() for one in folder.rglob("*") if one.is_file()}


@pytest.mark.parametrize("exists", [False, True], ids=["absent", "empty"])
def test_files_are_written_to_an_absent_or_empty_directory(exists: bool, repository: Path) -> None:
    if exists:
        Path("out").mkdir()

    assert occupied_reason("out") == ""
    write_folder("out", FILES, ["a", "empty"])
    assert content(repository / "out") == dict(FILES)
    assert sorted(os.listdir("out")) == ["a", "b", "empty"]


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        pytest.param("mkdir out && touch out/mine", "it is not empty", id="a file"),
        pytest.param("mkdir -p out/mine", "it is not empty", id="a directory"),
        pytest.param("touch out", "it is not a directory", id="not a directory"),
        pytest.param("ln -s ../outside out", "it is a symlink", id="a symlink to outside"),
        pytest.param("mkdir in && ln -s in out", "it is a symlink", id="a symlink to inside"),
        pytest.param("ln -s gone out", "it is a symlink", id="a dangling symlink"),
    ],
)
def test_nothing_is_written_to_what_exists(make: str, reason: str, repository: Path, tmp_path: Path) -> None:
    subprocess.run(make, shell=True, check=True)
    before = sorted(os.walk(tmp_path))

    assert occupied_reason("out") == reason
    with pytest.raises(OSError, match=reason):
        write_folder("out", FILES)
    assert sorted(os.walk(tmp_path)) == before


@pytest.mark.parametrize("target", ["../outside", ".git", ".git/hooks"])
def test_a_symlink_above_it_leads_nowhere(target: str, repository: Path, tmp_path: Path) -> None:
    Path("link").symlink_to(target)

    with pytest.raises(OSError, match="a symlink leads out of the repository"):
        write_folder("link/out", FILES)
    assert not (repository / "link/out").exists()


def test_a_missing_parent_is_an_error(repository: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_folder("gone/out", FILES)


def test_no_file_stays_if_one_cannot_be_written(repository: Path) -> None:
    def broken() -> Iterator[tuple[str, bytes]]:
        yield from FILES
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_folder("out", broken())
    assert os.listdir("out") == []
    with pytest.raises(FileExistsError):
        write_folder("out", [*FILES, FILES[0]])
    assert os.listdir("out") == []
