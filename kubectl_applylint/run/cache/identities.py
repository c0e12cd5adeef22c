"""The identities of this program and of the tools that it starts, which are parts of the keys of cached values."""

import os
import shutil
import sys
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import kubectl_applylint
from kubectl_applylint.run.cache.pickled_records import canonical
from kubectl_applylint.sources.render.render_cache import identity_of

_TOOLS: Final = ("kubectl", "kustomize", "helm", "jsonnet")
_EXTRAS: Final = ("celpy", "re2")
"""The optional modules with which more rules of custom resources are evaluated."""


@cache
def program_identity() -> bytes:
    """Return a text that identifies this program: versions, and the content or the times of its files."""
    extras = [find_spec(name) is not None for name in _EXTRAS]
    own = canonical([kubectl_applylint.__version__, sys.version, extras])
    return own + files_identity(Path(kubectl_applylint.__file__).parent, kubectl_applylint.__version__)


def files_identity(package: Path, version: str) -> bytes:
    """Return what identifies the files of a package: the digests that an installer listed, else their sizes and times.

    With the digests, values are found again in a new installation, such as that of the next job in CI. An editable
    installation has no list beside the package.
    """
    try:
        return (package.parent / f"{package.name}-{version}.dist-info" / "RECORD").read_bytes()
    except OSError:
        return os.fsencode("\n".join(sorted(_module_stamps(package))))


def _module_stamps(folder: str | Path) -> Iterator[str]:
    """Yield each module of a package with its size and time; ``pathlib`` takes ten times as long."""
    with os.scandir(folder) as entries:
        for one in entries:
            if one.name.endswith(".py"):
                found = one.stat()
                yield f"{one.path} {found.st_size} {found.st_mtime_ns}"
            elif one.is_dir() and one.name != "__pycache__":
                yield from _module_stamps(one.path)


@cache
def tool_identities() -> tuple[bytes, ...]:
    """Return the identities of the programs that render manifests."""
    return tuple(identity_of(shutil.which(name) or "") for name in _TOOLS)
