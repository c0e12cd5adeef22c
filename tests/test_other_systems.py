"""Runs without features that other systems do not have: forks, alarms, groups of processes, and a locale with UTF-8."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sources.repositories import Repo, create

pytestmark = pytest.mark.slow

WITHOUT_POSIX = """\
import os, signal, subprocess, sys
for module, names in {
    os: ("fork", "forkpty", "killpg", "geteuid", "sched_getaffinity"),
    signal: ("SIGALRM", "SIGHUP", "SIGQUIT", "setitimer", "ITIMER_REAL"),
}.items():
    for name in names:
        if hasattr(module, name):
            delattr(module, name)
sys.modules.update(dict.fromkeys(("fcntl", "termios", "pwd", "grp")))
"""
"""Removes what Windows does not have."""
USUAL = ""
PROGRAM = "from kubectl_applylint.cli.programs import applylint\napplylint()\n"
ASCII = {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C", "LANG": "C"}
DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: web:1}]}
"""
RESERVED = ("con", "NUL", "aux.txt", "a:b", "end.", "Web", "wEB")
COMMANDS = (
    ("check", ".", "--against", "HEAD", "-o", "json"),
    ("plan", ".", "--against", "HEAD", "--timeout", "60s"),
    ("units",),
    ("render", ".", "-o", "dir=out"),
    ("config", "show"),
)


@pytest.fixture(name="repo")
def _repo(tmp_path: Path) -> Repo:
    """Return a repository with names that are not ASCII, differ by case only, or are reserved on Windows."""
    repo = create(tmp_path / "repo")
    many = (
        f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name!r}}}\n" for name in (*RESERVED, *map(str, range(60)))
    )
    files = {
        "kust/ü web.yaml": DEPLOYMENT,
        "kust/kustomization.yaml": "resources: ['ü web.yaml']\n",
        "plain/many.yaml": "---\n".join(many),
        "plain/Web.yaml": DEPLOYMENT.replace("name: web}\nspec", "name: upper}\nspec"),
        "plain/web.yaml": DEPLOYMENT.replace("name: web}\nspec", "name: lower}\nspec"),
    }
    repo.commit(files)
    repo.write({"kust/ü web.yaml": DEPLOYMENT.replace("web:1", "web:2")})
    return repo


def run_change(repo: Repo, command: tuple[str, ...], removed: str, variables: dict[str, str]) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-c", removed + PROGRAM, *command],
        cwd=repo.folder,
        env={**os.environ, "APPLYLINT_CACHE_DIR": "", **variables},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def written(repo: Repo) -> dict[str, str]:
    """Return the files that a command has written, by their paths."""
    folder = repo.folder / "out"
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize(
    ("removed", "variables"),
    [pytest.param(WITHOUT_POSIX, {}, id="without POSIX"), pytest.param(USUAL, ASCII, id="in ASCII")],
)
def test_the_result_is_the_same(repo: Repo, command: tuple[str, ...], removed: str, variables: dict[str, str]) -> None:
    there = run_change(repo, command, USUAL, {})
    files = written(repo)
    shutil.rmtree(repo.folder / "out", ignore_errors=True)

    assert there[0] == 0, there[2]
    assert run_change(repo, command, removed, variables) == there
    assert written(repo) == files


def test_no_name_of_a_rendered_file_is_reserved_or_differs_by_case_only(repo: Repo) -> None:
    assert run_change(repo, ("render", "plain", "-o", "dir=out"), USUAL, {})[0] == 0
    names = [path.name for path in (repo.folder / "out").rglob("*.yaml")]

    assert len({name.lower() for name in names}) == len(names) == len(RESERVED) + 62
    assert not [name for name in names if ":" in name or name.partition(".")[0].lower() in ("con", "nul", "aux")]
    assert all(name.rpartition(".yaml")[0][-1] != "." for name in names)
