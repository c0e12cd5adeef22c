"""One side of a comparison, wherever its files are."""

import os
from pathlib import Path

import pytest

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.run.sides import sides
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.run.sides.work_tree import not_checked_out
from kubectl_applylint.sources.git import git
from kubectl_applylint.sources.git.git import Repository
from kubectl_applylint.sources.text.classify import SkipReason
from tests.sources.repositories import Repo, create

pytestmark = pytest.mark.slow  # git runs in most tests

SETTINGS = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n"


@pytest.fixture(name="repo")
def _repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"):
        monkeypatch.delenv(name, raising=False)
    repo = create(tmp_path / "repo")
    monkeypatch.chdir(repo.folder)
    return repo


def repository() -> Repository:
    found = git.repository(".")
    assert not isinstance(found, Problem)
    return found


def test_a_work_tree_has_what_git_does_not_ignore(repo: Repo) -> None:
    repo.commit({"a.yaml": SETTINGS, ".gitignore": "ignored.yaml\nbuild/\n", "gone.yaml": SETTINGS})
    repo.write({"b.yaml": SETTINGS, "ignored.yaml": SETTINGS, "build/c.yaml": SETTINGS, "gone.yaml": None})

    assert sides.of_work_tree(repository()).paths == {".gitignore", "a.yaml", "b.yaml"}
    assert {"ignored.yaml", "build/c.yaml"} < sides.of_work_tree(repository(), ["ignored.yaml", "build"]).paths


def with_links(repo: Repo) -> tuple[Side, ...]:
    """Return the work tree, a commit and the folder, each with symlinks to files and to nothing."""
    (repo.folder / "d").mkdir(parents=True)
    (repo.folder.parent / "outside.yaml").write_text(SETTINGS)
    leads = {"z.yaml": "d/n.txt", "y.yaml": "z.yaml", "out.yaml": "../outside.yaml", "lost.yaml": "x", "f": "d"}
    for name, end in leads.items():
        (repo.folder / name).symlink_to(end)
    repo.commit({"d/n.txt": SETTINGS})
    head = git.resolve(repository(), "HEAD")
    assert head
    return (
        sides.of_work_tree(repository()),
        sides.of_revision(repository(), head, str),
        sides.of_folder(str(repo.folder)),
    )


def test_symlinks_to_files_are_files(repo: Repo) -> None:
    for side in with_links(repo):
        assert side.paths - {"f", ".gitignore"} == {"d/n.txt", "z.yaml", "y.yaml", "out.yaml", "lost.yaml"}
        assert dict(side.link_ends) == {"z.yaml": "d/n.txt", "y.yaml": "d/n.txt"}
        assert side.contents(["z.yaml", "out.yaml"]) == {"z.yaml": SETTINGS.encode()}
        assert side.fault("out.yaml").message == "a symlink that leads to no file of the repository"


def test_a_file_is_read_once_by_its_name_and_by_symlinks(repo: Repo) -> None:
    for side in with_links(repo):
        found = side.read(["y.yaml", "z.yaml"])

        assert [one.ref.name for one in found.documents] == ["settings"]
        assert [one.why for one in found.skipped] == [SkipReason.LINK]
        assert [one.message for one in side.read(["lost.yaml"]).problems] == [side.fault("lost.yaml").message]


def test_large_files_and_pointers_of_git_lfs_cannot_be_read(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("system.contents", "files.files"):
        monkeypatch.setattr(f"kubectl_applylint.sources.{module}.MAX_BYTES", 500)
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"
    repo.commit({"big.yaml": "#" * 501, "lfs.yaml": pointer, "k/kustomization.yaml": "resources: [../lfs.yaml]\n"})
    head = git.resolve(repository(), "HEAD")
    assert head
    for side in (sides.of_work_tree(repository()), sides.of_revision(repository(), head, str)):
        problems = side.read(["big.yaml", "lfs.yaml"]).problems

        assert side.contents(["big.yaml", "lfs.yaml"]) == {}
        assert [one.where for one in problems] == ["big.yaml", "lfs.yaml"]
        assert problems[1].message == "a pointer of Git LFS: the content of the file is missing"
        assert side.render("k").problems == (problems[1],)


def test_folders_that_cannot_be_listed_are_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "closed").mkdir()
    scan = os.scandir

    def deny(folder: str) -> object:
        if folder.endswith("closed"):
            raise PermissionError(13, "Permission denied", folder)
        return scan(folder)

    monkeypatch.setattr(os, "scandir", deny)
    (problem,) = sides.of_folder(str(tmp_path)).problems

    assert problem.message.endswith('closed" cannot be read: permission denied')


def test_files_outside_of_a_sparse_checkout_are_read_from_the_index(repo: Repo) -> None:
    repo.commit({"a/a.yaml": SETTINGS, "b/b.yaml": SETTINGS})
    repo.git("sparse-checkout", "set", "a")
    side = sides.of_work_tree(repository(), absent=not_checked_out(repository(), ()))

    assert side.paths == {"a/a.yaml", "b/b.yaml"}
    assert side.contents(["a/a.yaml", "b/b.yaml"]) == dict.fromkeys(("a/a.yaml", "b/b.yaml"), SETTINGS.encode())
    assert len(side.read(["a/a.yaml", "b/b.yaml"]).documents) == 2


def test_a_merge_that_is_not_decided_yet_can_be_read(repo: Repo) -> None:
    repo.commit({"a.yaml": SETTINGS})
    repo.git("checkout", "-q", "-b", "other")
    repo.commit({"a.yaml": SETTINGS.replace("settings", "theirs")})
    repo.git("checkout", "-q", "-")
    repo.commit({"a.yaml": SETTINGS.replace("settings", "ours")})
    with pytest.raises(AssertionError):
        repo.git("merge", "other")

    assert sides.of_work_tree(repository()).paths == {"a.yaml"}


def test_a_revision_has_its_own_files(repo: Repo) -> None:
    repo.commit({"a.yaml": SETTINGS, "b.yaml": "x: 1\n"})
    repo.write({"a.yaml": "changed"})
    head = git.resolve(repository(), "HEAD")
    assert head
    side = sides.of_revision(repository(), head, lambda path: f"HEAD:{path}")

    assert side.paths == {"a.yaml", "b.yaml"}
    assert side.mentioning(["ConfigMap"]) == {"a.yaml"}
    assert side.read(["a.yaml"]).documents[0].file == "HEAD:a.yaml"


def test_two_folders_differ_in_some_paths(tmp_path: Path) -> None:
    for name, files in {"before": {"a": "1", "b": "1", "c": "1"}, "after": {"a": "1", "b": "2", "d": "1"}}.items():
        (tmp_path / name).mkdir()
        for file, text in files.items():
            (tmp_path / name / file).write_text(text)

    before, after = (sides.of_folder(str(tmp_path / name)) for name in ("before", "after"))

    assert sides.differing(before, after) == {"b", "c", "d"}


def test_a_file_that_is_wanted_twice_is_read_once(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1")
    side = sides.of_folder(str(tmp_path))

    assert side.content("a") == b"1"
    (tmp_path / "a").write_text("2")

    assert side.contents(["a"]) == {"a": b"1"}
    assert sides.of_folder(str(tmp_path)).content("a") == b"2"


def test_cached_contents_have_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").write_text("12345")
    monkeypatch.setattr(sides, "_MOST_KEPT", 4)
    side = sides.of_folder(str(tmp_path))

    assert side.content("a") == b"12345"
    (tmp_path / "a").write_text("2")

    assert side.content("a") == b"2"


def test_a_file_is_read_from_the_disk_once(tmp_path: Path) -> None:
    (tmp_path / "web.yaml").write_text(SETTINGS)
    side = sides.of_folder(str(tmp_path))
    side.contents(["web.yaml"])
    (tmp_path / "web.yaml").write_text(SETTINGS.replace("settings", "other"))

    assert [document.ref.name for document in side.read(["web.yaml"]).documents] == ["settings"]
    assert [document.ref.name for document in sides.of_folder(str(tmp_path)).read(["web.yaml"]).documents] == ["other"]


def test_a_submodule_of_a_work_tree_is_known(repo: Repo, tmp_path: Path) -> None:
    library = create(tmp_path / "library")
    library.commit({"lib.yaml": SETTINGS})
    repo.commit({"a.yaml": SETTINGS})
    repo.git("submodule", "--quiet", "add", str(library.folder), "vendor/lib")
    side = sides.of_work_tree(repository())

    assert side.submodules == {"vendor/lib"}
    assert side.paths == {".gitmodules", "a.yaml"}


def test_texts_of_an_editor_replace_those_of_files(tmp_path: Path) -> None:
    names = ("a", "b", "kustomization")
    on_disk = {name: f"{SETTINGS}data: {{from: disk-{name}}}\n" for name in names[:2]}
    for name, text in {**on_disk, names[2]: "resources: [a.yaml]\n"}.items():
        (tmp_path / f"{name}.yaml").write_text(text)
    side = sides.of_folder(str(tmp_path))
    edited = sides.with_texts(side, {"a.yaml": SETTINGS.replace("settings", "edited").encode(), "new.yaml": b""})

    assert edited.paths == {*side.paths, "new.yaml"}
    found = edited.read(["new.yaml", "b.yaml", "a.yaml"]).documents
    assert [one.object["metadata"]["name"] for one in found] == ["settings", "edited"]
    assert edited.content("a.yaml") == edited.contents(["a.yaml", "b.yaml"])["a.yaml"] != side.content("a.yaml")
    assert edited.mentioning(["disk-a", "disk-b"]) == {"b.yaml"}
    assert edited.mentioning(["edited"]) == {"a.yaml"}
    assert side.read(["a.yaml"]).documents[0].object["data"] == {"from": "disk-a"}
