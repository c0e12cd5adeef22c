"""The images that the file for GitHub Actions hands to other jobs: those that a change adds."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.tree import ROOT

STEPS = yaml.safe_load((ROOT / "hooks" / "github-actions.yml").read_text(encoding="utf-8"))["jobs"]["applylint"][
    "steps"
]
JOB = """\
apiVersion: batch/v1
kind: Job
metadata: {{name: {name}}}
spec:
  template:
    spec:
      restartPolicy: Never
      containers: [{{name: app, image: "{image}"}}]
"""
DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata: {{name: web}}
spec:
  selector: {{matchLabels: {{app: web}}}}
  template:
    metadata: {{labels: {{app: web}}}}
    spec:
      containers: [{{name: web, image: "{image}"}}]
"""


@pytest.mark.slow
def test_the_images_are_those_that_the_change_adds(tmp_path: Path) -> None:
    repository = tmp_path / "repository"
    repository.mkdir()
    git(repository, "init", "-q")
    commit(
        repository, web=DEPLOYMENT.format(image="registry.example/web:1"), same=JOB.format(name="same", image="same:1")
    )
    commit(repository, web=DEPLOYMENT.format(image="registry.example/web:2"), new=JOB.format(name="new", image="new:1"))
    bin_folder = Path(sys.executable).parent
    environment = {
        **os.environ,
        "BASE": "HEAD~1",
        "RUNNER_TEMP": str(tmp_path),
        "GITHUB_OUTPUT": str(tmp_path / "output"),
    }
    environment["PATH"] = f"{bin_folder}{os.pathsep}{os.environ['PATH']}"

    for name in ("Plan", "Images"):
        (script,) = (step["run"] for step in STEPS if step.get("name") == name)
        subprocess.run(["bash", "-ec", script], cwd=repository, env=environment, check=True, capture_output=True)

    assert (tmp_path / "output").read_text() == 'images=["new:1","registry.example/web:2"]\n'


def test_the_page_has_the_same_expression() -> None:
    (script,) = (step["run"] for step in STEPS if step.get("name") == "Images")
    page = (ROOT / "docs" / "from-flux-local.md").read_text(encoding="utf-8")

    assert f"jq -c '{script.partition(chr(39))[2].partition(chr(39))[0]}'" in page


def git(folder: Path, *words: str) -> None:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.com"]
    subprocess.run(["git", *identity, *words], cwd=folder, check=True)


def commit(folder: Path, **files: str) -> None:
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "x")
