from pathlib import Path

import pytest

from kubectl_applylint.sources.git import blob_cache, git
from kubectl_applylint.sources.git.blob_cache import BlobCache
from tests.sources.git.test_git import open_repository, revision
from tests.sources.repositories import Repo, create

pytestmark = pytest.mark.slow  # git runs in every test


@pytest.fixture(name="repo")
def _repo(tmp_path: Path) -> Repo:
    repo = create(tmp_path / "repo")
    repo.commit({"a.yaml": "a: 1\n", "b.yaml": "b: 1\n"})
    return repo


def ids(repo: Repo) -> list[str]:
    entries = git.tree(open_repository(repo), revision(repo, "HEAD")).entries
    return [entries[path].id for path in sorted(entries)]


def test_a_blob_is_read_once(repo: Repo) -> None:
    blobs, names = BlobCache(open_repository(repo)), ids(repo)

    assert blobs.contents(names) == dict(zip(names, (b"a: 1\n", b"b: 1\n"), strict=True))
    for name in names:
        (repo.folder / ".git" / "objects" / name[:2] / name[2:]).unlink()
    assert blobs.contents(names[1:]) == {names[1]: b"b: 1\n"}
    assert blobs.texts_to_search(names) == blobs.contents(names)


@pytest.mark.parametrize(("limit", "number"), [("_MOST_BYTES", 9), ("MOST_SEARCHED", 1)])
def test_blobs_that_are_too_many_or_too_large_are_not_cached(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, limit: str, number: int
) -> None:
    monkeypatch.setattr(blob_cache, limit, number)
    blobs, names = BlobCache(open_repository(repo)), ids(repo)

    assert blobs.texts_to_search(names) is None
    assert blobs.texts_to_search(names) is None
    assert set(blobs.contents(names).values()) == {b"a: 1\n", b"b: 1\n"}
