"""``python -m kubectl_applylint`` is ``applylint``; in a clone that is not installed it prints how to install it."""

import sys
from importlib import import_module
from typing import Final

_INSTALL: Final = "python3 -m venv .venv && .venv/bin/pip install -e ."

try:
    # Only an installed package has its rules and its dependencies.
    import_module("kubectl_applylint.rules")
    from kubectl_applylint.cli.programs import applylint
except ImportError as fault:
    print(f"applylint: not installed ({fault}): run {_INSTALL}; afterwards .venv/bin/applylint", file=sys.stderr)
    raise SystemExit(2) from None

applylint()
