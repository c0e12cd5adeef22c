"""The flags of ``kubectl apply`` that the user's kuberc sets by default."""

import os
from collections.abc import Container, Sequence
from pathlib import Path

from kubectl_applylint.cli.terminal.output import say
from kubectl_applylint.config.configuration import ConfigError
from kubectl_applylint.config.kuberc import (
    FOLLOWED,
    NOT_FOLLOWED,
    FlagDefault,
    KubercFile,
    UnreadableKubercError,
    apply_defaults,
    is_typed,
    kuberc_file,
)


def kuberc_flags(program: str, argv: Sequence[str], flag: str, version: str, configured: Container[str]) -> list[str]:
    """Return the default flags for a command line, and report them in one line.

    ``flag`` is the value of ``--kuberc``, ``version`` that of kubectl. Flags on the command line, and options that are
    ``configured``, have precedence.
    """
    file = kuberc_file(flag, os.environ, os.path.expanduser("~"), version)
    defaults = _read(program, file) if file else ()
    open_ones = [one for one in defaults if one.name not in configured and not is_typed(one.name, argv)]
    used = [str(one) for one in open_ones if one.name in FOLLOWED]
    ignored = sorted({f"--{one.name}" for one in open_ones if one.name in NOT_FOLLOWED})
    if file and (used or ignored):
        parts = [f"uses {' '.join(used)}" if used else "", f"ignores {' '.join(ignored)}" if ignored else ""]
        say(program, [f"{file.path}: {' and '.join(filter(None, parts))} of the defaults of apply"])
    return used


def _read(program: str, file: KubercFile) -> tuple[FlagDefault, ...]:
    """Return the defaults of a kuberc; like kubectl, continue without a broken file that the user did not name."""
    try:
        return apply_defaults(Path(file.path).read_text(encoding="utf-8"), file.path)
    except FileNotFoundError as fault:
        reason = fault.strerror if file.is_named else ""
    except OSError as fault:
        reason = fault.strerror
    except UnicodeDecodeError:
        reason = "the file is not UTF-8"
    except UnreadableKubercError as fault:
        reason = str(fault)
    if reason and file.is_named:
        raise ConfigError([f"kuberc {file.path}: {reason}"])
    if reason:
        say(program, [f"continues without kuberc {file.path}: {reason}"])
    return ()
