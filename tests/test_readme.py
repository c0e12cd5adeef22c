"""The README keeps its word: what it has a newcomer type works."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kubectl_applylint import __version__
from tests.readme import README, ROOT, run, scripts
from tests.tree import copy_tree

pytestmark = pytest.mark.slow

TEXT = README.read_text(encoding="utf-8")
INSTALL, PLUGIN, GATE, TESTS = scripts(TEXT)


def test_the_main_job_runs_as_written() -> None:
    done = run(INSTALL.rpartition("&& .venv/bin/")[2])

    assert (done.returncode, done.stderr) == (
        1,
        "applylint: compared with snapshot examples/snapshot.yaml (written today)\n",
    )


def test_the_tests_are_run_by_the_line_that_ci_runs() -> None:
    assert TESTS == "./scripts/test"
    assert os.access(ROOT / TESTS, os.X_OK)
    assert TESTS in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_the_gate_runs_as_written(tmp_path: Path) -> None:
    copy_tree(tmp_path)

    done = run(GATE, folder=tmp_path)

    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads((tmp_path / "applylint.sarif").read_text(encoding="utf-8"))["version"] == "2.1.0"


@pytest.mark.cluster  # It needs a package registry, which CI has.
def test_the_plugin_is_installed_as_written(kubectl: Path, tmp_path: Path) -> None:
    pytest.importorskip("pipx")
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "kubectl").symlink_to(kubectl)
    places = {"PIPX_HOME": str(tmp_path / "pipx"), "PIPX_BIN_DIR": str(programs), "PIPX_MAN_DIR": str(tmp_path / "man")}
    # Not the programs of this environment: what pipx installs has to be found, and only that.
    path = os.pathsep.join([str(programs), *os.environ["PATH"].split(os.pathsep)])

    done = run(
        PLUGIN.replace("pipx", f"{sys.executable} -m pipx", 1),
        folder=copy_tree(tmp_path / "clone"),
        environment={**places, "PATH": path},
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith(f"kubectl applylint {__version__}\n")
    assert {path.name for path in programs.iterdir()} >= {"kubectl-applylint", "kubectl_complete-applylint"}


@pytest.mark.early(50)
@pytest.mark.cluster  # It needs a package registry and half a minute, which CI has.
def test_the_first_line_works_in_a_fresh_clone(tmp_path: Path) -> None:
    copy_tree(tmp_path)

    done = subprocess.run(INSTALL, shell=True, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)

    assert done.returncode == 1, done.stderr
    assert "[replicas-removed-scales-to-one]" in done.stdout
