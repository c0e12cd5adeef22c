from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

import pytest

from tests.cli.conftest import DEPLOYMENT
from tests.sources.repositories import Repo, create

pytestmark = pytest.mark.slow  # git runs in every test

SCALED = DEPLOYMENT.replace("spec:\n  selector", "spec:\n  replicas: 5\n  selector")
main: Callable[[Sequence[str]], int] = import_module("kubectl_applylint.hooks.changed").main


@pytest.fixture(name="repo")
def _repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """A repository with five replicas, and a work tree that has forgotten how many."""
    repo = create(tmp_path / "repo")
    repo.commit({"web.yaml": SCALED})
    repo.write({"web.yaml": DEPLOYMENT})
    monkeypatch.chdir(repo.folder)
    return repo


def test_staged_files_are_checked(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    repo.git("add", "-A")

    assert main([]) == 1
    assert "web.yaml:4:1: error: the next apply scales deployment/web from 5 to 1" in capsys.readouterr().out


@pytest.mark.usefixtures("repo")
def test_unstaged_files_are_not_checked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    assert capsys.readouterr().out == "no findings in 0 objects\n"


def test_the_first_commit_is_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = create(tmp_path / "new")
    repo.write({"web.yaml": DEPLOYMENT.replace("  selector:\n    matchLabels: {app: shop}\n", "")})
    repo.git("add", "-A")
    monkeypatch.chdir(repo.folder)

    assert main([]) == 1


def test_the_arguments_of_the_hook_are_those_of_check(repo: Repo) -> None:
    repo.git("add", "-A")

    assert main(["--exit-zero"]) == 0
