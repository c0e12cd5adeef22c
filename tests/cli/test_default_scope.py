"""Without paths the current folder is examined, and in a plan the changes of the branch or the work tree."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from kubectl_applylint.cli import applylint
from tests.cli.conftest import CONFIG_MAP
from tests.sources.repositories import Repo

Run = Callable[..., tuple[int, str, str]]
CHANGED = CONFIG_MAP.replace("a: b", "a: c")


@pytest.fixture(name="run")
def _run(repo: Repo, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs ``applylint`` in an empty repository."""
    assert repo

    def run(*argv: str) -> tuple[int, str, str]:
        code = applylint(argv)
        return code, *capsys.readouterr()

    return run


def scope(err: str) -> str:
    return err.partition("\n")[0]


def verdicts(out: str) -> list[str]:
    return [one["verdict"] for one in json.loads(out)["objects"]]


@pytest.mark.parametrize("words", [(), ("--against", "none")])
def test_a_check_examines_the_current_folder(repo: Repo, run: Run, words: tuple[str, ...]) -> None:
    repo.write({"settings.yaml": CONFIG_MAP.replace("data", "stringData")})

    code, out, _ = run("check", *words, "-o", "json")

    assert (code, [one["location"]["file"] for one in json.loads(out)["findings"]]) == (1, ["settings.yaml"])


def test_a_plan_shows_what_the_work_tree_changes(repo: Repo, run: Run) -> None:
    repo.commit({"settings.yaml": CONFIG_MAP})
    repo.write({"settings.yaml": CHANGED})

    code, out, err = run("plan", "-o", "json")

    assert (code, verdicts(out)) == (0, ["configured"])
    assert scope(err) == "applylint: showing what the work tree changes: plan . --against HEAD"


def test_a_plan_shows_what_a_new_file_creates(repo: Repo, run: Run) -> None:
    repo.commit({"settings.yaml": CONFIG_MAP})
    repo.write({"more.yaml": CONFIG_MAP.replace("settings", "more")})

    assert verdicts(run("plan", "-o", "json")[1]) == ["created"]


def test_a_plan_of_a_clean_branch_shows_what_it_changes(repo: Repo, run: Run) -> None:
    repo.commit({"settings.yaml": CONFIG_MAP})
    repo.git("branch", "--move", "main")
    repo.git("switch", "--quiet", "--create", "topic")
    repo.commit({"settings.yaml": CHANGED})
    repo.write({"notes.txt": "an untracked file that is no manifest"})

    code, out, err = run("plan", "-o", "json")

    assert (code, verdicts(out)) == (0, ["configured"])
    assert scope(err) == "applylint: showing what the branch changes: plan . --against main..."


def test_a_plan_without_own_changes_shows_the_last_commit(repo: Repo, run: Run) -> None:
    repo.commit({"settings.yaml": CONFIG_MAP})
    repo.commit({"settings.yaml": CHANGED})

    code, out, err = run("plan", "-o", "json")

    assert (code, verdicts(out)) == (0, ["configured"])
    assert scope(err) == "applylint: showing what the last commit changes: plan . --against HEAD~1"


def test_a_plan_outside_of_a_repository_is_a_fresh_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "settings.yaml").write_text(CONFIG_MAP)
    monkeypatch.chdir(tmp_path / "new")

    assert verdicts(run("plan", "-o", "json")[1]) == ["created"]


def test_files_and_states_that_are_named_stay(repo: Repo, run: Run) -> None:
    repo.commit({"settings.yaml": CONFIG_MAP, "other.yaml": CONFIG_MAP.replace("settings", "other")})

    assert verdicts(run("plan", "other.yaml", "-o", "json")[1]) == ["created"]
    assert run("plan", "--against", "HEAD", "-o", "json")[0] == 0
