"""The files for GitHub Actions and GitLab CI: what they may, and what their scripts do in a real repository."""

import json
import os
import re
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from kubectl_applylint import __version__
from tests.hooks.planted import plant
from tests.tree import ROOT, copy_tree

GITHUB, GITLAB = (
    yaml.load((ROOT / "hooks" / name).read_text(encoding="utf-8"), yaml.BaseLoader)
    for name in ("github-actions.yml", "gitlab-ci.yml")
)
JOBS = {"github": GITHUB["jobs"]["applylint"], "gitlab": GITLAB["applylint"]}


def scripts(name: str) -> list[str]:
    """Return the lines that a runner types."""
    job = JOBS[name]
    return job["script"] if "script" in job else [step["run"] for step in job["steps"] if "run" in step]


def step(name: str) -> dict[str, Any]:
    """Return a step of the workflow."""
    found: dict[str, Any]
    (found,) = (one for one in JOBS["github"]["steps"] if one.get("name") == name)
    return found


def texts(value: Any) -> Iterator[str]:
    """Yield every scalar of a file."""
    match value:
        case dict():
            for item in value.values():
                yield from texts(item)
        case list():
            for item in value:
                yield from texts(item)
        case _:
            yield str(value)


def test_the_workflow_may_do_no_more_than_it_has_to() -> None:
    assert GITHUB["permissions"] == {}
    assert JOBS["github"]["permissions"] == {
        "contents": "read",
        "pull-requests": "write",
        "security-events": "write",
    }
    assert JOBS["github"]["steps"][0]["with"] == {"persist-credentials": "false", "fetch-depth": "0"}


def test_actions_are_pinned_to_commits() -> None:
    used = [step["uses"] for step in JOBS["github"]["steps"] if "uses" in step]

    assert len(used) == 5
    assert [name for name in used if not re.fullmatch(r"[\w.-]+(/[\w.-]+)+@[0-9a-f]{40}", name)] == []


def test_the_sarif_file_is_uploaded_even_if_the_check_fails() -> None:
    upload = JOBS["github"]["steps"][-1]

    assert "!cancelled()" in upload["if"]
    assert upload["with"]["sarif_file"] == "${{ runner.temp }}/applylint.sarif"
    assert '-o sarif="$RUNNER_TEMP/applylint.sarif"' in step("Check")["run"]


def test_the_reports_of_gitlab_are_those_that_the_script_writes() -> None:
    artifacts = JOBS["gitlab"]["artifacts"]

    assert artifacts["when"] == "always"
    assert artifacts["reports"]["codequality"] == "applylint-reports/gl-code-quality-report.json"
    assert artifacts["paths"] == ["applylint-reports/"]
    for output in ("gitlab", "sarif"):
        assert f'-o {output}="$CI_PROJECT_DIR.tmp/' in scripts("gitlab")[-1]


@pytest.mark.parametrize("name", JOBS)
def test_this_version_is_installed_and_no_cluster_or_secret_is_used(name: str) -> None:
    every = " ".join(texts(JOBS[name]))

    assert f"git+REPOSITORY@v{__version__}" in every
    assert '--against "$BASE' in every
    assert not re.search(r"secrets\.|kubeconfig", every)


ORDER = ("fetch", "plan", "check")


@pytest.mark.parametrize("name", ["github-actions", "github-actions-matrix", "gitlab-ci", "gitlab-ci-parallel"])
def test_python_imports_nothing_from_the_checkout(name: str) -> None:
    text = (ROOT / "hooks" / f"{name}.yml").read_text(encoding="utf-8")

    assert re.findall(r"python (?!-I )\S+", text) == []
    assert re.findall(r"-o \w+=(?!\"\$(?:RUNNER_TEMP|CI_PROJECT_DIR\.tmp)/)\S+", text) == []


@pytest.mark.parametrize("name", JOBS)
def test_charts_are_fetched_before_they_are_needed(name: str) -> None:
    lines = "\n".join(scripts(name)).splitlines()
    first = {word: next(number for number, line in enumerate(lines) if f"applylint {word} " in line) for word in ORDER}

    assert sorted(first, key=lambda word: first[word]) == list(ORDER)


def test_only_the_comment_has_the_token_of_the_job() -> None:
    with_token = [one["name"] for one in JOBS["github"]["steps"] if "token" in str(one.get("env", {}))]

    assert with_token == ["Comment"]
    assert "TOKEN" not in " ".join(scripts("gitlab"))


@pytest.fixture(name="wheels", scope="module")
def _wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with wheels of this tree and of what it needs."""
    source, wheels = copy_tree(tmp_path_factory.mktemp("source")), tmp_path_factory.mktemp("wheels")
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--wheel-dir", str(wheels), str(source)]
    subprocess.run(pip, check=True)
    return wheels


@pytest.fixture(name="repository")
def _repository(tmp_path: Path) -> Path:
    """Return a git repository with manifests, one of them bad, and the CI files where they belong."""
    repository = tmp_path / "repository"
    shutil.copytree(ROOT / "examples" / "shop", repository / "deploy")
    bad = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {}}\n"
    (repository / "deploy" / "bad.yaml").write_text(bad)
    (repository / ".github" / "workflows").mkdir(parents=True)
    shutil.copy(ROOT / "hooks" / "github-actions.yml", repository / ".github" / "workflows" / "applylint.yml")
    shutil.copy(ROOT / "hooks" / "gitlab-ci.yml", repository / ".gitlab-ci.yml")
    plant(repository)
    for command in ("init -q", "add -A", "-c user.name=t -c user.email=t@example.com commit -q -m x"):
        subprocess.run(["git", *command.split()], cwd=repository, check=True)
    return repository


@pytest.mark.early(60)
@pytest.mark.cluster  # It needs a package registry for the wheels, which CI has.
@pytest.mark.parametrize(
    ("name", "shown"),
    [("github", "::error file=deploy/bad.yaml,line=4,"), ("gitlab", "deploy/bad.yaml:4:1: error: ")],
)
def test_the_script_runs_in_a_repository(name: str, shown: str, wheels: Path, repository: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "venv", with_pip=True)
    path = os.pathsep.join([str(tmp_path / "venv" / "bin"), os.environ["PATH"]])
    nothing, summary = "0" * 40, tmp_path / "summary.md"
    event = {
        "BASE": nothing,
        "GITHUB_STEP_SUMMARY": str(summary),
        "GITHUB_ENV": str(tmp_path / "environment"),
        "GITHUB_OUTPUT": str(tmp_path / "outputs"),
        "APPLYLINT_CACHE_DIR": str(tmp_path / "applylint"),
        "RUNNER_TEMP": str(tmp_path),
        "COMMIT": "0a1b2c3",
        "GITHUB_SERVER_URL": "https://github.example",
        "GITHUB_REPOSITORY": "team/deploy",
        "GITHUB_RUN_ID": "33",
        "CI_COMMIT_BEFORE_SHA": nothing,
        "CI_PROJECT_DIR": str(repository),
        "CI_COMMIT_SHA": "0a1b2c3",
        "CI_JOB_URL": "https://git.example/team/deploy/-/jobs/33",
    }
    offline = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheels), "GITHUB_ACTIONS": "true", "CI": "true"}
    offline["PIP_NO_COMPILE"] = os.environ["PIP_NO_COMPILE"]

    # GitHub gives each step a shell of its own, GitLab one to all lines and one to those that come after.
    # The wheels are installed in place of what the address of the repository has.
    address = f" @ git+REPOSITORY@v{__version__}"
    typed = [line.replace(address, "") for line in scripts(name)]
    lines = typed if name == "github" else ["\n".join(typed), "\n".join(JOBS[name]["after_script"])]
    done = [
        subprocess.run(
            ["bash", "-e", "-c", each],
            cwd=repository,
            env={"PATH": path, "HOME": str(tmp_path), **offline, **event},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        for each in lines
    ]

    # A symlink out of the repository with the name of a manifest is a problem: 3, not 1.
    assert [one.returncode for one in done] == ([0, 0, 0, 3, 3, 0, 0] if name == "github" else [3, 0]), done
    assert shown in done[4 if name == "github" else 0].stdout
    assert not any("PWNED" in one.stdout + one.stderr for one in done)
    assert not (tmp_path / "outside").exists()
    reports = tmp_path if name == "github" else repository / "applylint-reports"
    log = json.loads((reports / "applylint.sarif").read_text(encoding="utf-8"))
    assert "deploy/bad.yaml" in {
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in log["runs"][0]["results"]
    }
    if name == "github":
        assert "### applylint plan (incomplete): " in summary.read_text(encoding="utf-8")
    if name == "gitlab":
        assert "### applylint plan (incomplete): " in (reports / "applylint.md").read_text(encoding="utf-8")
        entries = json.loads((reports / "gl-code-quality-report.json").read_text(encoding="utf-8"))
        assert "deploy/bad.yaml" in {entry["location"]["path"] for entry in entries}
