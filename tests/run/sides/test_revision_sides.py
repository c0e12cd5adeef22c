"""The files of other revisions of a repository."""

from pathlib import Path

import pytest

from kubectl_applylint.run.sides.revision_sides import find_word, revision_finder
from kubectl_applylint.run.sides.side import FindSide
from kubectl_applylint.run.sides.sides import of_revision
from kubectl_applylint.sources.git.git import Repository
from tests.sources.repositories import Repo, create


@pytest.fixture(name="repo")
def _repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """Return a clone with a branch of the remote and a tag."""
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"):
        monkeypatch.delenv(name, raising=False)
    repo = create(tmp_path / "fleet")
    repo.commit({"a.yaml": "a: 1"})
    repo.git("tag", "v1")
    repo.commit({"a.yaml": "a: 2"})
    repo.git("update-ref", "refs/remotes/origin/main", "HEAD")
    return repo


def finder(repo: Repo) -> FindSide:
    return revision_finder(Repository(str(repo.folder), is_shallow=False), of_revision)


def test_the_files_of_a_revision_are_named_after_it(repo: Repo) -> None:
    find = finder(repo)
    commit = repo.git("rev-parse", "v1")
    labels = [(found := find(name)) and found.label("a.yaml") for name in ("branch main", "tag v1", f"commit {commit}")]

    assert labels == ["origin/main:a.yaml", "tags/v1:a.yaml", f"{commit[:7]}:a.yaml"]
    assert find("version 1.x") is find("branch none") is None


@pytest.mark.parametrize("name", ["HEAD", "v1", "main~1", ":apps/a.yaml", "0" * 40, "-h", ""])
def test_only_a_hash_is_a_commit(repo: Repo, name: str) -> None:
    find = finder(repo)
    hash_of_tag = repo.git("rev-parse", "v1").strip()

    assert find(f"commit {hash_of_tag}") is not None
    assert find(f"commit {name}") is None


def test_a_partial_clone_without_the_objects_does_not_have_a_revision(repo: Repo, tmp_path: Path) -> None:
    repo.git("config", "uploadpack.allowFilter", "true")
    partial = repo.clone(tmp_path / "partial", "--filter=tree:0")

    assert finder(partial)("tag v1") is None


def test_a_word_of_argo_cd_is_a_branch_or_a_tag_or_a_commit(repo: Repo) -> None:
    find = finder(repo)
    commit = repo.git("rev-parse", "v1").strip()
    words = ["branch v1", "tag main", f"commit {commit}", f"commit {commit[:7]}", "branch none", "commit 0000000"]
    labels = [(found := find_word(find, one)) and found.label("a") for one in words]

    assert labels == ["tags/v1:a", "origin/main:a", f"{commit[:7]}:a", f"{commit[:7]}:a", None, None]
