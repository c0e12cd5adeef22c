"""How long things take: ``python -m bench`` measures and prints a table.

Times differ from machine to machine and from minute to minute, so that what counts are ratios of times that were taken
in one run, and numbers of requests.
"""

from importlib.util import find_spec

if find_spec("kubernetes_validate") is None:
    raise SystemExit("bench: not installed: run python3 -m venv .venv && .venv/bin/pip install -e '.[test]'")
