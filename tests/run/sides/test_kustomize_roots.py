"""Kustomizations on both sides of a change, on real repositories."""

import os
import shutil
from pathlib import Path

import pytest

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.run.compare.history import in_git
from kubectl_applylint.run.compare.live_source import source_of_base
from kubectl_applylint.run.load.run_input import RunInput, input_of_files
from kubectl_applylint.sources.render.remote_bases import use_bases
from tests.run.compare.test_history import settings, verdicts
from tests.sources.repositories import Repo, create

pytestmark = pytest.mark.slow  # git runs in every test

# It renders the files of one folder as they are, which is all that these tests need.
KUSTOMIZE = r"""#!/bin/sh
folder="$2/$(sed -n "s/^resources: \['\(.*\)'\]/\1/p" "$2/kustomization.yaml")"
for file in "$folder"/*.yaml; do
  case "$file" in */kustomization.yaml) ;; *) echo ---; cat "$file" ;; esac
done
[ ! -e "$folder/fails.txt" ] || { echo "Error: no luck in $folder" >&2; exit 1; }
"""
BEFORE = {
    "app/kustomization.yaml": "resources: [one.yaml]\n",
    "app/one.yaml": settings("one"),
    "other/kustomization.yaml": "resources: [two.yaml]\n",
    "other/two.yaml": settings("two"),
    "plain.yaml": settings("plain"),
}
REAL = {
    "base/kustomization.yaml": "resources: [one.yaml]\n",
    "base/one.yaml": settings("one"),
    "prod/kustomization.yaml": "resources: [../base]\nnamePrefix: prod-\npatches: [{path: patch.yaml}]\n",
    "prod/patch.yaml": settings("one", "prod"),
}


@pytest.fixture(name="bin")
def _bin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder with programs: git is there, and what renders is up to the test."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("git", "sh", "sed", "cat"):
        (folder / name).symlink_to(shutil.which(name) or "")
    monkeypatch.setenv("PATH", str(folder))
    return folder


def renders(folder: Path) -> None:
    (folder / "kustomize").write_text(KUSTOMIZE)
    (folder / "kustomize").chmod(0o755)


@pytest.fixture(name="repo")
def _repo(tmp_path: Path, bin: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    repo = create(tmp_path / "repo")
    repo.commit(BEFORE)
    monkeypatch.chdir(repo.folder)
    return repo


def run_input(text: str, *names: str, recursive: bool = False) -> RunInput:
    base = in_git(text, names, recursive=recursive)
    assert not isinstance(base, Problem), base
    return input_of_files(names, recursive=recursive, stdin=bytes, source=source_of_base(base))


def test_only_kustomizations_that_changed_are_rendered(repo: Repo, bin: Path) -> None:
    renders(bin)
    repo.write({"app/one.yaml": settings("one", "c"), "plain.yaml": settings("plain", "c")})
    found = run_input("HEAD")

    assert verdicts(found) == {"app/kustomization.yaml:1:1": "configured", "plain.yaml:1:1": "configured"}
    assert found.notes == ("skipped 1 unchanged kustomization",)


def test_a_named_one_is_rendered_on_both_sides(repo: Repo, bin: Path) -> None:
    renders(bin)
    repo.commit({"app/one.yaml": settings("one", "c")})
    repo.commit({"app/one.yaml": settings("one", "d")})
    work_tree, commits, alike = run_input("HEAD~2", "app"), run_input("HEAD~2..HEAD~1", "app"), run_input("HEAD", "app")

    assert [list(verdicts(found).values()) for found in (work_tree, commits, alike)] == [["configured"]] * 2 + [[]]
    assert work_tree.past[0].file == "HEAD~2:app/one.yaml"
    assert alike.notes == ("skipped 1 unchanged kustomization",)


def test_a_folder_that_becomes_one_was_files_before(repo: Repo, bin: Path) -> None:
    renders(bin)
    repo.commit({"late/one.yaml": settings("late")})
    repo.write({"late/kustomization.yaml": "resources: [one.yaml]\n", "late/one.yaml": settings("late", "c")})

    assert list(verdicts(run_input("HEAD", "late")).values()) == ["configured"]


def test_one_at_another_path_is_rendered_too(repo: Repo, bin: Path) -> None:
    renders(bin)
    repo.write({"copy/kustomization.yaml": "resources: [one.yaml]\n", "copy/one.yaml": settings("one", "c")})
    found = run_input("HEAD:app", "copy")

    assert verdicts(found) == {"copy/kustomization.yaml:1:1": "configured"}
    assert found.past[0].file == "HEAD:app/one.yaml"


def test_one_that_is_gone_leaves_its_objects(repo: Repo, bin: Path) -> None:
    renders(bin)
    repo.write({"app/kustomization.yaml": None, "app/one.yaml": None})

    assert verdicts(run_input("HEAD")) == {"HEAD:app/one.yaml:1:1": "kept"}


def test_one_that_could_not_be_rendered_before_leaves_doubt(repo: Repo, bin: Path) -> None:
    renders(bin)
    repo.commit({"app/fails.txt": "", "app/kustomization.yaml": "resources: [one.yaml, fails.txt]\n"})
    repo.write({"app/fails.txt": None, "app/kustomization.yaml": "resources: [one.yaml]\n"})
    found = run_input("HEAD", "app")
    (subject,) = found.subjects

    assert isinstance(subject.state.live, Unknown)
    assert subject.state.live.reason.endswith("could not be read completely: HEAD:app/kustomization.yaml")
    assert "HEAD:app/kustomization.yaml: it cannot be rendered: Error: no luck in HEAD:app" in " ".join(found.notes)


def test_without_a_program_their_files_are_taken_as_they_are(repo: Repo) -> None:
    repo.write({"app/one.yaml": settings("one", "c")})
    found = run_input("HEAD")

    assert verdicts(found) == {"app/one.yaml:1:1": "configured"}
    assert [(one.where, one.message.partition(";")[0]) for one in found.problems] == [
        ("app", "not rendered: neither kustomize nor kubectl was found on the PATH")
    ]


def test_one_that_refers_to_what_is_elsewhere_is_rendered_if_the_store_has_it(repo: Repo, bin: Path) -> None:
    renders(bin)
    repo.commit({"app/kustomization.yaml": "resources: [one.yaml, https://example.com/far.yaml]\n"})
    repo.write({"app/one.yaml": settings("one", "c")})
    found, named = run_input("HEAD"), run_input("HEAD", "app")
    with use_bases(lambda reference: {"file.yaml": settings("far", "a").encode()}):
        fetched = run_input("HEAD", "app")

    assert (verdicts(found), verdicts(named)) == (
        {"app/one.yaml:1:1": "configured"},
        {"app/one.yaml:1:1": "configured"},
    )
    assert [one.message for one in found.problems] == [
        "not rendered: resources[1]: https://example.com/far.yaml: it is not in the store; download it with"
        " applylint fetch; its files are checked unrendered"
    ]
    assert named.problems == ()
    assert [(one.path, one.change) for one in named.holes] == [("app/kustomization.yaml:1:23", "")]
    assert verdicts(fetched) == {"app/one.yaml:1:1": "configured"}


def test_those_that_files_are_asked_of_are_not_rendered(repo: Repo) -> None:
    repo.write({"app/one.yaml": settings("one", "c")})

    assert verdicts(run_input("HEAD", "app", recursive=True)) == {"app/one.yaml:1:1": "configured"}


@pytest.mark.cluster
def test_a_real_kubectl_renders_what_git_keeps(repo: Repo, bin: Path, kubectl: Path) -> None:
    os.symlink(kubectl, bin / "kubectl")
    repo.commit(REAL)
    repo.write({"prod/patch.yaml": settings("one", "better")})
    found = run_input("HEAD")

    assert verdicts(found) == {"base/one.yaml:1:1": "configured"}
    assert [(one.file, one.ref.name) for one in found.past] == [("HEAD:base/one.yaml", "prod-one")]


def blob(repo: Repo, text: str) -> str:
    (repo.folder / ".git" / "raw").write_text(text)
    return repo.git("hash-object", "-w", ".git/raw")


def test_a_tree_writes_nothing_outside_of_its_copy(repo: Repo, bin: Path, tmp_path: Path) -> None:
    renders(bin)
    victims = [tmp_path / "above.yaml", tmp_path / "absolute.yaml"]
    names = ["../" * 20 + str(victims[0]).lstrip("/"), str(victims[1])]
    files = f"generators: ['../{names[0]}', '{names[1]}']\nresources: [one.yaml]\n"
    app = {"kustomization.yaml": blob(repo, files), "one.yaml": blob(repo, settings("one", "x"))}
    evil = repo.git("commit-tree", "-m", "x", "-p", "HEAD", raw_tree(repo, app, names))
    found = run_input(f"HEAD..{evil}", "app")

    assert [victim.exists() for victim in victims] == [False, False]
    assert {one.message for one in found.problems} >= {
        "not a path inside the repository: it contains '..'",
        "not a path inside the repository: it is absolute",
    }


def raw_tree(repo: Repo, app: dict[str, str], names: list[str]) -> str:
    """Return the id of a tree with a folder ``app``, and files called so, whatever git thinks of them."""
    below = tree_of(repo, [("100644", name, id) for name, id in app.items()])
    content = blob(repo, settings("evil"))
    return tree_of(repo, [("40000", "app", below), *(("100644", name, content) for name in names)])


def tree_of(repo: Repo, entries: list[tuple[str, str, str]]) -> str:
    raw = b"".join(f"{mode} {name}\0".encode() + bytes.fromhex(id) for mode, name, id in entries)
    (repo.folder / ".git" / "raw").write_bytes(raw)
    return repo.git("hash-object", "-w", "--literally", "-t", "tree", ".git/raw")
