"""The README keeps its word: every command in it runs, and prints what it is shown to print."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.readme import README, ROOT, run, scripts, sessions
from tests.tree import copy_tree

TEXT = README.read_text(encoding="utf-8")
SESSIONS = sessions(TEXT)
INSTALL, TESTS = scripts(TEXT)


@pytest.mark.parametrize(("command", "output"), SESSIONS.items(), ids=SESSIONS.keys())
def test_a_command_prints_what_is_shown(command: str, output: str) -> None:
    assert run(command).stdout == output, "python -m tests.readme writes what it prints now into the README"


def test_the_main_job_runs_as_written() -> None:
    done = run(INSTALL.rpartition("&& .venv/bin/")[2])

    assert (done.returncode, done.stderr) == (
        1,
        "applylint: compared with snapshot examples/snapshot.yaml (of today)\n",
    )


def test_the_tests_are_run_by_the_line_that_ci_runs() -> None:
    assert TESTS == "./scripts/test"
    assert os.access(ROOT / TESTS, os.X_OK)
    assert TESTS in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


@pytest.mark.cluster  # It needs a package registry and half a minute, which CI has.
def test_the_first_line_works_in_a_fresh_clone(tmp_path: Path) -> None:
    copy_tree(tmp_path)

    done = subprocess.run(INSTALL, shell=True, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)

    assert done.returncode == 1, done.stderr
    assert "[replicas-removed-scales-to-one]" in done.stdout
