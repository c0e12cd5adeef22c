"""The checks that other programs make of the whole tree: ruff and mypy."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent


@pytest.mark.early(40)
@pytest.mark.parametrize(
    "command",
    [("ruff", "check", "--quiet"), ("ruff", "format", "--check", "--quiet"), ("mypy",)],
    ids=["ruff check", "ruff format", "mypy"],
)
def test_the_tree_is_clean(command: tuple[str, ...]) -> None:
    run = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True)

    assert run.returncode == 0, run.stdout + run.stderr


def test_pre_commit_takes_the_hooks_of_the_project() -> None:
    command = [sys.executable, "-m", "pre_commit", "validate-config", ".pre-commit-config.yaml"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)

    assert run.returncode == 0, run.stdout + run.stderr


def test_commits_are_checked_by_what_the_tests_run() -> None:
    hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    jobs = (ROOT / ".github/workflows/test.yaml").read_text(encoding="utf-8")

    for command in ("ruff check", "ruff format --check", "mypy"):
        assert f".venv/bin/{command}\n" in hooks
        assert f"- run: {command}" in jobs
