"""Every way in which files of a repository change, on real repositories."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from kubectl_applylint.core.outcome import Verdict
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.lint.model import Scenario
from kubectl_applylint.run.compare import history
from kubectl_applylint.run.compare.base import Base
from kubectl_applylint.run.compare.history import in_git
from kubectl_applylint.run.compare.live_source import source_of_base
from kubectl_applylint.run.load.run_input import RunInput, input_of_files
from tests.run.load.test_run_input import DEFINITION, LAMP
from tests.sources.repositories import Repo, create

pytestmark = pytest.mark.slow  # git runs in every test

BROKEN = "apiVersion: v1\nkind: [\n"


def settings(name: str = "settings", value: str = "b", end: str = "\n") -> str:
    lines = ("apiVersion: v1", "kind: ConfigMap", f"metadata: {{name: {name}}}", "data:", f"  a: {value}", "")
    return end.join(lines)


BEFORE = {f"deploy/{name}.yaml": settings(name) for name in ("one", "two", "three")}


@pytest.fixture(name="repo")
def _repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"):
        monkeypatch.delenv(name, raising=False)
    repo = create(tmp_path / "repo")
    repo.commit(BEFORE)
    monkeypatch.chdir(repo.folder)
    return repo


def base_of(text: str, *names: str, recursive: bool = False) -> Base:
    found = in_git(text, names, recursive=recursive)
    assert isinstance(found, Base), found
    return found


def run_input(text: str, *names: str, stdin: str = "", recursive: bool = False) -> RunInput:
    known = source_of_base(base_of(text, *names, recursive=recursive))
    return input_of_files(names, recursive=recursive, stdin=stdin.encode, source=known)


def verdicts(found: RunInput) -> Mapping[str, str]:
    """Return the verdict of each examined object by its place."""
    predicted = {str(s.document.locate(())): s.predict(Scenario.APPLY).verdict for s in found.subjects}
    left = {str(document.locate(())): outcome.verdict for document, outcome in found.unapplied_outcomes}
    return {place: verdict.value for place, verdict in {**predicted, **left}.items()}


def test_only_files_that_changed_are_looked_into(repo: Repo) -> None:
    repo.write({"deploy/one.yaml": settings("one", "c")})

    assert verdicts(run_input("HEAD")) == {"deploy/one.yaml:1:1": "configured"}
    assert verdicts(run_input("HEAD", "deploy")) == {"deploy/one.yaml:1:1": "configured"}
    assert verdicts(run_input("HEAD", "deploy/one.yaml", "deploy/two.yaml")) == {"deploy/one.yaml:1:1": "configured"}
    assert run_input("HEAD").notes == ("skipped 2 unchanged files",)


def test_kinds_that_unchanged_files_define_are_known(repo: Repo) -> None:
    repo.commit({"crds/lamp.json": json.dumps(DEFINITION), "lamp.yaml": LAMP})
    repo.write({"lamp.yaml": LAMP.replace("name: lamp", "name: other")})
    (subject,) = run_input("HEAD", "lamp.yaml").subjects

    assert subject.kind is not None
    assert run_input("HEAD~1..HEAD").notes == ("skipped 3 unchanged files",)


def test_without_a_change_there_is_nothing_to_look_at(repo: Repo) -> None:
    found = run_input("HEAD")

    assert (verdicts(found), found.problems) == ({}, ())


def test_a_new_file_counts_before_git_tracks_it(repo: Repo) -> None:
    repo.write({"new.yaml": settings("new"), ".gitignore": "ignored.yaml\n", "ignored.yaml": settings("ignored")})

    assert verdicts(run_input("HEAD")) == {"new.yaml:1:1": "created"}


def test_a_rewritten_file_with_the_same_content_changes_nothing(repo: Repo) -> None:
    repo.write({"deploy/one.yaml": settings("one")})

    assert set(verdicts(run_input("HEAD")).values()) <= {"unchanged"}


@pytest.mark.parametrize("names", [(), ("deploy",), (".",)], ids=["all", "its folder", "from above"])
def test_the_objects_of_a_deleted_file_stay(repo: Repo, names: tuple[str, ...]) -> None:
    repo.write({"deploy/one.yaml": None})

    assert verdicts(run_input("HEAD", *names, recursive=True)) == {"HEAD:deploy/one.yaml:1:1": "kept"}


def test_removed_files_of_a_subfolder_matter_only_with_recursion(repo: Repo) -> None:
    repo.write({"deploy/one.yaml": None, "new.yaml": settings("new")})

    assert verdicts(run_input("HEAD", ".")) == {"new.yaml:1:1": "created"}


@pytest.mark.parametrize("names", [(), ("moved/one.yaml",)], ids=["all", "the new file"])
def test_an_object_that_moved_to_another_file_is_the_same_object(repo: Repo, names: tuple[str, ...]) -> None:
    (repo.folder / "moved").mkdir()
    repo.git("mv", "deploy/one.yaml", "moved/one.yaml")

    assert verdicts(run_input("HEAD", *names)) == {"moved/one.yaml:1:1": "unchanged"}


def test_a_renamed_object_is_a_new_one_and_the_old_one_stays(repo: Repo) -> None:
    repo.write({"deploy/one.yaml": settings("uno")})
    found = run_input("HEAD")

    assert verdicts(found) == {"deploy/one.yaml:1:1": "created", "HEAD:deploy/one.yaml:1:1": "kept"}
    assert [old.name for old in found.renamed.values()] == ["one"]


def test_staged_files_are_compared_with_the_last_commit(repo: Repo) -> None:
    repo.write({"deploy/one.yaml": settings("one", "staged")})
    repo.git("add", "-A")
    repo.write({"deploy/one.yaml": settings("one", "later"), "deploy/two.yaml": settings("two", "later")})
    found = run_input("HEAD..index")

    assert [subject.manifest["data"] for subject in found.subjects] == [{"a": "staged"}]
    assert verdicts(found) == {"deploy/one.yaml:1:1": "configured"}
    assert set(verdicts(run_input("index"))) == {"deploy/one.yaml:1:1", "deploy/two.yaml:1:1"}


def test_a_file_deleted_in_the_index_is_gone(repo: Repo) -> None:
    repo.git("rm", "-q", "--cached", "deploy/one.yaml")

    assert verdicts(run_input("HEAD..index")) == {"HEAD:deploy/one.yaml:1:1": "kept"}


def test_a_comparison_of_two_commits_ignores_the_work_tree(repo: Repo) -> None:
    repo.commit({"deploy/one.yaml": settings("one", "c")})
    repo.write({"deploy/one.yaml": None, "deploy/two.yaml": BROKEN})

    assert verdicts(run_input("HEAD~1..HEAD")) == {"deploy/one.yaml:1:1": "configured"}


def test_names_are_relative_to_the_current_folder(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.write({"deploy/one.yaml": settings("one", "c"), "elsewhere.yaml": settings("elsewhere")})
    monkeypatch.chdir(repo.folder / "deploy")

    assert verdicts(run_input("HEAD")) == {"one.yaml:1:1": "configured"}
    assert verdicts(run_input("HEAD", "one.yaml")) == {"one.yaml:1:1": "configured"}


def test_another_path_of_a_revision_is_compared_object_by_object(repo: Repo) -> None:
    repo.write({"prod/all.yaml": settings("one", "c")})

    assert verdicts(run_input("HEAD:deploy/one.yaml", "prod/all.yaml")) == {"prod/all.yaml:1:1": "configured"}
    assert set(verdicts(run_input("HEAD:deploy", "prod"))) == {
        "prod/all.yaml:1:1",
        "HEAD:deploy/two.yaml:1:1",
        "HEAD:deploy/three.yaml:1:1",
    }


def test_a_path_missing_in_a_revision_is_a_problem(repo: Repo) -> None:
    found = in_git("HEAD:gone", ["deploy"], recursive=False)

    assert isinstance(found, Problem)
    assert (found.where, found.message[-12:]) == ("HEAD:gone", " has no gone")


def test_a_shallow_clone_is_a_problem_with_the_command_that_helps(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit({})
    clone = repo.clone(tmp_path / "clone", "--depth=1")
    monkeypatch.chdir(clone.folder)

    assert in_git("HEAD~1", (), recursive=False) == Problem(
        "HEAD~1", "the clone is shallow: HEAD~1 is missing", "git fetch --deepen=1 origin"
    )


def test_outside_of_a_repository_there_is_no_revision(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    assert isinstance(in_git("HEAD", (), recursive=False), Problem)


def test_a_broken_repository_is_a_problem(repo: Repo) -> None:
    (repo.folder / ".git" / "index").write_text("broken")
    found = in_git("HEAD..index", (), recursive=False)

    assert isinstance(found, Problem)
    assert found.message.startswith("git failed: ")


def test_a_detached_head_is_compared_like_any(repo: Repo) -> None:
    repo.commit({"deploy/one.yaml": settings("one", "c")})
    repo.git("checkout", "-q", "--detach", "HEAD")

    assert verdicts(run_input("main~1")) == {"deploy/one.yaml:1:1": "configured"}


def test_a_merge_brings_what_the_branch_has_changed(repo: Repo) -> None:
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit({"deploy/one.yaml": settings("one", "topic")})
    repo.git("checkout", "-q", "main")
    repo.commit({"deploy/two.yaml": settings("two", "main")})
    repo.git("merge", "-q", "--no-ff", "-m", "x", "topic")

    assert verdicts(run_input("HEAD^1")) == {"deploy/one.yaml:1:1": "configured"}
    assert verdicts(run_input("HEAD^2")) == {"deploy/two.yaml:1:1": "configured"}


def test_the_first_commit_makes_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    new = create(tmp_path / "new")
    new.write({"one.yaml": settings("one")})
    new.git("add", "-A")
    monkeypatch.chdir(new.folder)

    assert verdicts(run_input("HEAD..index")) == {"one.yaml:1:1": "created"}


@pytest.fixture(name="with_module")
def _with_module(repo: Repo, tmp_path: Path) -> Repo:
    """The repository with another one as the submodule vendor/lib."""
    library = create(tmp_path / "library")
    library.commit({"lib.yaml": settings("lib")})
    repo.git("submodule", "--quiet", "add", str(library.folder), "vendor/lib")
    repo.commit({})
    return repo


def test_a_submodule_that_stays_at_its_commit_did_not_change(with_module: Repo) -> None:
    assert verdicts(run_input("HEAD", ".", recursive=True)) == {}
    assert verdicts(run_input("HEAD")) == {}


def test_the_earlier_state_of_a_submodule_is_not_known(with_module: Repo) -> None:
    (with_module.folder / "vendor/lib/lib.yaml").write_text(settings("lib", "c"))
    found = run_input("HEAD", "vendor/lib")
    (subject,) = found.subjects

    assert subject.state.live == Unknown("the submodule vendor/lib changed, and its files are not compared")
    assert "the submodule vendor/lib changed, and its files are not compared" in found.notes


def test_a_link_changes_with_what_it_leads_to(repo: Repo) -> None:
    (repo.folder / "prod").mkdir()
    (repo.folder / "prod" / "one.yaml").symlink_to("../deploy/one.yaml")
    repo.commit({})
    assert verdicts(run_input("HEAD", "prod")) == {}

    repo.write({"deploy/one.yaml": settings("one", "c")})

    assert verdicts(run_input("HEAD", "prod")) == {"prod/one.yaml:1:1": "configured"}


def test_a_link_that_leads_out_of_the_repository_leaves_doubt(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "outside.yaml").write_text(settings("outside"))
    (repo.folder / "deploy" / "link.yaml").symlink_to(tmp_path / "outside.yaml")
    repo.commit({})
    found = run_input("HEAD", "deploy")
    (subject,) = found.subjects

    assert isinstance(subject.state.live, Unknown)
    assert subject.state.live.reason.endswith("could not be read completely: HEAD:deploy/link.yaml")
    assert "a symlink that leads to no file of the repository" in " ".join(found.notes)


@pytest.mark.parametrize("autocrlf", ["true", "false"])
def test_line_ends_alone_change_nothing(repo: Repo, autocrlf: str) -> None:
    repo.git("config", "core.autocrlf", autocrlf)
    repo.write({"deploy/one.yaml": settings("one", end="\r\n")})

    assert set(verdicts(run_input("HEAD")).values()) <= {"unchanged"}


def test_a_name_may_have_letters_of_any_language(repo: Repo) -> None:
    repo.commit({"läden/größe „1“.yaml": settings("one-more")})
    repo.write({"läden/größe „1“.yaml": settings("one-more", "ü")})

    assert verdicts(run_input("HEAD")) == {"läden/größe „1“.yaml:1:1": "configured"}


def test_an_earlier_file_that_does_not_parse_leaves_its_objects_unknown(repo: Repo) -> None:
    repo.commit({"deploy/one.yaml": BROKEN})
    repo.write({"deploy/one.yaml": settings("one"), "deploy/two.yaml": settings("two", "c")})
    found = run_input("HEAD")
    states = {subject.ref.name: subject.state.live for subject in found.subjects}

    assert found.problems == ()
    assert isinstance(states["one"], Unknown)
    assert states["one"].reason.endswith("could not be read completely: HEAD:deploy/one.yaml:3:1")
    assert any(note.startswith(f"{states['one'].reason}: error parsing the file") for note in found.notes)
    assert verdicts(found)["deploy/two.yaml:1:1"] == Verdict.CONFIGURED


def test_standard_input_has_no_earlier_revision(repo: Repo) -> None:
    (subject,) = run_input("HEAD", "-", stdin=settings("one")).subjects

    assert isinstance(subject.state.live, Unknown)
    assert "nothing to compare stdin with" in subject.state.live.reason


def test_a_file_of_no_repository_has_no_earlier_revision(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "outside.yaml").write_text(settings("outside"))
    (subject,) = run_input("HEAD", str(tmp_path / "outside.yaml")).subjects

    assert isinstance(subject.state.live, Unknown)
    assert "which is outside this repository" in subject.state.live.reason


def test_patches_of_a_kustomization_are_no_objects(repo: Repo) -> None:
    repo.commit({"deploy/kustomization.yaml": "patches:\n- path: one.yaml\n"})
    repo.write({"deploy/one.yaml": settings("one", "c"), "deploy/two.yaml": settings("two", "c")})

    assert verdicts(run_input("HEAD")) == {"deploy/two.yaml:1:1": "configured"}
    assert [document.ref.name for document in base_of("HEAD").given.documents] == ["two"]


def test_unchanged_files_are_read_where_they_have_to_do_with_what_changed(repo: Repo) -> None:
    web = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  template:\n    metadata:\n"
    service = "apiVersion: v1\nkind: Service\nmetadata: {name: %s}\nspec: {selector: {app: %s}}\n"
    repo.commit(
        {
            "far/service.yaml": service % ("front", "web"),
            "near/web.yaml": f"{web}      labels: {{app: web}}\n",
            "near/service.yaml": service % ("front", "web"),
            "near/other.yaml": service % ("other", "web-2"),
            "near/config.yaml": settings("web"),
        }
    )
    repo.write({"near/web.yaml": f"{web}      labels: {{app: site}}\n"})
    (subject,) = run_input("HEAD").subjects

    assert [str(peer.locate(())) for peer in subject.peers] == ["near/service.yaml:1:1"]
    assert [str(peer.locate(())) for peer in run_input("HEAD", "near").subjects[0].peers] == ["near/service.yaml:1:1"]
    assert list(run_input("HEAD", "near/web.yaml").subjects[0].peers) == []


def steps(text: str, *names: str) -> list[tuple[str, list[str]]]:
    """Return the commits in between without their ids, with the places of what they hold."""
    found = in_git(text, names, recursive=False, every_commit=True)
    assert isinstance(found, Base), found
    return [
        (step.name.partition(" ")[2], [document.file.partition(":")[2] for document in step.given.documents])
        for step in found.steps()
    ]


def test_commits_in_between_hold_the_files_that_any_of_them_changes(repo: Repo) -> None:
    repo.commit({"deploy/one.yaml": settings("one", "c"), "deploy/new.yaml": settings("new")})
    repo.commit({"deploy/one.yaml": settings("one"), "deploy/new.yaml": None})
    repo.commit({"deploy/three.yaml": settings("three", "d")})
    one, three, new = "deploy/one.yaml", "deploy/three.yaml", "deploy/new.yaml"

    assert steps("HEAD~3") == [("x", [new, one, three]), ("x", [one, three]), ("x", [one, three])]
    assert steps("HEAD~3..HEAD", one) == [("x", [one]), ("x", [one])]
    assert [document.file for document in base_of("HEAD~3").given.documents] == ["HEAD~3:deploy/three.yaml"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        pytest.param("index", "there are no commits between it and the later side", id="the index"),
        pytest.param("HEAD~2", "there are 2 commits in between, more than 1", id="too many"),
    ],
)
def test_too_few_or_too_many_commits_are_a_problem(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, text: str, complaint: str
) -> None:
    monkeypatch.setattr(history, "_MOST_COMMITS", 1)
    repo.commit({})
    repo.commit({})
    found = in_git(text, (), recursive=False, every_commit=True)

    assert isinstance(found, Problem)
    assert found.message == complaint


def test_a_word_in_very_many_files_distinguishes_none(repo: Repo) -> None:
    service = "apiVersion: v1\nkind: Service\nmetadata: {name: s%d}\nspec: {selector: {team: shop}}\n"
    pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: web, labels: {team: shop, %s}}\n"
    repo.commit({**{f"s{n}.yaml": service % n for n in range(51)}, "web.yaml": pod % "a: b"})
    repo.write({"web.yaml": pod % "a: c"})

    assert list(run_input("HEAD").subjects[0].peers) == []


def test_an_object_that_another_file_still_has_has_not_left(repo: Repo) -> None:
    repo.commit({"staging/one.yaml": settings("both"), "live/one.yaml": settings("both")})
    repo.write({"staging/one.yaml": None})

    assert verdicts(run_input("HEAD")) == {}
    assert verdicts(run_input("HEAD", "staging")) == {"HEAD:staging/one.yaml:1:1": "kept"}
