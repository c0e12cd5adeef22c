"""Output: standard output, files and standard error, in UTF-8 regardless of the locale.

All output of the program passes through here, and is escaped for its reader.

Each of the three streams may be closed (``<&-``), in which case the interpreter sets it to ``None``.
"""

import errno
import io
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

from kubectl_applylint.config.configuration import ConfigError
from kubectl_applylint.core.problem import Problem, UnreadableError
from kubectl_applylint.core.safe_text import Target, one_line, page
from kubectl_applylint.sources.files.output_file import write_file
from kubectl_applylint.sources.files.output_folder import write_folder
from kubectl_applylint.sources.system.contents import MAX_BYTES

_LONGEST_WIDTH = 5
"""The maximum number of digits of a width."""
_held: list[str] | None = None
"""Captured standard output that is shown later."""


def use_utf8() -> None:
    """Make both streams accept any text: a name in a manifest must not end the run because LANG is C."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def say(program: str, texts: Iterable[str]) -> None:
    """Write lines about the run to standard error; if that fails, only the exit code reports them.

    In a terminal, lines wrap at words.
    """
    if sys.stderr is None:
        return
    columns = _columns(sys.stderr)
    with suppress(OSError):
        for text in texts:
            line = page(f"{program}: {one_line(text)}")
            print(_wrap(line, columns) if columns else line, file=sys.stderr)


def _wrap(line: str, columns: int) -> str:
    """Return a line wrapped at words."""
    from textwrap import fill  # noqa: PLC0415  2 ms, for lines that a terminal shows

    return fill(line, columns, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def read_stdin(size: int = MAX_BYTES + 1) -> bytes:
    """Return up to ``size`` bytes of standard input; raise ``OSError`` if it is closed.

    Standard input may be endless. The default is one byte more than the limit of manifests, to detect larger input.
    """
    if sys.stdin is None:
        raise OSError(errno.EBADF, "it is closed")
    return sys.stdin.buffer.read(size)


def write(text: str, file: str = "", target: Target = Target.TEXT, *, color: bool = False, links: bool = False) -> None:
    """Write a whole report to a file or standard output; raise ``ConfigError`` for an unwritable file.

    Raises ``UnreadableError`` if standard output is closed. ``target`` is the reader; ``color`` and ``links`` mark
    colours and links of ours. A reader who closes the pipe early (``| head``) is not an error. A file is written
    completely or not at all.
    """
    safe = page(text, target, color=color, links=links)
    if not file:
        if _held is None:
            put(safe)
        else:
            _held.append(safe)
        return
    try:
        write_file(file, safe.encode("utf-8", "backslashreplace"))
    except OSError as fault:
        raise ConfigError([f"{file}: cannot be written: {fault.strerror}"]) from None


def write_files(folder: str, files: Iterable[tuple[str, str]], target: Target, *, inner: Iterable[str] = ()) -> None:
    """Write files to a new or empty directory; raise ``ConfigError`` if that fails.

    ``files`` and ``inner`` are those of ``write_folder``.
    """
    safe = ((name, page(text, target).encode("utf-8", "backslashreplace")) for name, text in files)
    try:
        write_folder(folder, safe, inner)
    except OSError as fault:
        raise ConfigError([f"{folder}: cannot be written: {fault.strerror}"]) from None


@contextmanager
def capture_output() -> Iterator[list[str]]:
    """Capture the standard output of the block in a list."""
    global _held
    _held = pages = list[str]()
    try:
        yield pages
    finally:
        _held = None


def put(text: str) -> None:
    """Print escaped text to standard output; raise ``UnreadableError`` if it is closed."""
    if sys.stdout is None:
        raise UnreadableError(Problem("standard output", "it is closed, so there is no way to print", "leave it open"))
    try:
        print(text, end="", flush=True)
    except BrokenPipeError:
        # The interpreter flushes once more when it ends, and would complain then.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def is_terminal(stream: TextIO | None) -> bool:
    """Return whether the stream is an open terminal."""
    return stream is not None and not stream.closed and stream.isatty()


def width(file: str = "") -> int | None:
    """Return the columns of the terminal for text, or ``None`` for files and pipes."""
    return None if file else _columns(sys.stdout)


def _columns(stream: TextIO | None) -> int | None:
    """Return the width of a terminal, or ``None``."""
    if stream is None or not is_terminal(stream):
        return None
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and len(columns) <= _LONGEST_WIDTH and int(columns):
        return int(columns)
    try:
        return os.get_terminal_size(stream.fileno()).columns or None
    except OSError:
        return None
