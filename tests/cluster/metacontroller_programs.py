"""The real Metacontroller, and a program that answers what its packages make of children; built once and kept.

Its module does not have the name that it is published under, so that nothing can import it: all is built in a copy.
"""

import hashlib
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.cluster.build import Unavailable, cache_directory, go_version, lock

VERSION: Final = "v1.5.20"
DEFINITIONS: Final = "definitions.yaml"
"""The file with the definitions of Metacontroller's own kinds."""
_MODULE: Final = f"github.com/metacontroller/metacontroller@{VERSION}"
_SOURCES: Final = Path(__file__).parent.parent / "metacontroller"


def metacontroller_programs(environment: Mapping[str, str]) -> Path:
    """Return the folder with ``update``, ``metacontroller`` and ``DEFINITIONS``.

    Raises ``Unavailable`` where they cannot be built.
    """
    cache = cache_directory(environment)
    sources = b"".join(file.read_bytes() for file in sorted(_SOURCES.rglob("*.go")))
    digest = hashlib.sha256(f"{go_version()}\0".encode() + sources).hexdigest()[:16]
    folder = cache / f"metacontroller-{VERSION}-{digest}"
    with lock(cache):
        if not folder.is_dir():
            _build(folder)
    return folder


def _build(folder: Path) -> None:
    """Build next to ``folder`` and move the result there, so that an interrupted build leaves nothing half made."""
    # The checksum database has none for modules under another name than their own.
    environment = {**os.environ, "GONOSUMDB": "github.com/metacontroller/*", "CGO_ENABLED": "0"}
    module = json.loads(_go(["mod", "download", "-json", _MODULE], folder.parent, environment))["Dir"]
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        copy, result = Path(scratch, "module"), Path(scratch, "programs")
        shutil.copytree(module, copy, copy_function=shutil.copyfile)
        for each in [copy, *copy.rglob("*")]:
            each.chmod(0o755)
        shutil.copytree(_SOURCES / "update", copy / "update")
        result.mkdir()
        _go(["build", "-ldflags", "-s -w", "-o", f"{result}{os.sep}", "./update", "."], copy, environment)
        shutil.copyfile(copy / "manifests" / "production" / "metacontroller-crds-v1.yaml", result / DEFINITIONS)
        result.rename(folder)


def _go(arguments: list[str], folder: Path, environment: Mapping[str, str]) -> str:
    run = subprocess.run(["go", *arguments], cwd=folder, env=environment, capture_output=True, text=True)
    if run.returncode:
        raise Unavailable(f"go {' '.join(arguments)} failed: {run.stderr[-2000:]}")
    return run.stdout
