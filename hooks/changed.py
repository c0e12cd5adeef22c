"""The hook ``applylint-changed``: runs ``check`` on the staged files, compared with the last commit."""

import sys
from collections.abc import Sequence
from typing import NoReturn

from kubectl_applylint.cli import applylint
from kubectl_applylint.cli.programs import leave, use_utf8_names


def main(argv: Sequence[str] | None = None) -> int:
    """Check the staged changes and return the exit code; the hook's ``args`` are those of ``applylint check``."""
    return applylint(["check", "--against", "HEAD..index", *(sys.argv[1:] if argv is None else argv)])


def run() -> NoReturn:
    """Run the hook and exit the process with its exit code."""
    use_utf8_names()
    leave(main())


if __name__ == "__main__":
    run()
