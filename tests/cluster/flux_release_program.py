"""Renders with the libraries of the helm-controller, the program of ``tests/appliers_go/flux_release``."""

from collections.abc import Mapping
from pathlib import Path

from tests.cluster.build import applier

NAME = "flux_release"


def flux_release_program(environment: Mapping[str, str]) -> Path:
    """Return the program, built on first use; raise ``Unavailable`` without Go or when the build fails."""
    return applier(NAME, environment)
