"""Runs programs, each in its own session, which is always terminated as a whole.

A child has no terminal, so it cannot prompt for a password. A keyboard interrupt does not reach it; the resulting
exception in this process terminates it.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from threading import Lock
from typing import Final

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.sources.system.pipes import exchange
from kubectl_applylint.sources.system.signals import delay_signals

_CAN_KILL_GROUPS: Final = hasattr(os, "killpg")
_PATIENCE: Final = 2.0
"""Seconds to wait for a child after killing it."""
_running: Final[dict[int, subprocess.Popen[bytes]]] = {}
_changing: Final = Lock()


@dataclass(frozen=True, slots=True)
class ProcessResult:
    """The exit status and the output of a program."""

    code: int
    stdout: bytes
    stderr: bytes


class TimedOutError(Exception):
    """Raised if a program exceeds its timeout; it was killed with all its children."""


def run(
    command: Sequence[str],
    *,
    timeout: float | None,
    env: Mapping[str, str] | None = None,
    cwd: str | None = None,
    stdin: bytes = b"",
    most_output: int | None = None,
    most_memory: int | None = None,
) -> ProcessResult:
    """Run a program to its end, and terminate the processes that it leaves behind.

    ``timeout`` is in seconds, ``env`` replaces the environment; ``most_output`` and ``most_memory`` are in bytes.
    Raises ``TimedOutError`` and ``TooMuchOutputError``, and ``OSError`` if it cannot be started.
    """
    process = _start(command, env, cwd, subprocess.PIPE if stdin else subprocess.DEVNULL)
    try:
        if most_memory is not None:
            _limit_memory(process, most_memory)
        stdout, stderr = exchange(process, stdin, timeout=timeout, most_output=most_output)
        return ProcessResult(process.returncode, stdout, stderr)
    except subprocess.TimeoutExpired:
        raise TimedOutError from None
    finally:
        _kill_group(process)


def _start(
    command: Sequence[str], env: Mapping[str, str] | None, cwd: str | None, stdin: int
) -> subprocess.Popen[bytes]:
    with delay_signals():
        process = subprocess.Popen(
            [*command],
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=None if env is None else {**env},
            cwd=cwd,
            start_new_session=True,
        )
        with _changing:
            _running[process.pid] = process
        return process


def _limit_memory(process: subprocess.Popen[bytes], most: int) -> None:
    """Limit the memory of a process and its children, if the system (Linux) supports that from outside.

    The limit counts writable memory. The address space is no measure: Go programs reserve a multiple.
    """
    if sys.platform == "linux":
        import resource  # noqa: PLC0415  there is no such module on Windows

        with suppress(ProcessLookupError, PermissionError, ValueError):
            resource.prlimit(process.pid, resource.RLIMIT_DATA, (most, most))


def end_all() -> None:
    """Kill every program that still runs, including those of threads, which no exception of the main thread reaches."""
    with _changing:
        running = [*_running.values()]
    for process in running:
        _kill(process)


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill the rest of the session, and wait for the process."""
    with delay_signals():
        _kill(process)
        with _changing:
            _running.pop(process.pid, None)
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=_PATIENCE)
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()


def _kill(process: subprocess.Popen[bytes]) -> None:
    if not _CAN_KILL_GROUPS:
        process.kill()
        return
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
