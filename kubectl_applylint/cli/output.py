"""Where text goes: standard output, files, standard error; always as UTF-8, whatever the locale says.

All that leaves the program leaves it here, and is made safe for what reads it on the way.

Each of the three streams may be closed (``<&-``), and then the interpreter has ``None`` in its place.
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
from kubectl_applylint.sources.system.contents import MAX_BYTES

_LONGEST_WIDTH = 5
"""Digits of a width that is believed."""
_held: list[str] | None = None
"""What was written to standard output where that is shown later."""


def use_utf8() -> None:
    """Make both streams take any text: a name from a manifest must not end the run because LANG is C."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def say(program: str, texts: Iterable[str]) -> None:
    """Write lines about the run itself to standard error; where that takes nothing, the exit code has to do.

    In a terminal they wrap at words.
    """
    if sys.stderr is None:
        return
    columns = _columns(sys.stderr)
    with suppress(OSError):
        for text in texts:
            line = page(f"{program}: {one_line(text)}")
            print(_wrapped(line, columns) if columns else line, file=sys.stderr)


def _wrapped(line: str, columns: int) -> str:
    from textwrap import fill  # noqa: PLC0415  2 ms, for lines that a terminal shows

    return fill(line, columns, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def read_stdin(size: int = MAX_BYTES + 1) -> bytes:
    """Return up to ``size`` bytes of standard input, which may have no end; raise ``OSError`` where it is closed.

    The default is one byte more than is looked at of manifests, which tells that there are too many.
    """
    if sys.stdin is None:
        raise OSError(errno.EBADF, "it is closed")
    return sys.stdin.buffer.read(size)


def write(
    text: str,
    file: str = "",
    target: Target = Target.TEXT,
    *,
    color: bool = False,
    links: bool = False,
) -> None:
    """Write a whole report to a file, or to standard output; raise ``ConfigError`` for a file that takes none.

    Raise ``Unreadable`` where standard output is closed. ``target`` is what reads it; ``color`` and ``links`` tell
    that it has colours and links of ours.
    A reader who has seen enough (``| head``) is no error. A file is written whole or not at all.
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


@contextmanager
def holding() -> Iterator[list[str]]:
    """Give a list that takes what this block writes to standard output, which is left to the caller."""
    global _held
    _held = pages = list[str]()
    try:
        yield pages
    finally:
        _held = None


def put(text: str) -> None:
    """Print safe text to standard output; raise ``Unreadable`` where that is closed."""
    if sys.stdout is None:
        raise UnreadableError(Problem("standard output", "it is closed, so there is no way to print", "leave it open"))
    try:
        print(text, end="", flush=True)
    except BrokenPipeError:
        # The interpreter flushes once more when it ends, and would complain then.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def is_terminal(stream: TextIO | None) -> bool:
    """Return whether somebody looks at the stream; a closed one has no reader."""
    return stream is not None and not stream.closed and stream.isatty()


def width(file: str = "") -> int | None:
    """Return the columns of the terminal that text goes to, ``None`` where it goes to a file or elsewhere."""
    return None if file else _columns(sys.stdout)


def _columns(stream: TextIO | None) -> int | None:
    if stream is None or not is_terminal(stream):
        return None
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and len(columns) <= _LONGEST_WIDTH and int(columns):
        return int(columns)
    try:
        return os.get_terminal_size(stream.fileno()).columns or None
    except OSError:
        return None
