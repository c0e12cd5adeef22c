"""What is longer than the screen in a pager, as git shows it. Only the environment of the caller names the pager.

A repository cannot: no configuration file has such an option. Nor is there a pager where nobody could leave it: unless
standard output is the terminal that this process was started from, in the foreground, and not that of a CI job.
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

from kubectl_applylint.cli.hyperlinks import is_forced
from kubectl_applylint.cli.output import holding, is_terminal, put
from kubectl_applylint.core.safe_text import without_links
from kubectl_applylint.report.words import visible_columns

_VARIABLES: Final = ("APPLYLINT_PAGER", "PAGER")
"""What names a pager, the first one that is set."""
_LESS: Final = "less"
_DEFAULTS: Final = {"LESS": "FRX", "LV": "-c"}
"""How pagers behave unless the caller says otherwise: they end at once where all fits, and show colours."""
_FOR_SHELL: Final = frozenset("|&;<>()$`\\\"'\n*?[#~=%")
"""Characters with a meaning to a shell, which then runs the command."""
_NOT_STARTED: Final = (126, 127)
"""What a shell ends with that cannot start a command."""


@contextmanager
def paged(environ: Mapping[str, str], *, is_wanted: bool) -> Iterator[None]:
    """Show in a pager what this block writes to standard output, where that is longer than the screen.

    What was written before an exception is printed as it is, and so is all that no pager can be started for.
    """
    if not (is_wanted and pager_of(environ) and has_reader(environ)):
        yield
        return
    is_done = False
    with holding() as pages:
        try:
            yield
            is_done = True
        finally:
            text = "".join(pages)
            if not (is_done and is_long(text) and shown(text, environ)):
                put(text)


def pager_of(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return the command that the environment names as a pager, nothing for none (``cat``, or an empty value)."""
    text = next((environ[name] for name in _VARIABLES if name in environ), _LESS).strip()
    if text in ("", "cat"):
        return ()
    return ("sh", "-c", text) if _FOR_SHELL & set(text) else tuple(shlex.split(text))


def has_reader(environ: Mapping[str, str]) -> bool:
    """Return whether somebody at the keyboard can leave a pager on standard output."""
    if environ.get("CI") or environ.get("TERM", "dumb") == "dumb" or not is_terminal(sys.stdout):
        return False
    try:
        # Programs that give their children a terminal to make them print colours do not read it.
        return os.tcgetpgrp(sys.stdout.fileno()) == os.getpgrp()
    except (AttributeError, OSError):
        return False


def is_long(text: str) -> bool:
    """Return whether a text leaves no line of the terminal for the prompt after it."""
    size = shutil.get_terminal_size()
    rows = (max(1, -(-visible_columns(line) // max(size.columns, 1))) for line in text.splitlines())
    return any(total >= size.lines for total in accumulate(rows))


def shown(text: str, environ: Mapping[str, str]) -> bool:
    """Show a text in the pager until the reader leaves it; return ``False`` where it cannot be started.

    It gets links only where the caller forces them: older pagers show the sequences.
    """
    import subprocess  # noqa: PLC0415  5 ms, for the few runs that end in a pager

    kept = text if is_forced(environ) else without_links(text)
    try:
        pager = subprocess.Popen(pager_of(environ), stdin=subprocess.PIPE, env={**_DEFAULTS, **environ})
    except (OSError, ValueError):
        return False
    try:
        with _without_interrupts():
            # Whoever leaves the pager early closes the pipe, which communicate takes for the end.
            pager.communicate(kept.encode("utf-8", "backslashreplace"))
    except BaseException:
        pager.terminate()
        raise
    return pager.returncode not in _NOT_STARTED


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Leave interrupts to the pager, which stops with them what it does and stays."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
