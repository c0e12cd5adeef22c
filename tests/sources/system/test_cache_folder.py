"""Files that are kept for later runs: only where no other user can write, and only complete ones."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from kubectl_applylint.sources.system import cache_folder
from kubectl_applylint.sources.system.cache_folder import (
    folder_of,
    key_of,
    make_room,
    read,
    remove,
    use_folder,
    write,
)


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Iterator[Path]:
    with use_folder(str(tmp_path / "cache")):
        write("texts", "k", b"kept")
        yield tmp_path / "cache" / "texts"


def test_a_written_file_is_read(folder: Path) -> None:
    assert (read("texts", "k"), read("texts", "other"), read("others", "k")) == (b"kept", None, None)


def test_the_cache_is_readable_only_by_its_user(folder: Path) -> None:
    assert [path.stat().st_mode & 0o777 for path in (folder, folder / "k")] == [0o700, 0o600]


@pytest.mark.parametrize("damage", [b"", b"x" * 100], ids=["empty", "other bytes"])
def test_damaged_files_are_ignored(folder: Path, damage: bytes) -> None:
    (folder / "k").write_bytes(damage)
    assert read("texts", "k") is None


def test_a_text_whose_hash_is_another_one_counts_for_nothing(folder: Path) -> None:
    write("texts", "other", b"another")
    (folder / "k").write_bytes((folder / "k").read_bytes()[:32] + (folder / "other").read_bytes()[32:])
    assert read("texts", "k") is None


@pytest.mark.skipif(os.name == "nt", reason="no pipes are files there")
def test_only_files_are_read(folder: Path) -> None:
    (folder / "k").rename(folder / "other")
    (folder / "k").symlink_to("other")
    os.mkfifo(folder / "pipe")

    assert (read("texts", "k"), read("texts", "pipe")) == (None, None)


@pytest.mark.skipif(os.name == "nt", reason="permissions are others there")
def test_a_folder_that_others_may_write_to_counts_for_nothing(folder: Path) -> None:
    folder.chmod(0o777)
    assert read("texts", "k") is None


def test_a_folder_that_cannot_be_created_caches_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with use_folder(str(tmp_path / "file")):
        write("texts", "k", b"kept")
        assert read("texts", "k") is None


def test_nothing_is_cached_where_others_can_write(folder: Path, tmp_path: Path) -> None:
    folder.chmod(0o777)
    write("texts", "new", b"kept")
    (tmp_path / "other").mkdir()
    (folder.parent / "links").symlink_to(tmp_path / "other")
    write("links", "new", b"kept")

    assert [*(tmp_path / "other").iterdir()] == []
    assert not (folder / "new").exists()


def test_nothing_is_cached_without_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write("texts", "k", b"kept")
    assert (read("texts", "k"), [*tmp_path.iterdir()]) == (None, [])


def test_the_least_recently_used_file_is_deleted_first(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "k").unlink()
    for name, age in (("old", 30), ("asked for", 40), ("newer", 20)):
        write("texts", name, os.urandom(1000))
        os.utime(folder / name, (0, 1_000_000 - age))
    monkeypatch.setattr(cache_folder, "MOST_BYTES", 3500)
    read("texts", "asked for")
    write("texts", "newest", os.urandom(1000))
    make_room("texts")

    assert {path.name for path in folder.iterdir()} == {"asked for", "newer", "newest"}


def test_the_limit_holds_for_the_writes_of_one_process(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_folder, "MOST_BYTES", 3500)
    for number in range(8):
        write("texts", str(number), os.urandom(1000))
        make_room("texts")

    assert sum(path.stat().st_size for path in folder.iterdir()) <= 3500
    assert (folder / "7").exists()


def test_a_key_has_the_borders_of_its_parts() -> None:
    assert len({key_of([b"ab", b"c"]), key_of([b"a", b"bc"]), key_of([b"abc"]), key_of([b"c", b"ab"])}) == 4


@pytest.mark.parametrize(
    ("environ", "folder"),
    [
        ({"APPLYLINT_CACHE_DIR": "/c", "XDG_CACHE_HOME": "/x"}, "/c"),
        ({"APPLYLINT_CACHE_DIR": "", "XDG_CACHE_HOME": "/x"}, ""),
        ({"XDG_CACHE_HOME": "/x"}, "/x/kubectl-applylint"),
        ({"XDG_CACHE_HOME": "relative"}, ""),
    ],
    ids=["ours", "none", "XDG", "relative"],
)
def test_the_cache_folder_depends_on_the_environment(environ: dict[str, str], folder: str) -> None:
    assert folder_of(environ) == folder


def test_an_entry_is_removed(folder: Path) -> None:
    remove("texts", "k")
    remove("texts", "none")

    assert read("texts", "k") is None
