"""What the hook ``applylint-changed`` runs: ``check`` on what is staged, compared with the last commit."""

import sys
from collections.abc import Sequence
from typing import NoReturn

from kubectl_applylint.cli import applylint
from kubectl_applylint.cli.programs import leave


def main(argv: Sequence[str] | None = None) -> int:
    """Check what the commit changes and return the exit code; the hook's ``args`` are those of ``applylint check``."""
    return applylint(["check", "--against", "HEAD..index", *(sys.argv[1:] if argv is None else argv)])


def run() -> NoReturn:
    """Be the program that the hook starts, and end the process."""
    leave(main())


if __name__ == "__main__":
    run()
