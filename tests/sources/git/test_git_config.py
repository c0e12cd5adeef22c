"""The configuration of git, as git itself reads and writes it."""

from pathlib import Path

import pytest

from kubectl_applylint.sources.git.git_config import is_sparse, remotes, without_filters
from tests.sources.repositories import Repo, create

pytestmark = pytest.mark.slow  # git runs in every test


@pytest.fixture(name="repo")
def _repo(tmp_path: Path) -> Repo:
    return create(tmp_path / "repo")


def test_remotes_are_those_of_the_configuration(repo: Repo) -> None:
    assert remotes(str(repo.folder)) == frozenset()

    repo.git("remote", "add", "origin", "git@example.com:o/r.git")
    repo.git("remote", "add", "a.url", "https://example.com/o/r?a=b c")
    assert remotes(str(repo.folder)) == {"git@example.com:o/r.git", "https://example.com/o/r?a=b c"}


@pytest.mark.parametrize(
    ("value", "expected"), [("true", True), ("Yes", True), ("1", True), ("false", False), ("off", False)]
)
def test_a_sparse_checkout_is_that_of_git(repo: Repo, value: str, *, expected: bool) -> None:
    assert not is_sparse(str(repo.folder))

    repo.git("config", "core.sparseCheckout", value)
    assert is_sparse(str(repo.folder)) is expected


def test_a_setting_without_a_value_is_true(repo: Repo) -> None:
    with (repo.folder / ".git" / "config").open("a") as config:
        config.write("[core]\n\tsparseCheckout\n")

    assert is_sparse(str(repo.folder))


def test_all_filters_are_disabled(repo: Repo) -> None:
    repo.git("config", "filter.a=b.c.clean", "evil")
    off = without_filters(str(repo.folder))

    assert {name: off[f"filter.a=b.c.{name}"] for name in ("clean", "smudge", "process", "required")} == {
        "clean": "",
        "smudge": "",
        "process": "",
        "required": "false",
    }
