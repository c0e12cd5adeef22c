"""The recipes for Azure DevOps, Bitbucket, MegaLinter and reviewdog: their commands run in a real repository."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.hooks.runner import path_here
from tests.tree import ROOT

pytestmark = pytest.mark.slow
BAD = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {}}\n"
COMPOSE = "services:\n  a:\n    image: x\n"
DESCRIPTOR = "mega-linter-plugin-applylint/applylint.megalinter-descriptor.yml"


def read(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


def git(folder: Path, *words: str) -> None:
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.com")
    subprocess.run(["git", *identity, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture(name="checkout")
def _checkout(tmp_path: Path) -> Path:
    """Return a clone whose branch brings a bad manifest."""
    upstream, checkout = tmp_path / "upstream", tmp_path / "checkout"
    shutil.copytree(ROOT / "examples" / "shop", upstream / "shop")
    git(upstream, "init", "-q", "-b", "main")
    git(upstream, "add", "-A")
    git(upstream, "commit", "-q", "-m", "a")
    git(tmp_path, "clone", "-q", str(upstream), str(checkout))
    (checkout / "bad.yaml").write_text(BAD, encoding="utf-8")
    (checkout / "compose.yaml").write_text(COMPOSE, encoding="utf-8")
    git(checkout, "add", "-A")
    git(checkout, "commit", "-q", "-m", "b")
    return checkout


def run(script: str, checkout: Path, variables: Mapping[str, str]) -> "subprocess.CompletedProcess[str]":
    env = {"PATH": path_here(), "HOME": str(checkout.parent), **variables}
    command = ["bash", "-e", "-c", script]
    return subprocess.run(command, cwd=checkout, env=env, capture_output=True, encoding="utf-8", check=False)


@pytest.mark.parametrize("branch", ["refs/heads/main", ""], ids=["pull request", "push"])
def test_azure_checks_the_changes(checkout: Path, branch: str) -> None:
    steps = read("hooks/azure-pipelines.yml")["steps"]
    (script,) = (step["script"] for step in steps if step.get("displayName") == "Check")
    variables = {"SYSTEM_PULLREQUEST_TARGETBRANCH": branch, "AGENT_TEMPDIRECTORY": str(checkout.parent)}

    done = run(script, checkout, variables)

    assert (done.returncode, "bad.yaml:4:1: error:" in done.stdout) == (1, True), done.stdout + done.stderr
    assert "<failure" in (checkout.parent / "applylint.xml").read_text(encoding="utf-8")
    assert [sorted(step) for step in steps if "task" in step] == [["inputs", "task"], ["condition", "inputs", "task"]]


def test_bitbucket_checks_the_changes(checkout: Path) -> None:
    (entry,) = read("hooks/bitbucket-pipelines.yml")["pipelines"]["pull-requests"]["**"]
    lines = [line for line in entry["step"]["script"] if " pip install " not in line]

    done = run("\n".join(lines), checkout, {"BITBUCKET_PR_DESTINATION_BRANCH": "main"})

    assert (done.returncode, "bad.yaml:4:1: error:" in done.stdout) == (1, True), done.stdout + done.stderr
    assert "<failure" in (checkout / "test-results" / "applylint.xml").read_text(encoding="utf-8")


def test_megalinter_runs_the_command_of_its_plugin(checkout: Path) -> None:
    descriptor = read(DESCRIPTOR)
    (linter,) = descriptor["linters"]
    sarif = checkout.parent / "applylint.sarif"
    places = [word.replace("{{SARIF_OUTPUT_FILE}}", str(sarif)) for word in linter["cli_sarif_args"]]
    words = [linter["linter_name"], *linter["cli_lint_extra_args"], *places, "bad.yaml", "compose.yaml"]

    done = run(shlex.join(words), checkout, {})

    assert done.returncode == 1, done.stderr
    assert json.loads(sarif.read_text(encoding="utf-8"))["runs"][0]["results"]
    assert run(f"applylint {linter['cli_version_arg_name']}", checkout, {}).returncode == 0
    assert [shlex.split(example)[0] for example in linter["examples"]] == ["applylint", "applylint"]


def test_the_plugin_of_megalinter_is_one_that_it_accepts() -> None:
    descriptor = read(DESCRIPTOR)
    (linter,) = descriptor["linters"]

    assert {"descriptor_id", "descriptor_type", "linters"} <= set(descriptor)
    assert {"linter_name", "linter_url", "name", "examples"} <= set(linter)
    assert linter["cli_lint_mode"] in {"file", "list_of_files", "project"}
    # A plugin is installed by the lines of its Dockerfile that begin with RUN alone.
    assert all(line.startswith("RUN ") for line in linter["install"]["dockerfile"])
    assert any(re.search(pattern, BAD) for pattern in descriptor["file_contains_regex"])


def test_a_service_without_network_and_renderers_checks_manifests(checkout: Path) -> None:
    programs, chart = checkout.parent / "programs", checkout / "chart"
    programs.mkdir()
    chart.mkdir()
    (programs / "git").symlink_to(str(shutil.which("git")))
    (chart / "Chart.yaml").write_text("apiVersion: v2\nname: c\nversion: 1.0.0\n", encoding="utf-8")
    hook = shlex.quote(str(Path(sys.executable).with_name("applylint-hook")))
    bash = str(shutil.which("bash"))
    shown = [
        subprocess.run(
            [bash, "-c", f"{hook} {files}"],
            cwd=checkout,
            env={"PATH": str(programs), "HOME": str(checkout.parent)},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        for files in ("shop/worker.yaml", "bad.yaml", "chart/Chart.yaml")
    ]

    assert [done.returncode for done in shown] == [0, 1, 3]
    assert "rendering a chart requires helm" in shown[-1].stdout
