"""The git hook, run by the real pre-commit and by the real prek on a real repository."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from kubectl_applylint import __version__
from tests.hooks.planted import plant
from tests.readme import README
from tests.tree import ROOT, copy_tree

TAG = f"v{__version__}"
COMPOSE = "services:\n  a:\n    image: x\n"
NO_SELECTOR = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {}}\n"


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.com")
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture(name="source", scope="module")
def _source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository of this tree as it stands, with the tag of its version; pre-commit installs it once."""
    source = copy_tree(tmp_path_factory.mktemp("source"))
    git(source, "init", "-q")
    git(source, "add", "-A")
    git(source, "commit", "-q", "-m", "x")
    git(source, "tag", TAG)
    return source


@pytest.fixture(name="user")
def _user(tmp_path: Path) -> Path:
    """A repository that uses the hooks."""
    user = tmp_path / "user"
    shutil.copytree(ROOT / "examples" / "shop", user)
    (user / "docker-compose.yml").write_text(COMPOSE)
    (user / "deployment.yaml").write_text(NO_SELECTOR)
    git(user, "init", "-q")
    git(user, "add", "-A")
    return user


def test_the_manifest_names_the_hooks() -> None:
    hooks = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}

    assert sorted(hooks) == ["applylint", "applylint-changed", "applylint-push"]
    assert all(hook["require_serial"] for hook in hooks.values())
    assert [name for name in hooks if not hooks[name].get("pass_filenames", True)] == [
        "applylint-changed",
        "applylint-push",
    ]


@pytest.mark.parametrize("name", ["applylint-hook", "applylint-hook-changed", "applylint-hook-push", "applylint"])
def test_a_program_imports_nothing_from_the_working_directory(name: str, tmp_path: Path) -> None:
    plant(tmp_path)
    git(tmp_path, "init", "-q")

    program = Path(sys.executable).with_name(name)
    done = subprocess.run([program, "--help"], cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)

    assert done.returncode == 0, done.stderr
    assert "PWNED" not in outcome(done)


def test_the_hooks_are_installed_programs() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]

    assert {hook["entry"] for hook in hooks} <= scripts.keys()


def outcome(done: subprocess.CompletedProcess[str]) -> str:
    return done.stdout + done.stderr


@pytest.mark.early(80)
@pytest.mark.cluster
@pytest.mark.parametrize("runner", ["pre_commit", "prek"])
def test_the_hooks_run(runner: str, source: Path, user: Path) -> None:
    """Marked like the tests with a server, since a runner installs the hooks' packages."""

    def call(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-P", "-m", runner, *arguments]
        return subprocess.run(command, cwd=user, capture_output=True, encoding="utf-8", check=False)

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return call("run", *arguments)

    hooks = [{"id": name} for name in ("applylint", "applylint-changed", "applylint-push")]
    config = {"repos": [{"repo": str(source), "rev": TAG, "hooks": hooks}]}
    (user / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    git(user, "add", "-A")
    # prek installs uv with the pip of the working directory, so that it has to have done that before.
    installed = call("install-hooks")
    assert installed.returncode == 0, outcome(installed)
    plant(user)
    git(user, "add", "-A")

    every = run("applylint", "--all-files")
    assert every.returncode == 1, outcome(every)
    assert "PWNED" not in outcome(every)
    assert "deployment.yaml:4:1: error:" in every.stdout
    assert "problem" not in every.stdout

    git(user, "rm", "-q", "-f", "deployment.yaml")
    git(user, "commit", "-q", "-m", "x")
    (user / "worker.yaml").write_text((user / "worker.yaml").read_text().replace("  replicas: 2\n", ""))
    clean = run("applylint-changed")
    assert clean.returncode == 0, outcome(clean)
    assert "PWNED" not in outcome(clean)

    git(user, "add", "-A")
    changed = run("applylint-changed")
    assert changed.returncode == 1, outcome(changed)
    assert "worker.yaml" in changed.stdout
    assert "scales deployment/worker from 2 to 1" in changed.stdout

    git(user, "commit", "-q", "-m", "y")
    pushed = run("applylint-push", "--hook-stage", "pre-push", "--from-ref", "HEAD~1", "--to-ref", "HEAD")
    assert pushed.returncode == 1, outcome(pushed)
    assert "PWNED" not in outcome(pushed)
    assert "scales deployment/worker from 2 to 1" in pushed.stdout


@pytest.mark.early(80)
@pytest.mark.cluster
def test_the_hook_runs_as_the_readme_configures_it(source: Path, user: Path) -> None:
    (block,) = re.findall(r"^```yaml\n(repos:\n.*?)^```$", README.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    (used,) = yaml.safe_load(block)["repos"]
    config = block.replace(used["repo"], str(source))
    (user / ".pre-commit-config.yaml").write_text(config, encoding="utf-8")

    command = [sys.executable, "-P", "-m", "pre_commit", "run", "--all-files"]
    done = subprocess.run(command, cwd=user, capture_output=True, encoding="utf-8", check=False)

    assert used["rev"] == TAG
    assert done.returncode == 1, done.stdout + done.stderr
    assert "deployment.yaml:4:1: error:" in done.stdout
