"""The workflows of this repository, and those to copy, have no finding of actionlint and zizmor."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cluster.build import cache_directory
from tests.readme import ROOT

pytestmark = pytest.mark.cluster  # The programs come from registries, which CI has.

WORKFLOWS = [*sorted((ROOT / ".github" / "workflows").glob("*.yaml")), *sorted((ROOT / "hooks").glob("github-*.yml"))]
ACTIONLINT = "v1.7.7"


def test_actionlint_has_no_finding() -> None:
    folder = cache_directory(os.environ) / f"actionlint-{ACTIONLINT}"
    if not (folder / "actionlint").is_file():
        command = ["go", "install", f"github.com/rhysd/actionlint/cmd/actionlint@{ACTIONLINT}"]
        subprocess.run(command, env={**os.environ, "GOBIN": str(folder)}, check=True, capture_output=True)

    done = subprocess.run([folder / "actionlint", *WORKFLOWS], capture_output=True, encoding="utf-8", check=False)

    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_zizmor_has_no_finding() -> None:
    zizmor = Path(sys.executable).with_name("zizmor")

    done = subprocess.run([zizmor, "--offline", *WORKFLOWS], capture_output=True, encoding="utf-8", check=False)

    assert done.returncode == 0, done.stdout
