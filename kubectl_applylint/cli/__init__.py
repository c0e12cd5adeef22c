"""Entry points of the two programs: ``applylint`` and the kubectl plugin ``kubectl-applylint``.

A start imports only this module until the command is known. The rest takes six times as long to load as the
interpreter, and ``--version``, which every installer and hook calls, needs none of it.
"""

import gc
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress

from kubectl_applylint import __version__
from kubectl_applylint.cli.parsing.names import COMPLETE, PLUGIN

_INCOMPLETE = 3
_INSTALL = "run python3 -m pip install kubectl-applylint, or in a clone: python3 -m pip install -e ."


def applylint(argv: Sequence[str] | None = None) -> int:
    """Run the program for hooks, CI and shells; return its exit code."""
    return _run("applylint", argv)


def kubectl_applylint(argv: Sequence[str] | None = None) -> int:
    """Run the kubectl plugin; return its exit code."""
    return _run(PLUGIN, argv)


def kubectl_complete(argv: Sequence[str] | None = None) -> int:
    """Print completions for kubectl; the last argument, possibly empty, is the word being typed."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    return _run(PLUGIN, [COMPLETE, *arguments])


def _run(program: str, argv: Sequence[str] | None) -> int:
    """Run a program and return its exit code; report interrupts, missing modules and output errors."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    try:
        return _start(program, arguments)
    except KeyboardInterrupt:
        print(f"{program}: interrupted", file=sys.stderr)
        return 130
    except ModuleNotFoundError as fault:
        print(f"{program}: {fault.name} is not installed; {_INSTALL}", file=sys.stderr)
        return 2
    except OSError as fault:
        # Standard output is broken: do not flush its buffer again at exit.
        sys.stdout = None
        if isinstance(fault, BrokenPipeError):
            return 0
        if sys.stderr is not None:
            print(f"{program}: standard output: {fault.strerror}", file=sys.stderr)
        return _INCOMPLETE


def _start(program: str, arguments: Sequence[str]) -> int:
    """Print the version or run the command; return the exit code."""
    if arguments[:1] == ["--version"]:
        print("\n".join((f"{program} {__version__}", *_details(arguments[1:]))), flush=True)
        return 0
    # Objects of the start-up live to the end: collecting garbage took a fifth of a short run.
    gc.set_threshold(500_000, 50, 50)
    from kubectl_applylint.cli.terminal.endings import Ended, ending_cleanly  # noqa: PLC0415  4 ms, see above

    try:
        with ending_cleanly():
            from kubectl_applylint.cli.main import main  # noqa: PLC0415  90 ms, see above

            return main(program, arguments)
    except Ended as ended:
        # The terminal may be closed already.
        with suppress(OSError):
            print(f"{program}: terminated by {ended.name}", file=sys.stderr)
        return ended.code


def _details(flags: Sequence[str]) -> Iterable[str]:
    """Return the lines that ``-v`` adds to the version."""
    if not any(flag.startswith(("-v", "--v")) for flag in flags):
        return ()
    from kubectl_applylint.cli.version import details  # noqa: PLC0415  40 ms, for -v alone

    return details()
