import os
from pathlib import Path

import pytest

from kubectl_applylint.cli.terminal.stopwatch import TimeIsUp, limit_time
from kubectl_applylint.sources.git import git_command
from kubectl_applylint.sources.git.git_command import GitFailure, one_state, run
from tests.sources.repositories import Repo, create
from tests.sources.system.test_subprocesses import is_gone, wait_for

pytestmark = pytest.mark.slow  # git runs in every test


@pytest.fixture(name="repo")
def _repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_CONFIG_COUNT"):
        monkeypatch.delenv(name, raising=False)
    repo = create(tmp_path / "repo")
    repo.commit({"deep/a.yaml": "a: 1\n"})
    return repo


def test_settings_outrank_the_configuration_and_keep_those_of_the_caller(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.git("config", "filter.a=b.c.clean", "evil")
    for name, value in (("COUNT", "1"), ("KEY_0", "user.name"), ("VALUE_0", "me")):
        monkeypatch.setenv(f"GIT_CONFIG_{name}", value)
    folder, off = str(repo.folder), {"filter.a=b.c.clean": ""}

    assert run(folder, "config", "filter.a=b.c.clean", settings=off) == b"\n"
    assert run(folder, "config", "user.name", settings=off) == b"me\n"


def test_a_repository_named_from_the_current_folder_is_found_from_every_folder(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repo.folder / "deep")
    monkeypatch.setenv("GIT_DIR", "../.git")
    monkeypatch.setenv("GIT_WORK_TREE", "..")

    assert run(str(repo.folder), "ls-files") == b"deep/a.yaml\n"


def test_a_failure_of_git_is_reported_with_its_exit_code(repo: Repo) -> None:
    assert run(str(repo.folder), "grep", "nothing") == GitFailure("git grep exited with 1", 1)
    assert run(str(repo.folder), "cat-file", "nul\0") == GitFailure("embedded null byte")


@pytest.mark.parametrize(
    ("words", "lacks"),
    [
        ("fatal: could not fetch 12 from promisor remote", True),
        ("fatal: bad object 12", True),
        ("fatal: not a git repository", False),
    ],
)
def test_missing_objects_are_distinguished_from_other_failures(words: str, lacks: bool) -> None:
    assert GitFailure(words).lacks_objects is lacks


def test_a_git_that_hangs_is_ended(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "git").write_text(f"#!/bin/sh\necho $$ > {tmp_path}/pid\nexec sleep 60\n")
    (tmp_path / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")

    with pytest.raises(TimeIsUp), limit_time(0.5):
        run(str(repo.folder), "status")
    assert is_gone(wait_for(tmp_path / "pid"))

    monkeypatch.setattr(git_command, "_TIMEOUT", 0.5)
    assert run(str(repo.folder), "status") == GitFailure("git status timed out after 0 s")


def test_a_git_that_cannot_be_started_is_not_reported_as_missing(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "git").write_text("#!/no/such/interpreter\n")
    (tmp_path / "git").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))

    assert run(str(repo.folder), "status") == GitFailure("git cannot be started")
    (tmp_path / "git").unlink()
    assert run(str(repo.folder), "status") == GitFailure("git is not installed")


def test_the_repository_counts_as_unchanged_within_a_block(repo: Repo) -> None:
    def untracked_paths() -> object:
        return run(str(repo.folder), "ls-files", "--others")

    with one_state():
        assert untracked_paths() == b""
        (repo.folder / "new.yaml").write_text("a: 1\n")
        assert untracked_paths() == b""
        assert run(str(repo.folder), "ls-files") == b"deep/a.yaml\n"
    assert untracked_paths() == b"new.yaml\n"
