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
from tests.tree import ROOT, copy_tree

GITHUB, GITLAB = (
    yaml.load((ROOT / "hooks" / name).read_text(encoding="utf-8"), yaml.BaseLoader)
    for name in ("github-actions.yml", "gitlab-ci.yml")
)
SCALED = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: scaled, namespace: shop}
spec:
  replicas: 3
  selector: {matchLabels: {app: scaled}}
  template:
    metadata: {labels: {app: scaled}}
    spec: {containers: [{name: web, image: "web:1.0"}]}
"""
JOBS = {"github": GITHUB["jobs"]["applylint"], "gitlab": GITLAB["applylint"]}


def scripts(name: str) -> list[str]:
    """Return the lines that a runner types."""
    job = JOBS[name]
    return job["script"] if "script" in job else [step["run"] for step in job["steps"] if "run" in step]


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
    assert JOBS["github"]["permissions"] == {"contents": "read", "security-events": "write"}
    assert JOBS["github"]["steps"][0]["with"] == {"persist-credentials": "false", "fetch-depth": "0"}


def test_actions_are_pinned_to_commits() -> None:
    used = [step["uses"] for step in JOBS["github"]["steps"] if "uses" in step]

    assert len(used) == 3
    assert [name for name in used if not re.fullmatch(r"[\w.-]+(/[\w.-]+)+@[0-9a-f]{40}", name)] == []


def test_the_sarif_file_is_uploaded_even_if_the_check_fails() -> None:
    upload = JOBS["github"]["steps"][-1]

    assert "!cancelled()" in upload["if"]
    assert f"-o sarif={upload['with']['sarif_file']}" in scripts("github")[-1]


def test_the_reports_of_gitlab_are_those_that_the_script_writes() -> None:
    artifacts = JOBS["gitlab"]["artifacts"]

    assert artifacts["when"] == "always"
    assert f"-o gitlab={artifacts['reports']['codequality']}" in scripts("gitlab")[-1]
    assert [f"-o sarif={path}" in scripts("gitlab")[-1] for path in artifacts["paths"]] == [True]


@pytest.mark.parametrize("name", JOBS)
def test_this_version_is_installed_and_no_cluster_or_secret_is_used(name: str) -> None:
    every = " ".join(texts(JOBS[name]))

    assert f"kubectl-applylint=={__version__}" in every
    assert re.search(r'--against "\$\{\w+:-none\}"', every)
    assert not re.search(r"secrets\.|TOKEN|kubeconfig", every)


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
    (repository / "deploy" / "scaled.yaml").write_text(SCALED)
    (repository / ".github" / "workflows").mkdir(parents=True)
    shutil.copy(ROOT / "hooks" / "github-actions.yml", repository / ".github" / "workflows" / "applylint.yml")
    shutil.copy(ROOT / "hooks" / "gitlab-ci.yml", repository / ".gitlab-ci.yml")
    for command in ("init -q", "add -A", "-c user.name=t -c user.email=t@example.com commit -q -m x"):
        subprocess.run(["git", *command.split()], cwd=repository, check=True)
    return repository


def git(repository: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.com")
    done = subprocess.run(["git", *identity, *arguments], cwd=repository, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def branch_off(repository: Path) -> None:
    """Do what a pull request does: take the number of replicas out of a manifest, on a branch."""
    web = repository / "deploy" / "scaled.yaml"
    git(repository, "branch", "-f", "target")
    web.write_text(re.sub(r"  replicas: 3\n", "", web.read_text(encoding="utf-8")), encoding="utf-8")
    git(repository, "update-ref", "refs/remotes/origin/target", "target")
    git(repository, "commit", "-q", "-a", "-m", "y")


def named(repository: Path) -> list[set[str]]:
    """Return the files that the reports name, which the script has written."""
    log = json.loads((repository / "applylint.sarif").read_text(encoding="utf-8"))
    places = [result["locations"][0]["physicalLocation"] for result in log["runs"][0]["results"]]
    quality = repository / "gl-code-quality-report.json"
    entries = json.loads(quality.read_text(encoding="utf-8")) if quality.exists() else None
    return [
        {place["artifactLocation"]["uri"] for place in places},
        *([{entry["location"]["path"] for entry in entries}] if entries is not None else []),
    ]


def base_of(name: str, repository: Path) -> dict[str, str]:
    """Return the variables by which a runner tells of the target branch, none where there is no such branch."""
    if not git(repository, "branch", "--list", "target"):
        return {}
    base = git(repository, "merge-base", "HEAD", "target")
    return {"GITHUB_BASE_REF": "target"} if name == "github" else {"CI_MERGE_REQUEST_DIFF_BASE_SHA": base}


@pytest.mark.cluster  # It needs a package registry for the wheels, which CI has.
@pytest.mark.parametrize(
    ("name", "shown"),
    [("github", "::error file=deploy/bad.yaml,line=4,"), ("gitlab", "deploy/bad.yaml:4:1: error: ")],
)
def test_the_script_runs_in_a_repository(name: str, shown: str, wheels: Path, repository: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "venv", with_pip=True)
    path = os.pathsep.join([str(tmp_path / "venv" / "bin"), os.environ["PATH"]])
    offline = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheels), "GITHUB_ACTIONS": "true", "CI": "true"}

    def typed() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", "-e", "-c", "\n".join(scripts(name))],
            cwd=repository,
            env={"PATH": path, "HOME": str(tmp_path), **offline, **base_of(name, repository)},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )

    done, files = typed(), named(repository)
    branch_off(repository)
    changed, changed_files = typed(), named(repository)

    assert "[replicas-removed-scales-to-one]" not in done.stdout
    assert "replicas-removed-scales-to-one" in changed.stdout + changed.stderr
    assert done.returncode == 1, done.stdout + done.stderr
    assert shown in done.stdout
    assert all("deploy/bad.yaml" in found for found in files)
    assert changed.returncode == 1, changed.stdout + changed.stderr
    assert all("deploy/scaled.yaml" in found for found in changed_files)
