"""The workflows of this repository, and those to copy, have no finding of actionlint and zizmor."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cluster.build import cache_directory
from tests.readme import ROOT

pytestmark = pytest.mark.cluster  # The programs come from registries, which CI has.

WORKFLOWS = [*sorted((ROOT / ".github" / "workflows").glob("*.yaml")), *sorted((ROOT / "hooks").glob("github-*.yml"))]
ACTIONLINT = "v1.7.7"


_USER = """\
on: pull_request
jobs:
  applylint:
    runs-on: ubuntu-24.04
    steps:
      - uses: ./
        id: applylint
        with: {paths: deploy}
      - run: echo "$FILE"
        env: {FILE: "${{ steps.applylint.outputs.sarif-file }}"}
"""


def _actionlint() -> Path:
    folder = cache_directory(os.environ) / f"actionlint-{ACTIONLINT}"
    if not (folder / "actionlint").is_file():
        command = ["go", "install", f"github.com/rhysd/actionlint/cmd/actionlint@{ACTIONLINT}"]
        subprocess.run(command, env={**os.environ, "GOBIN": str(folder)}, check=True, capture_output=True)
    return folder / "actionlint"


def test_actionlint_has_no_finding() -> None:
    done = subprocess.run([_actionlint(), *WORKFLOWS], capture_output=True, encoding="utf-8", check=False)

    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_actionlint_has_no_finding_in_the_action_and_a_workflow_with_it(tmp_path: Path) -> None:
    workflow = tmp_path / ".github" / "workflows" / "applylint.yml"
    workflow.parent.mkdir(parents=True)
    workflow.write_text(_USER, encoding="utf-8")
    shutil.copy(ROOT / "action.yml", tmp_path)
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)

    done = subprocess.run([_actionlint()], cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)

    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_zizmor_has_no_finding() -> None:
    zizmor = Path(sys.executable).with_name("zizmor")

    done = subprocess.run(
        [zizmor, "--offline", *WORKFLOWS, ROOT / "action.yml"], capture_output=True, encoding="utf-8", check=False
    )

    assert done.returncode == 0, done.stdout
