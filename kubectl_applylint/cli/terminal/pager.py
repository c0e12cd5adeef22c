"""Long output in a pager, as in git. Only the caller's environment names the pager.

Configuration files, which a repository controls, have no such option. Without a user who could leave it, no pager
starts: standard output must be the terminal of this process, in the foreground, and not of a CI job.
"""

import os
import shlex
import shutil
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import accumulate
from typing import Final

from kubectl_applylint.cli.terminal.hyperlinks import is_forced
from kubectl_applylint.cli.terminal.output import capture_output, is_terminal, put
from kubectl_applylint.core.safe_text import without_links
from kubectl_applylint.report.words import visible_columns

_VARIABLES: Final = ("APPLYLINT_PAGER", "PAGER")
"""Variables that name a pager, by precedence."""
_LESS: Final = "less"
_DEFAULTS: Final = {"LESS": "FRX", "LV": "-c"}
"""Default options of pagers: exit if the text fits, and show colours."""
_FOR_SHELL: Final = frozenset("|&;<>()$`\\\"'\n*?[#~=%")
"""Characters that only a shell interprets, so that a shell runs the command."""
_NOT_STARTED: Final = (126, 127)
"""Exit codes of a shell that cannot start a command."""


@contextmanager
def page_output(environ: Mapping[str, str], *, is_wanted: bool) -> Iterator[None]:
    """Show the standard output of the block in a pager if it is longer than the screen.

    Output before an exception is printed directly, and so is all output if no pager can be started.
    """
    if not (is_wanted and pager_of(environ) and has_reader(environ)):
        yield
        return
    is_done = False
    with capture_output() as pages:
        try:
            yield
            is_done = True
        finally:
            text = "".join(pages)
            if not (is_done and is_long(text) and show_in_pager(text, environ)):
                put(text)


def pager_of(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return the pager command of the environment, ``()`` for none (``cat``, or an empty value)."""
    text = next((environ[name] for name in _VARIABLES if name in environ), _LESS).strip()
    if text in ("", "cat"):
        return ()
    return ("sh", "-c", text) if _FOR_SHELL & set(text) else tuple(shlex.split(text))


def has_reader(environ: Mapping[str, str]) -> bool:
    """Return whether a user at the terminal can leave a pager on standard output."""
    if environ.get("CI") or environ.get("TERM", "dumb") == "dumb" or not is_terminal(sys.stdout):
        return False
    try:
        # Programs that give their children a terminal to make them print colours do not read it.
        return os.tcgetpgrp(sys.stdout.fileno()) == os.getpgrp()
    except (AttributeError, OSError):
        return False


def is_long(text: str) -> bool:
    """Return whether a text does not fit on the terminal together with the prompt."""
    size = shutil.get_terminal_size()
    rows = (max(1, -(-visible_columns(line) // max(size.columns, 1))) for line in text.splitlines())
    return any(total >= size.lines for total in accumulate(rows))


def show_in_pager(text: str, environ: Mapping[str, str]) -> bool:
    """Show a text in the pager until the user leaves it; return ``False`` if it cannot be started.

    Links are kept only if the caller forces them: older pagers print the escape sequences.
    """
    import subprocess  # noqa: PLC0415  5 ms, for the few runs that end in a pager

    kept = text if is_forced(environ) else without_links(text)
    try:
        pager = subprocess.Popen(pager_of(environ), stdin=subprocess.PIPE, env={**_DEFAULTS, **environ})
    except (OSError, ValueError):
        return False
    try:
        with _without_interrupts():
            # Leaving the pager early closes the pipe; communicate treats this as the end.
            pager.communicate(kept.encode("utf-8", "backslashreplace"))
    except BaseException:
        pager.terminate()
        raise
    return pager.returncode not in _NOT_STARTED


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Leave interrupts to the pager, which stops its current action and continues."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
