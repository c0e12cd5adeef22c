"""Caches that were damaged, or are of other versions and users: a second run reports what the first one did."""

import os
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.sources.repositories import create

pytestmark = pytest.mark.slow
CONFIG_MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s}\n"
PROGRAM = (sys.executable, "-m", "kubectl_applylint", "check", "--against", "HEAD~1..HEAD")


def run(home: Path) -> tuple[int, str]:
    """Return the exit code and the output of a check, whose cache is below a home directory."""
    environ = {**os.environ, "HOME": str(home), "PYTHONPATH": os.getcwd(), "TMPDIR": str(home)}
    environ.pop("APPLYLINT_CACHE_DIR", None)
    environ.pop("XDG_CACHE_HOME", None)
    done = subprocess.run(PROGRAM, cwd=home.parent / "repo", env=environ, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout + done.stderr


def truncate(entry: Path) -> None:
    entry.write_bytes(entry.read_bytes()[:40])


def empty(entry: Path) -> None:
    entry.write_bytes(b"")


def of_another_version(entry: Path) -> None:
    entry.write_bytes(b'{"version": 0, "objects": []}')


def endless(entry: Path) -> None:
    entry.write_bytes(bytes(32) + zlib.compress(bytes(100_000_000)))


def link_to_zeros(entry: Path) -> None:
    entry.unlink()
    entry.symlink_to("/dev/zero")


def make_pipe(entry: Path) -> None:
    entry.unlink()
    os.mkfifo(entry)


def made_a_directory(entry: Path) -> None:
    entry.unlink()
    entry.mkdir()


def of_another_user(entry: Path) -> None:
    if os.getuid() != 0:
        pytest.skip("only root gives files away")
    os.chown(entry.parent, 65534, 65534)


def writable_by_all(entry: Path) -> None:
    entry.parent.chmod(0o777)


DAMAGES: tuple[Callable[[Path], None], ...] = (
    truncate,
    empty,
    of_another_version,
    endless,
    link_to_zeros,
    make_pipe,
    made_a_directory,
    of_another_user,
    writable_by_all,
)


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_a_damaged_cache_changes_nothing(damage: Callable[[Path], None], tmp_path: Path) -> None:
    repo, home = create(tmp_path / "repo"), tmp_path / "home"
    home.mkdir()
    repo.commit({"k/kustomization.yaml": "resources: [a.yaml]\n", "k/a.yaml": CONFIG_MAP % "a"})
    repo.commit({"k/a.yaml": CONFIG_MAP % "Wrong_Name"})
    first = run(home)
    entries = [file for file in (home / ".cache").rglob("*") if file.is_file()]
    for entry in entries:
        damage(entry)

    assert entries
    assert first[0] == 1
    assert run(home) == first
