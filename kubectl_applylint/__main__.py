"""``python -m kubectl_applylint`` is ``applylint``."""

from kubectl_applylint.cli.programs import applylint

applylint()
