"""The real ``jsonnet``, built from the module ``tests/appliers_go/jsonnet``."""

from collections.abc import Mapping
from pathlib import Path

from tests.cluster.build import applier

_PACKAGE = "github.com/google/go-jsonnet/cmd/jsonnet"


def jsonnet_program(environment: Mapping[str, str]) -> Path:
    """Return the program, built on first use; raise ``Unavailable`` without Go or when the build fails."""
    return applier("jsonnet", environment, _PACKAGE)
