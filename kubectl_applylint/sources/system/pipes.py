"""Exchanges data with a started program, with limits of time and size."""

import os
import select
import selectors
import subprocess
import time
from contextlib import suppress
from typing import IO, Final

_CHUNK: Final = 1 << 16


class TooMuchOutputError(Exception):
    """Raised if a program prints more than the limit."""


def exchange(
    process: subprocess.Popen[bytes], stdin: bytes, *, timeout: float | None, most_output: int | None
) -> tuple[bytes, bytes]:
    """Write standard input, and return standard output and standard error after the process has ended.

    ``most_output`` limits the sum of both. Raises ``TooMuchOutputError`` and ``subprocess.TimeoutExpired``.
    """
    if os.name != "posix":
        return process.communicate(stdin or None, timeout=timeout)
    end = None if timeout is None else time.monotonic() + timeout
    printed = {pipe: bytearray() for pipe in (process.stdout, process.stderr) if pipe is not None}
    with selectors.DefaultSelector() as selector:
        if process.stdin is not None:
            selector.register(process.stdin, selectors.EVENT_WRITE)
        for pipe in printed:
            selector.register(pipe, selectors.EVENT_READ)
        unwritten = memoryview(stdin)
        while selector.get_map():
            ready = _ready(selector, process, end)
            if process.stdin is not None and process.stdin in ready:
                unwritten = _write(process.stdin, unwritten, selector)
            for pipe in ready & printed.keys():
                _read(pipe, printed[pipe], selector)
            if most_output is not None and sum(map(len, printed.values())) > most_output:
                raise TooMuchOutputError
    process.wait(_remaining_seconds(end))
    stdout, stderr = (b"" if pipe is None else bytes(printed[pipe]) for pipe in (process.stdout, process.stderr))
    return stdout, stderr


def _ready(selector: selectors.BaseSelector, process: subprocess.Popen[bytes], end: float | None) -> set[IO[bytes]]:
    """Return the pipes that can be read or written; raises ``subprocess.TimeoutExpired`` after the timeout."""
    left = _remaining_seconds(end)
    ready = selector.select(left)
    if not ready and left is not None:
        raise subprocess.TimeoutExpired(process.args, left)
    return {key.fileobj for key, _ in ready}  # type: ignore[misc]  # only pipes are registered


def _remaining_seconds(end: float | None) -> float | None:
    return None if end is None else max(0.0, end - time.monotonic())


def _write(pipe: IO[bytes], content: memoryview, selector: selectors.BaseSelector) -> memoryview:
    """Write as much as a ready pipe accepts, and close it after the last byte; return the rest."""
    with suppress(BrokenPipeError):
        content = content[os.write(pipe.fileno(), content[: select.PIPE_BUF]) :]
        if content:
            return content
    selector.unregister(pipe)
    with suppress(BrokenPipeError):
        pipe.close()
    return content[:0]


def _read(pipe: IO[bytes], printed: bytearray, selector: selectors.BaseSelector) -> None:
    """Append the available data of a pipe, and unregister the pipe at its end."""
    piece = os.read(pipe.fileno(), _CHUNK)
    printed += piece
    if not piece:
        selector.unregister(pipe)
