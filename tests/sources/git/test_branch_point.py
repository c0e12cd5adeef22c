"""The revision that a plan is compared with if the caller names none."""

from pathlib import Path

import pytest

from kubectl_applylint.sources.git.branch_point import earlier_revision
from tests.sources.repositories import Repo, create


@pytest.fixture(name="repo")
def _repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """Return a repository with one commit on ``main``, which is the current directory."""
    repo = create(tmp_path / "repo")
    repo.commit({"a.yaml": "a: 1\n"})
    repo.git("branch", "--move", "main")
    monkeypatch.chdir(repo.folder)
    return repo


def test_a_changed_work_tree_is_compared_with_the_last_commit(repo: Repo) -> None:
    repo.git("switch", "--quiet", "--create", "topic")
    repo.commit({"a.yaml": "a: 2\n"})
    assert earlier_revision() == "main..."

    repo.write({"notes.txt": "no manifest"})
    assert earlier_revision() == "main..."

    repo.write({"b.yaml": "b: 1\n"})
    assert earlier_revision() == "HEAD"


def test_a_branch_without_own_commits_is_compared_with_its_last_commit(repo: Repo) -> None:
    assert earlier_revision() == "HEAD"  # the first commit
    repo.commit({"a.yaml": "a: 2\n"})
    assert earlier_revision() == "HEAD~1"
    repo.write({"a.yaml": "a: 3\n"})
    assert earlier_revision() == "HEAD"


def test_the_default_branch_of_the_remote_comes_first(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone = repo.clone(tmp_path / "clone")
    monkeypatch.chdir(clone.folder)
    clone.commit({"a.yaml": "a: 2\n"})

    assert earlier_revision() == "origin/HEAD..."


def test_there_is_no_earlier_revision_outside_of_a_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    assert earlier_revision() == ""
