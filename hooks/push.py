"""What the hook ``applylint-push`` runs: ``check`` on what is pushed, compared with what the other side has.

``PRE_COMMIT_FROM_REF`` and ``PRE_COMMIT_TO_REF`` name both. The first is not set where the other side has nothing yet.
"""

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from kubectl_applylint.cli import applylint
from kubectl_applylint.cli.programs import leave

_NOTHING = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
"""The id of the tree without files, which is in every repository."""


def main(argv: Sequence[str] | None = None) -> int:
    """Check what the push changes and return the exit code; the hook's ``args`` are those of ``applylint check``."""
    there, here = os.environ.get("PRE_COMMIT_FROM_REF"), os.environ.get("PRE_COMMIT_TO_REF")
    compared = f"{there or _NOTHING}..{here or 'HEAD'}"
    return applylint(["check", "--against", compared, *(sys.argv[1:] if argv is None else argv)])


def run() -> NoReturn:
    """Be the program that the hook starts, and end the process."""
    leave(main())


if __name__ == "__main__":
    run()
