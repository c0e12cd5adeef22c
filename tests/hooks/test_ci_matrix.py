"""The files for several machines of GitHub Actions and GitLab CI, played one machine after the other."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from kubectl_applylint import __version__
from tests.tree import ROOT

GITHUB, GITLAB = (
    yaml.load((ROOT / "hooks" / name).read_text(encoding="utf-8"), yaml.BaseLoader)
    for name in ("github-actions-matrix.yml", "gitlab-ci-parallel.yml")
)
COUNT = 4
BAD = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {}}\n"


def scripts(job: Mapping[str, Any]) -> list[str]:
    """Return the lines that a runner types, but for the installation."""
    lines = job["script"] if "script" in job else [_run(step) for step in job["steps"] if "run" in step]
    return [line for line in lines if "pip install" not in line]


def _run(step: Mapping[str, Any]) -> str:
    run: str = step["run"]
    return f"{run} || true" if "continue-on-error" in step else run


def machine(name: str, number: int, temporary: Path) -> dict[str, str]:
    """Return what a runner sets on one of the machines."""
    if name == "gitlab":
        node = {"CI_NODE_INDEX": str(number), "CI_NODE_TOTAL": str(COUNT), "CI_COMMIT_BEFORE_SHA": "0" * 40}
        return node | {"CI_PROJECT_DIR": str(temporary / "repository")}
    files = {"RUNNER_TEMP": str(temporary), "GITHUB_ENV": str(temporary / "environment")}
    return {"PART": str(number), "SHARD": f"{number}/{COUNT}", "BASE": "0" * 40, **files}


JOBS = {
    "github": (GITHUB["jobs"]["part"], GITHUB["jobs"]["applylint"]),
    "gitlab": (GITLAB["applylint-part"], GITLAB["applylint"]),
}


@pytest.fixture(name="repository")
def _repository(tmp_path: Path) -> Path:
    repository = tmp_path / "repository"
    for number in range(6):
        shutil.copytree(ROOT / "examples" / "shop", repository / f"deploy-{number}")
    (repository / "deploy-3" / "bad.yaml").write_text(BAD)
    for command in ("init -q", "add -A", "-c user.name=t -c user.email=t@example.com commit -q -m x"):
        subprocess.run(["git", *command.split()], cwd=repository, check=True)
    return repository


def run_lines(lines: list[str], repository: Path, event: Mapping[str, str]) -> "subprocess.CompletedProcess[str]":
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
    return subprocess.run(
        ["bash", "-e", "-c", "\n".join(lines)],
        cwd=repository,
        env={"PATH": path, "HOME": str(repository.parent), "CI": "true", **event},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", JOBS)
def test_all_machines_together_find_what_one_finds(name: str, repository: Path, tmp_path: Path) -> None:
    part, merge = JOBS[name]
    done = []
    for number in range(1, COUNT + 1):
        done.append(run_lines(scripts(part), repository, machine(name, number, tmp_path)).returncode)
        # Each machine has a folder of its own, in which there are no parts of others.
        run_lines([f"mv applylint-parts/part-{number}.json ../ || true"], repository, {})
    if name == "gitlab":
        run_lines(["mv ../part-*.json applylint-parts"], repository, {})
    merged = run_lines(scripts(merge), repository, machine(name, 1, tmp_path))
    reports = tmp_path if name == "github" else tmp_path / "repository.tmp"
    whole = (reports / "applylint.sarif").read_text(encoding="utf-8")
    run_lines(["rm -rf applylint-parts applylint-reports"], repository, {})
    run_lines([f"applylint check --against {'0' * 40} -o sarif=applylint.sarif"], repository, {})

    assert (done, merged.returncode) == ([0] * COUNT, 1), merged
    assert whole == (repository / "applylint.sarif").read_text(encoding="utf-8")
    assert "deploy-3/bad.yaml" in merged.stdout


@pytest.mark.slow
@pytest.mark.parametrize("name", JOBS)
def test_the_last_job_reports_a_machine_that_failed(name: str, repository: Path, tmp_path: Path) -> None:
    part, merge = JOBS[name]
    run_lines(scripts(part), repository, machine(name, 2, tmp_path))

    merged = run_lines(scripts(merge), repository, machine(name, 1, tmp_path))
    assert merged.returncode == 3
    assert "part 4 of 4" in merged.stdout


def test_the_last_job_runs_after_failed_parts() -> None:
    part, merge = JOBS["github"]

    assert (part["strategy"]["fail-fast"], merge["needs"], merge["if"]) == ("false", "part", "${{ !cancelled() }}")
    assert len(part["strategy"]["matrix"]["part"]) == int(GITLAB["applylint-part"]["parallel"]) == COUNT
    assert GITLAB["applylint-part"]["allow_failure"] == "true"
    assert {rule["when"] for rule in GITLAB[".applylint"]["rules"]} == {"always"}


def test_the_parts_that_are_written_are_those_that_are_handed_on() -> None:
    part, merge = JOBS["github"]
    (handed,) = (one["with"] for one in part["steps"] if "upload-artifact" in one.get("uses", ""))
    (fetched,) = (one["with"] for one in merge["steps"] if "download-artifact" in one.get("uses", ""))

    assert handed["path"] == "${{ runner.temp }}/part-${{ matrix.part }}.json"
    assert '-o part="$RUNNER_TEMP/part-$PART.json"' in scripts(part)[-1]
    assert handed["name"].removesuffix("${{ matrix.part }}") + "*" == fetched["pattern"]
    assert fetched["path"] == "${{ runner.temp }}"
    assert GITLAB["applylint-part"]["artifacts"]["paths"] == ["applylint-parts/"]
    assert GITLAB["applylint"]["needs"] == ["applylint-part"]


@pytest.mark.parametrize("name", JOBS)
def test_this_version_is_installed_and_actions_are_pinned(name: str) -> None:
    for job in JOBS[name]:
        assert f"git+REPOSITORY@v{__version__}" in json.dumps(job)
        used = [step["uses"] for step in job.get("steps", ()) if "uses" in step]
        assert [one for one in used if not re.fullmatch(r"[\w.-]+(/[\w.-]+)+@[0-9a-f]{40}", one)] == []
    assert GITHUB["permissions"] == {}
    assert GITHUB["jobs"]["part"]["permissions"] == {"contents": "read"}
