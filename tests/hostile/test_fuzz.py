"""Thousands of broken files: no bug in applylint, no hang, no wrong exit code."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hostile.documents import Broken, Wanted, broken
from tests.hostile.fuzz import faults

pytestmark = pytest.mark.slow

PORTIONS = 20
EACH = 500 if os.environ.get("CI") else 50
"""Ten thousand files where it counts, a few that do not take long elsewhere."""


@pytest.mark.parametrize("seed", range(PORTIONS))
def test_broken_files_are_reported_as_broken(seed: int) -> None:
    assert [str(fault) for fault in faults(list(broken(seed, EACH)))] == []


def test_the_same_seed_breaks_the_same_files() -> None:
    assert list(broken(7, 30)) == list(broken(7, 30))


def test_every_outcome_is_asked_for() -> None:
    assert {file.wanted for file in broken(7, 200)} == set(Wanted)


@pytest.mark.parametrize("file", [*broken(99, 25)], ids=lambda file: file.how.replace(" ", "-"))
def test_processes_end_as_they_do_in_process(file: Broken, tmp_path: Path) -> None:
    (tmp_path / "m.yaml").write_bytes(file.content)
    program = [sys.executable, "-m", "kubectl_applylint", "plan", "-f", "m.yaml", "--against", "none"]
    done = subprocess.run(program, cwd=tmp_path, capture_output=True, timeout=60, check=False)

    expected = {Wanted.PASSES: {0}, Wanted.REJECTED: {1}, Wanted.UNREADABLE: {3}, Wanted.ANY: {0, 1, 3}}
    assert done.returncode in expected[file.wanted]
    assert b"Traceback" not in done.stderr
