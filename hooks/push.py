"""The hook ``applylint-push``: runs ``check`` on the pushed commits, compared with the remote branch.

``PRE_COMMIT_TO_REF`` is the pushed commit, and ``PRE_COMMIT_FROM_REF`` that of the remote, not set for a new branch.
"""

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from kubectl_applylint.cli import applylint
from kubectl_applylint.cli.programs import leave, use_utf8_names

_EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
"""The id of the empty tree, which every repository has."""


def main(argv: Sequence[str] | None = None) -> int:
    """Check the changes of the push and return the exit code; the hook's ``args`` are those of ``applylint check``."""
    remote, local = os.environ.get("PRE_COMMIT_FROM_REF"), os.environ.get("PRE_COMMIT_TO_REF")
    compared = f"{remote or _EMPTY_TREE}..{local or 'HEAD'}"
    return applylint(["check", "--against", compared, *(sys.argv[1:] if argv is None else argv)])


def run() -> NoReturn:
    """Run the hook and exit the process with its exit code."""
    use_utf8_names()
    leave(main())


if __name__ == "__main__":
    run()
