"""The git hook, run by the real pre-commit and by the real prek on a real repository."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parent.parent.parent
COMPOSE = "services:\n  a:\n    image: x\n"
NO_SELECTOR = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {}}\n"


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.com")
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture(name="hooked")
def _hooked(tmp_path: Path) -> Path:
    """A repository of this tree as it stands, and one that uses it."""
    source, user = tmp_path / "source", tmp_path / "user"
    ignored = shutil.ignore_patterns(".git", ".venv", "*.egg-info", "build", "__pycache__", ".*_cache", ".hypothesis")
    shutil.copytree(ROOT, source, ignore=ignored)
    shutil.copytree(ROOT / "examples" / "shop", user)
    (user / "docker-compose.yml").write_text(COMPOSE)
    (user / "deployment.yaml").write_text(NO_SELECTOR)
    for folder in (source, user):
        git(folder, "init", "-q")
        git(folder, "add", "-A")
    git(source, "commit", "-q", "-m", "x")
    return tmp_path


def test_the_manifest_names_the_hook() -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())

    assert (hook["id"], hook["require_serial"]) == ("applylint", True)


@pytest.mark.cluster
@pytest.mark.parametrize("runner", ["pre_commit", "prek"])
def test_the_hook_runs(runner: str, hooked: Path) -> None:
    """Marked like the tests with a server, since a runner installs the hook's packages."""
    command = [sys.executable, "-m", runner, "try-repo", str(hooked / "source"), "applylint", "--all-files"]
    done = subprocess.run(command, cwd=hooked / "user", capture_output=True, encoding="utf-8", check=False)

    assert done.returncode == 1, done.stdout + done.stderr
    assert "deployment.yaml:4:1: error:" in done.stdout
    assert "problem" not in done.stdout
