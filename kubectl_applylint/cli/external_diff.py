"""The diff program of the user, ``KUBECTL_EXTERNAL_DIFF``, with two private directories, as in ``kubectl diff``."""

import os
from collections.abc import Sequence
from typing import Final

from kubectl_applylint.config.configuration import ConfigError
from kubectl_applylint.report.formats.unified_diff import ObjectDiff
from kubectl_applylint.sources.system.temporary import PrivateFolder, replace_file

_VARIABLE: Final = "KUBECTL_EXTERNAL_DIFF"
_DIFFERENT: Final = 1
"""The exit code of diff programs for differences; greater ones are errors."""


def show_diffs(command: str, diffs: Sequence[ObjectDiff]) -> None:
    """Show objects with a program and its options, separated by blanks; its directories are removed afterwards.

    Raises ``ConfigError`` if the program cannot be started or fails.
    """
    with (private := PrivateFolder()):
        suffix = os.path.basename(private.name).rpartition("-")[2]
        folders = [private.inner(f"{name}-{suffix}") for name in ("LIVE", "MERGED")]
        for one in diffs:
            _write(folders[0], one.name, one.before)
            _write(folders[1], one.name, one.after)
        code = _run([*command.split(), *folders])
    if code not in (0, _DIFFERENT):
        raise ConfigError([f"{_VARIABLE}: {command} failed with exit code {code}"])


def _write(folder: str, name: str, text: str) -> None:
    """Write one side of an object, if it exists."""
    if text:
        replace_file(os.path.join(folder, name), text.encode("utf-8", "backslashreplace"))


def _run(command: Sequence[str]) -> int:
    """Run a program on the terminal, and return its exit code."""
    import subprocess  # noqa: PLC0415  5 ms, for the few runs with such a program

    try:
        process = subprocess.Popen(command)
    except (OSError, ValueError) as fault:
        reason = getattr(fault, "strerror", None) or fault
        raise ConfigError([f"{_VARIABLE}: {command[0]} cannot be started: {reason}"]) from None
    try:
        return process.wait()
    except BaseException:
        process.terminate()
        process.wait()
        raise
