"""``python -m kubectl_applylint`` is ``applylint``."""

from kubectl_applylint.cli import applylint

raise SystemExit(applylint())
