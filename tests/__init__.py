from importlib.util import find_spec

if find_spec("hypothesis") is None:
    raise SystemExit("the tests are not installed: run ./scripts/test; afterwards .venv/bin/python -m pytest")
