"""Programs that are started: what they print, and that nothing of them is left behind. Real processes all."""

import signal
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

from kubectl_applylint.sources.system import subprocesses
from kubectl_applylint.sources.system.subprocesses import ProcessResult, TimedOutError, run


def is_alive(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def wait_for(file: Path) -> int:
    """Return the number that a program writes to a file."""
    for _ in range(1000):
        if file.exists() and file.read_text().endswith("\n"):
            return int(file.read_text())
        time.sleep(0.01)
    raise AssertionError(f"nothing came of {file}")


def is_gone(process: int) -> bool:
    for _ in range(500):
        if not is_alive(process):
            return True
        time.sleep(0.01)
    return False


def test_a_program_gets_and_gives_bytes(tmp_path: Path) -> None:
    done = run(["sh", "-c", "cat; pwd >&2; exit 3"], timeout=20, stdin=b"x\xff", cwd=str(tmp_path))

    assert done == ProcessResult(3, b"x\xff", f"{tmp_path}\n".encode())


def test_a_program_has_no_terminal_and_only_the_given_environment() -> None:
    done = run(["/usr/bin/env"], timeout=20, env={"ONLY": "this"})

    assert done.stdout == b"ONLY=this\n"
    assert run([sys.executable, "-c", "import os; print(os.getsid(0) == os.getpid())"], timeout=20).stdout == b"True\n"


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no /proc here")
@pytest.mark.parametrize("end", ["wait", "exit"], ids=["too late", "in time"])
def test_children_of_a_program_end_with_it(tmp_path: Path, end: str) -> None:
    with suppress(TimedOutError):
        run(["sh", "-c", f"sleep 60 >/dev/null 2>&1 & echo $! > {tmp_path}/pid; {end}"], timeout=1)

    assert is_gone(wait_for(tmp_path / "pid"))
    assert subprocesses._running == {}


def test_those_of_other_threads_can_be_ended(tmp_path: Path) -> None:
    found: list[int] = []
    thread = threading.Thread(
        target=lambda: found.append(run(["sh", "-c", f"echo $$ > {tmp_path}/pid; exec sleep 60"], timeout=50).code)
    )
    thread.start()
    wait_for(tmp_path / "pid")
    until = time.monotonic() + 20
    while thread.is_alive() and time.monotonic() < until:
        subprocesses.end_all()
        thread.join(0.05)

    assert found == [-signal.SIGKILL]


def test_a_program_that_is_not_there_is_an_error() -> None:
    with pytest.raises(FileNotFoundError):
        run(["/no/such/program"], timeout=1)
