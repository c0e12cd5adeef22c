from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

import pytest

from tests.cli.conftest import DEPLOYMENT
from tests.hooks.test_changed import SCALED
from tests.sources.repositories import Repo, create

pytestmark = pytest.mark.slow  # git runs in every test

main: Callable[[Sequence[str]], int] = import_module("kubectl_applylint.hooks.push").main


@pytest.fixture(name="repo")
def _repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """A repository whose last commit has forgotten how many replicas there are."""
    repo = create(tmp_path / "repo")
    repo.commit({"web.yaml": SCALED})
    repo.commit({"web.yaml": DEPLOYMENT})
    monkeypatch.chdir(repo.folder)
    for name in ("PRE_COMMIT_FROM_REF", "PRE_COMMIT_TO_REF"):
        monkeypatch.delenv(name, raising=False)
    return repo


def test_pushed_commits_are_checked(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PRE_COMMIT_FROM_REF", repo.git("rev-parse", "HEAD~1"))
    monkeypatch.setenv("PRE_COMMIT_TO_REF", repo.git("rev-parse", "HEAD"))
    repo.write({"web.yaml": SCALED})

    assert main([]) == 1
    assert "web.yaml:4:1: error: the next apply scales deployment/web from 5 to 1" in capsys.readouterr().out


def test_only_the_last_pushed_commit_counts(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRE_COMMIT_FROM_REF", repo.git("rev-parse", "HEAD~1"))
    monkeypatch.setenv("PRE_COMMIT_TO_REF", repo.commit({"web.yaml": SCALED}))

    assert main([]) == 0


@pytest.mark.usefixtures("repo")
def test_the_first_push_is_compared_with_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0

    captured = capsys.readouterr()

    assert "compared with an empty repository" in captured.err
    assert "in 1 object" in captured.out
