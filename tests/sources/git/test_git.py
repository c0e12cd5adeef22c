import os
from pathlib import Path

import pytest

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.sources.git import git
from kubectl_applylint.sources.git.git import EMPTY_TREE, GitError, Repository, Revision
from tests.sources.render.test_kustomize import program
from tests.sources.repositories import Repo, create

pytestmark = pytest.mark.slow  # git runs in every test


@pytest.fixture(name="repo")
def _repo(tmp_path: Path) -> Repo:
    repo = create(tmp_path / "repo")
    repo.commit({"a.yaml": "a: 1\n", "deep/b.yaml": "b: 1\n"})
    return repo


def open_repository(repo: Repo) -> Repository:
    found = git.repository(str(repo.folder))
    assert isinstance(found, Repository)
    return found


def revision(repo: Repo, name: str) -> Revision:
    found = git.resolve(open_repository(repo), name)
    assert found is not None
    return found


def test_a_repository_is_found_from_below(repo: Repo) -> None:
    found = git.repository(str(repo.folder / "deep"))

    assert found == Repository(str(repo.folder.resolve()), is_shallow=False)


def test_a_bare_repository_in_a_work_tree_is_not_the_repository(repo: Repo) -> None:
    inner = repo.folder / "deep"
    for name in ("objects", "refs/heads", "refs/remotes/origin"):
        (inner / name).mkdir(parents=True)
    (inner / "HEAD").write_text("ref: refs/heads/main\n")
    (inner / "config").write_text("[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n")

    assert Repo(inner).git("rev-parse", "--git-dir") == "."
    assert git.repository(str(inner)) == Repository(str(repo.folder), False)


def test_a_bare_repository_is_found_outside_of_work_trees(repo: Repo, tmp_path: Path) -> None:
    bare = repo.clone(tmp_path / "bare.git", "--bare").folder

    assert git.repository(str(bare)) == Repository(str(bare), False, is_bare=True)


def test_the_repository_that_the_environment_names_is_found(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = create(tmp_path / "other").folder
    (other / "inner").mkdir()
    monkeypatch.setenv("GIT_DIR", str(repo.folder / ".git"))

    assert git.repository(str(other / "inner")) == Repository(str(other / "inner"), False)


def test_branches_are_known_with_a_default_branch(repo: Repo) -> None:
    assert git.default_branches(open_repository(repo)) == frozenset()

    repo.git("update-ref", "refs/remotes/origin/main", "HEAD")
    repo.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
    repo.git("checkout", "-q", "-b", "feature")
    assert git.default_branches(open_repository(repo)) == {"main"}
    assert git.current_branches(open_repository(repo)) == {"feature"}

    repo.git("checkout", "-q", "--detach")
    assert git.current_branches(open_repository(repo)) == frozenset()


def test_no_repository_is_a_problem(tmp_path: Path) -> None:
    found = git.repository(str(tmp_path))

    assert found == Problem(
        str(tmp_path), "not in a git repository, so there is no revision to compare with", "compare with dir:PATH"
    )


def test_no_git_is_a_problem(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")

    assert "git is not installed" in str(git.repository(str(repo.folder)))


@pytest.mark.parametrize(
    ("message", "advice"),
    [
        ("fatal: Out of memory, malloc failed", "increase the memory limit"),
        ("fatal: cannot create a pipe: Too many open files", "increase the limit of open files"),
    ],
)
def test_a_limit_of_the_system_is_no_fault_of_the_repository(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, message: str, advice: str
) -> None:
    found = open_repository(repo)
    (tmp_path / "bin").mkdir()
    program(tmp_path, "git", f"echo '{message}' >&2; exit 128")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")

    assert advice in str(git.repository(str(repo.folder)))
    for ask in (lambda: git.resolve(found, "main"), lambda: git.tree(found, Revision("main", "main"))):
        with pytest.raises(GitError) as refused:
            ask()
        assert advice in refused.value.problem.advice


def test_a_file_has_a_path_in_its_repository_and_nowhere_else(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(repo.folder)
    paths = [
        open_repository(repo).path_of(str(one)) for one in (repo.folder, tmp_path / "link" / "a.yaml", tmp_path / "x")
    ]

    assert paths == ["", "a.yaml", None]


@pytest.mark.parametrize("name", ["main", "HEAD", "@", "heads/main"])
def test_a_name_is_resolved(repo: Repo, name: str) -> None:
    head = repo.git("rev-parse", "HEAD")

    assert revision(repo, name) == Revision(name, head)
    assert str(revision(repo, name)) == f"{name} ({head[:7]})"


def test_an_id_is_short_for_people(repo: Repo) -> None:
    head = repo.git("rev-parse", "HEAD")

    assert str(revision(repo, head)) == head[:7]
    assert revision(repo, head).short == head[:7]
    assert revision(repo, head[:10]).short == head[:7]
    assert revision(repo, "main").short == "main"
    assert revision(repo, f"{head}~0").short == f"{head[:7]}~0"
    assert str(Revision(f"{head}~1", "f" * 40)) == f"{head[:7]}~1 (fffffff)"


@pytest.mark.parametrize("name", ["gone", "HEAD~1", "HEAD:a.yaml", "a b", "f" * 40])
def test_other_names_have_no_revision(repo: Repo, name: str) -> None:
    assert git.resolve(open_repository(repo), name) is None


def test_before_the_first_commit_there_is_nothing(tmp_path: Path) -> None:
    repo = create(tmp_path / "new")

    assert revision(repo, "HEAD") == Revision("HEAD", EMPTY_TREE)
    assert git.tree(open_repository(repo), revision(repo, "HEAD")).entries == {}


def test_zeros_stand_for_nothing(repo: Repo) -> None:
    assert revision(repo, "0" * 40).id == EMPTY_TREE
    assert str(revision(repo, "0" * 40)) == "an empty repository"


def test_a_fork_is_where_two_branches_part(repo: Repo) -> None:
    fork = repo.git("rev-parse", "HEAD")
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit({"a.yaml": "a: 2\n"})
    repo.git("checkout", "-q", "main")
    repo.commit({"a.yaml": "a: 3\n"})

    assert git.merge_base(open_repository(repo), revision(repo, "main"), revision(repo, "topic")) == Revision(
        fork, fork
    )


def test_branches_without_a_common_commit_have_no_fork(repo: Repo) -> None:
    repo.git("checkout", "-q", "--orphan", "other")
    repo.commit({"other.yaml": "o: 1\n"})

    assert git.merge_base(open_repository(repo), revision(repo, "main"), revision(repo, "other")) is None


def test_a_failed_query_of_git_is_an_error(repo: Repo) -> None:
    with pytest.raises(GitError, match="not a tree object"):
        git.tree(open_repository(repo), Revision("x", "f" * 40))


def test_a_tree_holds_the_files_of_a_revision(repo: Repo) -> None:
    repo.write({"a.yaml": "a: 2\n"})
    repo.git("add", "-A")
    trees = [git.tree(open_repository(repo), revision(repo, name)) for name in ("HEAD", "index")]
    texts = [git.contents(open_repository(repo), {tree.entries["a.yaml"].id}) for tree in trees]

    assert [sorted(tree.entries) for tree in trees] == [["a.yaml", "deep/b.yaml"]] * 2
    assert [list(text.values()) for text in texts] == [[b"a: 1\n"], [b"a: 2\n"]]


def test_content_that_is_not_there_is_an_error(repo: Repo) -> None:
    assert git.contents(open_repository(repo), ()) == {}
    with pytest.raises(GitError, match=r"objects of a compared revision are missing.*missing blob f{40}"):
        git.contents(open_repository(repo), {"f" * 40})


@pytest.mark.parametrize(
    ("base", "head", "wanted"),
    [
        pytest.param("HEAD", None, {"a.yaml", "deep/b.yaml"}, id="a commit and the work tree"),
        pytest.param("HEAD", "index", {"a.yaml"}, id="a commit and the index"),
        pytest.param("index", None, {"deep/b.yaml"}, id="the index and the work tree"),
        pytest.param("index", "HEAD", {"a.yaml"}, id="the index and a commit"),
        pytest.param("HEAD~1", "HEAD", {"c.yaml"}, id="two commits"),
    ],
)
def test_changed_files_are_named(repo: Repo, base: str, head: str | None, wanted: set[str]) -> None:
    repo.commit({"c.yaml": "c: 1\n"})
    repo.write({"a.yaml": "a: 2\n"})
    repo.git("add", "-A")
    repo.write({"deep/b.yaml": "b: 2\n", "new.yaml": "n: 1\n"})
    later = revision(repo, head) if head else None

    assert git.changed_paths(open_repository(repo), revision(repo, base), later).keys() == wanted
    assert git.untracked_files(open_repository(repo)) == ("new.yaml",)


@pytest.mark.parametrize(
    ("name", "files"),
    [("HEAD", {"deep/b.yaml"}), ("index", {"deep/b.yaml"}), ("", {"a.yaml", "deep/b.yaml"})],
    ids=["commit", "index", "work tree"],
)
def test_words_are_found_in_the_files_of_a_revision(repo: Repo, name: str, files: set[str]) -> None:
    repo.write({"a.yaml": "b: 1\n"})
    where = revision(repo, name) if name else None

    assert git.files_mentioning(open_repository(repo), where, ["b: 1", "nothing"]) == files
    assert git.files_mentioning(open_repository(repo), where, ["nothing"]) == frozenset()


def test_words_are_searched_in_manifests_only(repo: Repo) -> None:
    repo.commit({"a.go": "word", "deep/er/b.json": "word", "c.yml": "word", "d.yaml.tpl": "word"})

    assert git.files_mentioning(open_repository(repo), revision(repo, "HEAD"), ["word"]) == {"deep/er/b.json", "c.yml"}


def test_a_name_may_be_any_bytes(repo: Repo) -> None:
    repo.commit({'läden/"ö\n".yaml': "a: 1\n"})

    assert 'läden/"ö\n".yaml' in git.tree(open_repository(repo), revision(repo, "HEAD")).entries
    assert [*git.changed_paths(open_repository(repo), revision(repo, "HEAD~1"), revision(repo, "HEAD"))] == [
        'läden/"ö\n".yaml'
    ]


def test_nothing_in_the_repository_is_written(repo: Repo) -> None:
    def stamps() -> dict[str, int]:
        return {str(one): one.stat().st_mtime_ns for one in repo.folder.rglob("*")}

    repo.write({"a.yaml": "a: 2\n"})
    before = stamps()
    git.changed_paths(open_repository(repo), revision(repo, "HEAD"), None)
    git.tree(open_repository(repo), revision(repo, "index"))

    assert stamps() == before
