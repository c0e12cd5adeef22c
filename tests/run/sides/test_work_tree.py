"""Repositories in other shapes, compared as ``git diff`` compares them."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.run.compare.base import Base
from kubectl_applylint.run.compare.history import in_git
from kubectl_applylint.run.compare.live_source import source_of_base
from kubectl_applylint.run.load.run_input import RunInput, input_of_files
from tests.run.compare.test_history import settings, verdicts
from tests.sources.repositories import Repo, create

pytestmark = pytest.mark.slow  # git runs in every test

FILES = {f"{folder}/{name}.yaml": settings(f"{folder}-{name}") for folder in ("in", "out") for name in ("one", "two")}


@pytest.fixture(name="repo")
def _repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"):
        monkeypatch.delenv(name, raising=False)
    repo = create(tmp_path / "repo")
    repo.commit(FILES)
    repo.commit({"out/one.yaml": settings("out-one", "c"), "out/two.yaml": None, "out/new.yaml": settings("out-new")})
    monkeypatch.chdir(repo.folder)
    return repo


def run_input(text: str, *names: str, recursive: bool = False) -> RunInput:
    found = in_git(text, names, recursive=recursive)
    return input_of_files(names, recursive=recursive, stdin=bytes, source=source_of_base(found))


def verdicts_of(text: str, *names: str, recursive: bool = False) -> Mapping[str, str]:
    found = run_input(text, *names, recursive=recursive)
    assert found.problems == ()
    return verdicts(found)


SPARSE = {
    "HEAD~1:out/two.yaml:1:1": "kept",
    "out/new.yaml:1:1": "created",
    "out/one.yaml:1:1": "configured",
}


@pytest.mark.parametrize("names", [(), ("out",), ("in", "out")], ids=["all", "the folder", "two folders"])
def test_files_outside_of_a_sparse_checkout_are_compared_from_the_index(repo: Repo, names: tuple[str, ...]) -> None:
    whole = verdicts_of("HEAD~1", *names)
    repo.git("sparse-checkout", "set", "in")

    assert not (repo.folder / "out").exists()
    assert verdicts_of("HEAD~1", *names) == whole == SPARSE
    assert verdicts_of("HEAD") == {}
    assert verdicts_of("HEAD", "out", "in") == {}


def test_a_file_that_is_not_to_be_checked_out_is_as_in_the_index(repo: Repo) -> None:
    repo.git("update-index", "--skip-worktree", "out/one.yaml")
    repo.write({"out/one.yaml": None, "in/one.yaml": settings("in-one", "c")})

    assert verdicts_of("HEAD") == {"in/one.yaml:1:1": "configured"}
    assert verdicts_of("HEAD", "out/one.yaml", "in/one.yaml") == {"in/one.yaml:1:1": "configured"}


@pytest.fixture(name="library")
def _library(tmp_path: Path) -> Repo:
    library = create(tmp_path / "library")
    library.commit({"lib.yaml": settings("lib")})
    return library


@pytest.mark.parametrize("asked", ["{base}", "{base}..index", "{base}..HEAD"])
def test_a_submodule_that_comes_moves_or_goes_is_reported(repo: Repo, library: Repo, asked: str) -> None:
    before = repo.git("rev-parse", "HEAD")
    repo.git("submodule", "--quiet", "add", str(library.folder), "vendor/lib")
    came = repo.commit({})
    library.commit({"lib.yaml": settings("lib", "c")})
    repo.git("-C", "vendor/lib", "pull", "-q")
    moved = repo.commit({})
    note = "the submodule vendor/lib changed, and its files are not compared"

    assert note in run_input(asked.format(base=before)).notes
    assert note in run_input(asked.format(base=came)).notes
    assert note not in run_input(asked.format(base=moved)).notes
    repo.git("rm", "-q", "-f", "vendor/lib")
    repo.commit({})
    assert note in run_input(asked.format(base=moved)).notes


def test_a_work_tree_elsewhere_is_compared_as_a_whole(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.write({"in/one.yaml": settings("in-one", "c")})
    monkeypatch.setenv("GIT_DIR", str(repo.folder / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(repo.folder))
    monkeypatch.chdir(tmp_path)

    assert verdicts_of("HEAD") == {"repo/in/one.yaml:1:1": "configured"}
    assert verdicts_of("HEAD~1..HEAD") == {
        f"{'' if p.startswith('HEAD') else 'repo/'}{p}": v for p, v in SPARSE.items()
    }
    assert verdicts_of("HEAD", "repo/in", "repo/out") == {"repo/in/one.yaml:1:1": "configured"}


def test_a_git_folder_named_relatively_holds_in_its_folders(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.write({"in/one.yaml": settings("in-one", "c")})
    monkeypatch.chdir(repo.folder / "in")
    monkeypatch.setenv("GIT_DIR", "../.git")
    monkeypatch.setenv("GIT_WORK_TREE", "..")

    assert verdicts_of("HEAD") == {"one.yaml:1:1": "configured"}


def test_another_index_is_followed(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``git commit FILE`` gives its hooks an index of their own, and pre-commit passes it on."""
    other = tmp_path / "index"
    other.write_bytes((repo.folder / ".git/index").read_bytes())
    repo.write({"in/one.yaml": settings("in-one", "c")})
    repo.git("add", "-A")
    whole = verdicts_of("HEAD..index")
    monkeypatch.setenv("GIT_INDEX_FILE", str(other))

    assert whole == {"in/one.yaml:1:1": "configured"}
    assert verdicts_of("HEAD..index") == {}


def test_two_revisions_of_a_bare_repository_are_compared(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.clone(tmp_path / "bare.git", "--bare")
    monkeypatch.chdir(tmp_path / "bare.git")

    assert verdicts_of("HEAD~1..HEAD") == SPARSE
    assert verdicts_of("HEAD~1..HEAD", "out", recursive=True) == SPARSE
    assert in_git("HEAD", (), recursive=False) == Problem(
        str(tmp_path / "bare.git"), "the repository has no work tree", "specify both revisions: --against A..B"
    )


@pytest.mark.parametrize("text", ["HEAD..index", "index", "index..HEAD"])
def test_unmerged_paths_are_a_problem(repo: Repo, text: str) -> None:
    repo.git("checkout", "-q", "-b", "topic", "HEAD~1")
    repo.commit({"out/one.yaml": settings("out-one", "d")})
    with pytest.raises(AssertionError):
        repo.git("merge", "-q", "main")
    found = in_git(text, (), recursive=False)

    assert found == Problem(
        "out/one.yaml", "this path is unmerged in the index", "resolve the conflict, and git add it"
    )


def test_the_index_does_not_differ_from_itself(repo: Repo) -> None:
    repo.write({"in/one.yaml": settings("in-one", "c")})
    repo.git("add", "-A")

    assert verdicts_of("index..index") == {}
    assert verdicts_of("HEAD..HEAD") == {}


@pytest.mark.parametrize("names", [(), ("in",), ("in/one.yaml",)], ids=["all", "its folder", "itself"])
def test_the_objects_of_a_file_that_cannot_be_parsed_did_not_leave(repo: Repo, names: tuple[str, ...]) -> None:
    repo.write({"in/one.yaml": "apiVersion: v1\nkind: [\n"})
    found = run_input("HEAD", *names)

    assert verdicts(found) == {}
    assert [problem.where.partition(":")[0] for problem in found.problems] == ["in/one.yaml"]


def test_a_base_is_found(repo: Repo) -> None:
    assert isinstance(in_git("HEAD", (), recursive=False), Base)
