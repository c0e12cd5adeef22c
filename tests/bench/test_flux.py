"""The repository of Flux that is measured."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bench import flux

pytestmark = pytest.mark.slow

PROGRAM = (sys.executable, "-m", "kubectl_applylint")


@pytest.mark.parametrize(
    ("branch", "file"), [("settings", "apps/app-00/settings.yaml"), ("release", "apps/app-00/release.yaml")]
)
def test_a_branch_changes_one_file(tmp_path: Path, branch: str, file: str) -> None:
    folder = flux.write(tmp_path / "repository", 2, "127.0.0.1:5000")
    flux.check_out(folder, branch)
    changed = subprocess.run(["git", "diff", "--name-only", "main"], cwd=folder, capture_output=True, check=True)

    assert changed.stdout.decode().split() == [file]


def test_all_that_is_measured_is_predicted(tmp_path: Path, helm: Path) -> None:
    path = f"{helm.parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "APPLYLINT_CACHE_DIR": str(tmp_path / "cache")}
    with flux.repository_with_charts(tmp_path / "flux", 2, PROGRAM, environment) as repository:
        flux.check_out(repository.folder, "release")
        plan = [*repository.command(compares=True, keeps=True), "-o", "json"]
        done = subprocess.run(plan, cwd=repository.folder, env=environment, capture_output=True, check=False)

    found = json.loads(done.stdout)
    changed = {f"{one['kind']}/{one['name']}" for one in found["objects"] if one["verdict"] == "configured"}
    assert done.returncode == 0
    assert changed == {"HelmRelease/app-00", "Deployment/app-00"}
    assert {unit["compared"] for unit in found["units"]} == {"yes"}
