"""Signals that end the program: the exit code, and that folders and children go. Real processes all."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kubectl_applylint.cli.terminal.endings import Ended, ending_cleanly
from tests.cli.test_process import PROGRAM, as_in_foreground
from tests.sources.render.test_kustomize import program
from tests.sources.system.test_subprocesses import is_gone, wait_for

CODES = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129, signal.SIGQUIT: 131}
MANIFEST = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"


@pytest.fixture(name="waiting")
def _waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a kustomization, and programs that would render it in a minute, with a child of their own."""
    for name in ("bin", "tmp", "app/templates"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "app/kustomization.yaml").write_text("resources: [one.yaml]\n")
    (tmp_path / "app/one.yaml").write_text(MANIFEST)
    (tmp_path / "app/Chart.yaml").write_text("apiVersion: v2\nname: app\nversion: 0.1.0\n")
    for name in ("kustomize", "helm"):
        program(tmp_path, name, f'sleep 60 & echo $! > "{tmp_path}/child"; echo $$ > "{tmp_path}/pid"; wait')
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("number", CODES, ids=lambda number: signal.Signals(number).name)
@pytest.mark.parametrize("named", ["app", "helm:app"])
def test_folders_and_children_go_with_the_program(waiting: Path, named: str, number: signal.Signals) -> None:
    command = [*PROGRAM, "check", named, "--against", "none"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, preexec_fn=as_in_foreground) as process:
        found = [wait_for(waiting / "pid"), wait_for(waiting / "child")]
        process.send_signal(number)
        _, err = process.communicate(timeout=20)

    assert process.returncode == CODES[number]
    assert "Traceback" not in err.decode()
    assert [is_gone(each) for each in found] == [True, True]
    assert list((waiting / "tmp").iterdir()) == []


def copies(folder: Path) -> list[Path]:
    """Return the copies of a file of the revision, which is rendered at the same time as the work tree."""
    for _ in range(100):
        found = list(folder.rglob("one.yaml"))
        if found:
            return found
        time.sleep(0.1)
    return []


@pytest.mark.slow
def test_a_copy_of_a_revision_is_deleted_with_the_program(waiting: Path) -> None:
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "x"]):
        identity = ["-c", "user.name=t", "-c", "user.email=t@example.com"]
        subprocess.run(["git", *identity, *command], check=True, cwd=waiting)
    (waiting / "app/one.yaml").write_text(MANIFEST + "data: {a: b}\n")
    command = [*PROGRAM, "check", "app", "--against", "HEAD"]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        found = wait_for(waiting / "pid")
        inside = copies(waiting / "tmp")
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=20)

    assert inside
    assert (process.returncode, is_gone(found)) == (143, True)
    assert list((waiting / "tmp").iterdir()) == []


@pytest.mark.slow
def test_an_ignored_signal_stays_ignored() -> None:
    script = (
        "import os, signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "from kubectl_applylint.cli.terminal.endings import ending_cleanly\n"
        "with ending_cleanly(): os.kill(os.getpid(), signal.SIGHUP); print('still here')"
    )

    assert subprocess.run([sys.executable, "-c", script], capture_output=True, check=True).stdout == b"still here\n"


def test_handlers_are_as_before_afterwards() -> None:
    before = [signal.getsignal(number) for number in CODES]
    with pytest.raises(Ended) as ended, ending_cleanly():
        os.kill(os.getpid(), signal.SIGTERM)

    assert (ended.value.code, ended.value.name) == (143, "SIGTERM")
    assert [signal.getsignal(number) for number in CODES] == before
