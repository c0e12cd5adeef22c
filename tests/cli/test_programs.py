"""Tests for kubectl_applylint.cli.programs; what the programs print and end with is in test_process.py."""

import subprocess
import sys

import pytest

LEAVE = "from kubectl_applylint.cli.programs import leave"
AT_EXIT = "import atexit; atexit.register(print, 'freed')"


def run_python(*lines: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("code", [0, 1, 3])
def test_a_process_ends_with_the_code_and_all_that_was_written(code: int) -> None:
    done = run_python(
        LEAVE, "import sys", "print('out', end=''); print('err', end='', file=sys.stderr)", f"leave({code})"
    )

    assert (done.returncode, done.stdout, done.stderr) == (code, "out", "err")


def test_an_exit_skips_the_shutdown_of_the_interpreter() -> None:
    assert run_python(AT_EXIT, LEAVE, "leave(0)").stdout == ""


@pytest.mark.parametrize(
    "watch",
    [
        "import threading, time; threading.Thread(target=time.sleep, args=(0.1,)).start()",
        "import sys; sys.setprofile(lambda *_: None)",
        "import sys; sys.settrace(lambda *_: None)",
    ],
    ids=["thread", "profiler", "tracer"],
)
def test_an_observer_of_the_process_sees_its_end(watch: str) -> None:
    done = run_python(AT_EXIT, LEAVE, watch, "leave(1)")

    assert (done.returncode, done.stdout) == (1, "freed\n")


def test_a_closed_stream_changes_no_code() -> None:
    assert run_python(LEAVE, "import sys; sys.stdout.close()", "leave(1)").returncode == 1


def test_a_process_without_streams_ends_with_the_code() -> None:
    assert run_python(LEAVE, "import sys; sys.stdout = sys.stderr = None", "leave(1)").returncode == 1
