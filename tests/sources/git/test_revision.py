import shlex
from pathlib import Path

import pytest

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.sources.git import git
from kubectl_applylint.sources.git.git import Repository
from kubectl_applylint.sources.git.revision import Range, RevisionPair, parse, revision_pair
from tests.sources.repositories import Repo, create

SPELLING = " and --against origin/x, or check the spelling"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("main", Range("main")),
        ("index", Range("index")),
        ("HEAD~1", Range("HEAD~1")),
        ("main...", Range("main", from_fork=True)),
        ("main..topic", Range("main", "topic")),
        ("main...topic", Range("main", "topic", from_fork=True)),
        ("..topic", Range("HEAD", "topic")),
        ("HEAD..index", Range("HEAD", "index")),
        ("main:deploy/prod/", Range("main", path="deploy/prod")),
        ("main:a..b", Range("main", path="a..b")),
    ],
)
def test_a_text_names_what_is_compared(text: str, wanted: Range) -> None:
    assert parse(text) == wanted


@pytest.fixture(name="upstream")
def _upstream(tmp_path: Path) -> Repo:
    """Four commits on main, and a branch topic that leaves it at the second."""
    repo = create(tmp_path / "upstream")
    for number in range(2):
        repo.commit({"a.yaml": f"a: {number}\n"})
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit({"b.yaml": "b: 1\n"})
    repo.git("checkout", "-q", "main")
    for number in range(2, 4):
        repo.commit({"a.yaml": f"a: {number}\n"})
    return repo


def compare(repo: Repo, text: str) -> RevisionPair | Problem:
    found = git.repository(str(repo.folder))
    assert isinstance(found, Repository)
    return revision_pair(found, parse(text))


def ids(found: RevisionPair | Problem) -> tuple[str, str | None]:
    assert isinstance(found, RevisionPair), found
    return found.base.id, found.head.id if found.head else None


def test_a_revision_is_compared_with_the_work_tree(upstream: Repo) -> None:
    assert ids(compare(upstream, "HEAD~1")) == (upstream.git("rev-parse", "HEAD~1"), None)


def test_two_revisions_are_compared(upstream: Repo) -> None:
    wanted = upstream.git("rev-parse", "main"), upstream.git("rev-parse", "topic")

    assert ids(compare(upstream, "main..topic")) == wanted


def test_three_dots_mean_where_the_other_side_left(upstream: Repo) -> None:
    fork = upstream.git("rev-parse", "main~2")
    upstream.git("checkout", "-q", "topic")

    assert ids(compare(upstream, "main...")) == (fork, None)
    assert ids(compare(upstream, "topic...main")) == (fork, upstream.git("rev-parse", "main"))


def test_from_nothing_there_is_no_fork(upstream: Repo) -> None:
    assert ids(compare(upstream, f"{'0' * 40}...")) == (git.EMPTY_TREE, None)


def test_a_detached_head_is_as_good_as_a_branch(upstream: Repo) -> None:
    upstream.git("checkout", "-q", "--detach", "topic")

    assert ids(compare(upstream, "main..."))[0] == upstream.git("rev-parse", "main~2")


def test_both_parents_of_a_merge_commit_can_be_named(upstream: Repo) -> None:
    upstream.git("merge", "-q", "--no-ff", "-m", "x", "topic")

    assert ids(compare(upstream, "HEAD^1"))[0] == upstream.git("rev-parse", "main~1")
    assert ids(compare(upstream, "HEAD^2"))[0] == upstream.git("rev-parse", "topic")
    assert ids(compare(upstream, "topic..."))[0] == upstream.git("rev-parse", "topic")


@pytest.mark.parametrize(
    ("depth", "branch", "asked", "what", "command"),
    [
        pytest.param(
            ("--depth=1",), "main", "HEAD~2", "the clone is shallow: HEAD~2 is missing",
            "git fetch --deepen=2 origin", id="an ancestor",
        ),
        pytest.param(
            ("--depth=1",), "topic", "origin/main", "the clone is shallow: origin/main is missing",
            "git fetch --depth=1 origin main:refs/remotes/origin/main", id="a branch",
        ),
        pytest.param(
            ("--depth=1",), "topic", "origin/main...", "the clone is shallow: origin/main is missing",
            "git fetch --unshallow origin main:refs/remotes/origin/main", id="a fork from a branch",
        ),
        pytest.param(
            ("--depth=1", "--no-single-branch"), "topic", "origin/main...",
            "the clone is shallow: the merge base is missing",
            "git fetch --unshallow origin", id="a fork",
        ),
        pytest.param(
            ("--single-branch",), "topic", "origin/main", "git has no revision origin/main",
            "git fetch origin main:refs/remotes/origin/main", id="one branch only",
        ),
    ],
)  # fmt: skip
@pytest.mark.slow
def test_the_suggested_command_fetches_what_a_clone_has_not(
    upstream: Repo, tmp_path: Path, depth: tuple[str, ...], branch: str, asked: str, what: str, command: str
) -> None:
    clone = upstream.clone(tmp_path / "clone", *depth, "--branch", branch)
    found = compare(clone, asked)

    assert isinstance(found, Problem)
    assert (found.message, found.advice) == (what, command)

    clone.git(*shlex.split(command)[1:])

    assert isinstance(compare(clone, asked), RevisionPair)


def test_a_commit_missing_in_a_shallow_clone_is_fetched_by_its_id(upstream: Repo, tmp_path: Path) -> None:
    upstream.git("config", "uploadpack.allowAnySHA1InWant", "true")
    commit = upstream.git("rev-parse", "main~3")
    clone = upstream.clone(tmp_path / "clone", "--depth=1")
    found = compare(clone, commit)

    assert isinstance(found, Problem)
    assert found.advice == f"git fetch --depth=1 origin {commit}"

    clone.git(*shlex.split(found.advice)[1:])

    assert ids(compare(clone, commit))[0] == commit


@pytest.mark.parametrize(
    ("asked", "message", "advice"),
    [
        ("x", "git has no revision x", f"git fetch origin x:refs/remotes/origin/x{SPELLING}"),
        ("HEAD~9", "git has no revision HEAD~9", "the history is not that long"),
        ("main..x", "git has no revision x", f"git fetch origin x:refs/remotes/origin/x{SPELLING}"),
    ],
)
def test_an_unknown_revision_is_reported(upstream: Repo, asked: str, message: str, advice: str) -> None:
    found = compare(upstream, asked)

    assert isinstance(found, Problem)
    assert (found.message, found.advice) == (message, advice)


def test_a_branch_that_only_the_remote_has_is_pointed_out(upstream: Repo, tmp_path: Path) -> None:
    clone = upstream.clone(tmp_path / "clone")

    assert compare(clone, "topic") == Problem("topic", "git has no revision topic", "--against origin/topic exists")


def test_branches_without_a_common_commit_cannot_be_compared_from_a_fork(upstream: Repo) -> None:
    upstream.git("checkout", "-q", "--orphan", "other")
    upstream.commit({"other.yaml": "o: 1\n"})

    assert compare(upstream, "main...") == Problem(
        "main...", "no merge base: the two revisions share no history", "compare with main itself: --against main"
    )
