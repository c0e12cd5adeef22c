"""Entry points of the installed programs: each runs a function of ``cli`` and ends the process."""

import os
import sys
from typing import NoReturn, TextIO

from kubectl_applylint import cli


def applylint() -> NoReturn:
    """Run ``applylint``."""
    use_utf8_names()
    leave(cli.applylint())


def kubectl_applylint() -> NoReturn:
    """Run ``kubectl applylint``."""
    use_utf8_names()
    leave(cli.kubectl_applylint())


def kubectl_complete() -> NoReturn:
    """Run the completion command that kubectl calls."""
    leave(cli.kubectl_complete())


def use_utf8_names() -> None:
    """Start the program again in UTF-8 mode if names of files have another encoding, as with ``LC_ALL=C PYTHONUTF8=0``.

    Kustomizations and git name files in UTF-8. With another encoding these files would not be found.
    """
    if sys.getfilesystemencoding() != "utf-8" and sys.executable:
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])


def leave(code: int) -> NoReturn:
    """End the process with an exit code without freeing its memory.

    Freeing the objects of a run over 800 files takes a tenth of its time. The interpreter ends normally if something
    else needs it: threads, tracers, profilers, or streams with unwritten output.
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
    """Return whether threads, tracers or profilers are active."""
    threading = sys.modules.get("threading")
    has_threads = threading is not None and threading.active_count() > 1
    return has_threads or sys.gettrace() is not None or sys.getprofile() is not None
