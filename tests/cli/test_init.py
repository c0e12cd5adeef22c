"""``init`` proposes a configuration for a repository and writes it."""

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from kubectl_applylint.cli.init import RepositoryFiles, proposals
from kubectl_applylint.config.configuration import load
from tests.readme import README, ROOT

Run = Callable[..., tuple[int, str, str]]
HOOKS, GITLAB = ".pre-commit-config.yaml", ".gitlab-ci.yml"
GITHUB = ".github/workflows/applylint.yml"
AZURE, BITBUCKET = "azure-pipelines.yml", "bitbucket-pipelines.yml"


def list_proposals(found: RepositoryFiles) -> list[tuple[str, str, bool]]:
    return [(one.file, one.text, one.is_new) for one in proposals(found, lambda name: f"repos:\n{name}\n")]


def files(found: RepositoryFiles) -> list[str]:
    return [file for file, _, _ in list_proposals(found)]


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (RepositoryFiles({}), [HOOKS, ".applylint.yaml"]),
        (RepositoryFiles({HOOKS: "id: applylint"}, is_configured=True), []),
        (RepositoryFiles({}, folders=[".github"]), [HOOKS, GITHUB, ".applylint.yaml"]),
        (RepositoryFiles({}, remotes=["git@github.com:a/b.git"]), [HOOKS, GITHUB, ".applylint.yaml"]),
        (RepositoryFiles({GITHUB: ""}, folders=[".github"]), [HOOKS, ".applylint.yaml"]),
        (RepositoryFiles({".github/workflows/x.yml": "applylint"}, folders=[".github"]), [HOOKS, ".applylint.yaml"]),
        (RepositoryFiles({}, folders=[".gitea"]), [HOOKS, ".gitea/workflows/applylint.yml", ".applylint.yaml"]),
        (RepositoryFiles({}, remotes=["https://gitlab.com/a/b"]), [HOOKS, GITLAB, ".applylint.yaml"]),
        (RepositoryFiles({}, remotes=["git@ssh.dev.azure.com:v3/a/b"]), [HOOKS, AZURE, ".applylint.yaml"]),
        (RepositoryFiles({AZURE: "trigger: none"}), [HOOKS, AZURE, ".applylint.yaml"]),
        (RepositoryFiles({AZURE: "script: applylint plan"}), [HOOKS, ".applylint.yaml"]),
        (RepositoryFiles({}, remotes=["https://bitbucket.org/a/b"]), [HOOKS, BITBUCKET, ".applylint.yaml"]),
        (RepositoryFiles({GITLAB: "a: {}"}), [HOOKS, ".gitlab/applylint.yml", GITLAB, ".applylint.yaml"]),
        (RepositoryFiles({GITLAB: "a: {}", ".gitlab/applylint.yml": ""}), [HOOKS, GITLAB, ".applylint.yaml"]),
        (RepositoryFiles({GITLAB: "include: .gitlab/applylint.yml"}), [HOOKS, ".applylint.yaml"]),
    ],
)
def test_only_what_is_missing_is_proposed(found: RepositoryFiles, expected: list[str]) -> None:
    assert files(found) == expected


def test_existing_files_get_lines_to_add() -> None:
    found = RepositoryFiles({HOOKS: "repos: []", GITLAB: "a: {}"}, is_configured=True)

    assert list_proposals(found) == [
        (HOOKS, "pre-commit-config.yml\n", False),
        (".gitlab/applylint.yml", "repos:\ngitlab-ci.yml\n", True),
        (GITLAB, "include:\n  - local: .gitlab/applylint.yml\n", False),
    ]


def test_nothing_is_written_without_the_flag(run: Run, folder: Path) -> None:
    (folder / ".github").mkdir()
    (folder / HOOKS).write_text("repos: []\n")
    before = sorted(folder.rglob("*"))

    code, out, err = run("init")

    assert code == 0
    assert f"# {HOOKS} exists; add to it:\n  - repo: " in out
    assert f"# {GITHUB}\n# Predicts what merging" in out
    assert f"applylint: nothing was written; --write creates {GITHUB}, .applylint.yaml\n" in err
    assert sorted(folder.rglob("*")) == before


def test_new_files_are_written_and_existing_ones_stay(run: Run, folder: Path) -> None:
    (folder / ".github").mkdir()
    (folder / HOOKS).write_text("repos: []\n")

    code, _, err = run("init", "--write")

    assert code == 0
    assert f"applylint: written: {GITHUB}, .applylint.yaml\n" in err
    assert (folder / HOOKS).read_text() == "repos: []\n"
    assert (folder / GITHUB).read_text() == (ROOT / "hooks/github-actions.yml").read_text()
    assert load({}, {}, folder).require_reason
    assert run("init", "--write")[1].startswith(f"# {HOOKS} exists; add to it:\n")
    (folder / HOOKS).write_text("- id: applylint-changed\n")
    assert "nothing to propose" in run("init", "--write")[2]


def test_no_symlink_leads_a_file_out_of_the_repository(
    run: Run, folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (folder / ".github").symlink_to(outside)

    code, _, err = run("init", "--write")

    assert code == 2
    assert f"applylint: {GITHUB}: is outside the repository; nothing is written\n" in err
    assert list(outside.iterdir()) == []
    assert not (folder / ".applylint.yaml").exists()


def test_the_hook_is_the_one_of_the_readme() -> None:
    text = (ROOT / "hooks/pre-commit-config.yml").read_text(encoding="utf-8")
    known = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))

    assert f"```yaml\n{text}```\n" in README.read_text(encoding="utf-8")
    assert {hook["id"] for hook in yaml.safe_load(text)["repos"][0]["hooks"]} <= {hook["id"] for hook in known}


def test_the_proposed_workflow_of_forgejo_uses_inputs_of_the_action() -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    job = yaml.safe_load((ROOT / "hooks/forgejo-actions.yml").read_text(encoding="utf-8"))["jobs"]["applylint"]

    assert job["steps"][-1]["with"].keys() <= action["inputs"].keys()
