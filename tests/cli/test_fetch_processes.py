"""Runs of fetch that are ended, that meet a full disk, or that share a store, each as a process."""

import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from tests.sources.repositories import create
from tests.sources.store.git_server import GitServer, serving_git

pytestmark = [pytest.mark.cluster, pytest.mark.slow]
MANIFEST = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: base}\n"
KUSTOMIZATION = "resources: ['https://github.com/org/other//base?ref=main']\n"
SECONDS = 30


@pytest.fixture
def server(folder: Path, kubectl: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[GitServer]:
    monkeypatch.setenv("PATH", str(kubectl.parent), prepend=":")
    monkeypatch.setenv("APPLYLINT_CACHE_DIR", str(folder / "cache"))
    monkeypatch.setenv("TMPDIR", str(folder / "tmp"))
    (folder / "tmp").mkdir()
    create(folder / "repo").commit({"app/kustomization.yaml": KUSTOMIZATION})
    with serving_git(folder / "served") as found:
        (folder / "repo" / "trusted.yaml").write_text(f"mirrors: {{github.com: 'http://127.0.0.1:{found.port}'}}\n")
        found.repository("org/other", {"base/kustomization.yaml": "resources: [a.yaml]\n", "base/a.yaml": MANIFEST})
        yield found


def fetching(folder: Path, prefix: str = "") -> subprocess.Popen[str]:
    command = f'{prefix}exec "{sys.executable}" -m kubectl_applylint fetch app --config trusted.yaml'
    return subprocess.Popen(
        ["/bin/sh", "-c", command], cwd=folder / "repo", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def entries(folder: Path, sort: str) -> list[str]:
    found = folder / "cache" / sort
    return sorted(os.listdir(found)) if found.is_dir() else []


def is_whole(folder: Path) -> bool:
    """Return whether a new run finds everything in the store, or can download it."""
    again = fetching(folder)
    printed, _ = again.communicate(timeout=SECONDS)
    assert again.returncode == 0, printed
    return len(entries(folder, "charts")) == len(entries(folder, "chart-index")) == 1


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_run_that_is_ended_leaves_a_whole_store(folder: Path, server: GitServer, number: signal.Signals) -> None:
    asked, may_answer, run = Event(), Event(), server.run

    def wait(method: str, path: str, headers: Any, body: bytes) -> bytes:
        asked.set()
        may_answer.wait(SECONDS)
        return run(method, path, headers, body)

    server.run = wait  # type: ignore[method-assign]  # another server
    process = fetching(folder)
    assert asked.wait(SECONDS)
    process.send_signal(number)
    process.communicate(timeout=SECONDS)
    may_answer.set()

    assert process.returncode != 0
    assert entries(folder, "chart-index") == []
    assert number is signal.SIGKILL or os.listdir(folder / "tmp") == []
    assert is_whole(folder)


def test_a_full_disk_is_a_reason(folder: Path, server: GitServer) -> None:
    noise = "".join(random.Random(1).choices("abcdefghijklmnop", k=400_000))
    server.repository("org/other", {"base/a.yaml": MANIFEST, "base/noise": noise})
    process = fetching(folder, "ulimit -f 64; ")  # blocks of 512 bytes; a larger file cannot be written
    printed, _ = process.communicate(timeout=SECONDS)

    assert process.returncode == 3, printed
    assert printed.splitlines()[1:] == [
        "applylint: app/kustomization.yaml:1: https://github.com/org/other other main: "
        f"git failed: {printed.partition('git failed: ')[2].strip()}"
    ]
    assert "died of signal" in printed
    assert entries(folder, "chart-index") == []
    assert is_whole(folder)


def test_two_runs_share_a_store(folder: Path, server: GitServer) -> None:
    both = [fetching(folder) for _ in range(2)]
    printed = [one.communicate(timeout=SECONDS)[0] for one in both]

    assert [one.returncode for one in both] == [0, 0], printed
    assert is_whole(folder)
