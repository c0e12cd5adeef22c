"""The checks that other programs make of the whole tree: ruff and mypy."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize(
    "command",
    [("ruff", "check", "--quiet"), ("ruff", "format", "--check", "--quiet"), ("mypy",)],
    ids=["ruff check", "ruff format", "mypy"],
)
def test_the_tree_is_clean(command: tuple[str, ...]) -> None:
    run = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True)

    assert run.returncode == 0, run.stdout + run.stderr
