"""The entry points of the installed programs: each runs one of ``cli``, and ends the process with its exit code."""

import os
import sys
from typing import NoReturn, TextIO

from kubectl_applylint import cli


def applylint() -> NoReturn:
    """Be ``applylint``."""
    leave(cli.applylint())


def kubectl_applylint() -> NoReturn:
    """Be ``kubectl applylint``."""
    leave(cli.kubectl_applylint())


def kubectl_complete() -> NoReturn:
    """Be what kubectl asks for completions."""
    leave(cli.kubectl_complete())


def leave(code: int) -> NoReturn:
    """End the process with an exit code, and leave its memory to the system.

    To free what a run over 800 files has made, object by object, takes a tenth of its time. The interpreter ends as
    usual where somebody else has something left to do: threads, tracers and profilers, streams that take no more.
    """
    if _is_watched() or not all(map(_is_flushed, (sys.stdout, sys.stderr))):
        raise SystemExit(code)
    os._exit(code)


def _is_flushed(stream: TextIO | None) -> bool:
    try:
        if stream is not None:
            stream.flush()
    except (OSError, ValueError):
        return False
    return True


def _is_watched() -> bool:
    # Who has not imported it has no threads.
    threading = sys.modules.get("threading")
    has_threads = threading is not None and threading.active_count() > 1
    return has_threads or sys.gettrace() is not None or sys.getprofile() is not None
