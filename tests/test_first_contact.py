"""The first command in a clone that is not installed prints one line that says what to type."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
INSTALL = "python3 -m venv .venv && .venv/bin/pip install -e ."


def bare(*words: str, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run Python in a folder without installed packages."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COV"))}
    return subprocess.run(
        [sys.executable, "-S", *words], cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False
    )


@pytest.mark.parametrize(
    ("words", "code", "advice"),
    [
        pytest.param(("-m", "kubectl_applylint"), 2, INSTALL, id="module"),
        pytest.param(("-m", "kubectl_applylint", "check", "."), 2, INSTALL, id="command"),
        pytest.param(("kubectl_applylint/__main__.py", "plan"), 2, INSTALL, id="file"),
        pytest.param(("-m", "bench"), 1, ".venv/bin/pip install -e '.[test]'", id="bench"),
        pytest.param(("-m", "tests.readme"), 1, "./scripts/test", id="tests"),
    ],
)
def test_a_clone_that_is_not_installed_prints_how_to_install_it(words: tuple[str, ...], code: int, advice: str) -> None:
    done = bare(*words)

    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.count("\n") == 1
    assert advice in done.stderr


def test_a_missing_dependency_is_one_line(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "kubectl_applylint", tmp_path / "kubectl_applylint")
    (tmp_path / "kubectl_applylint" / "rules").symlink_to(ROOT / "rules", target_is_directory=True)

    done = bare("-m", "kubectl_applylint", "check", folder=tmp_path)

    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("applylint: yaml is not installed; run python3 -m pip install kubectl-applylint")
