"""The browser that the tests of the HTML page drive, and the rules of accessibility that it runs."""

import hashlib
import shutil
import subprocess
import tarfile
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.cluster.build import Unavailable, cache_directory

_BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome")
_AXE: Final = "axe-core@4.11.0"
_SUM: Final = (
    "8a561a9c453cbf1c417b1a4977c716338125490ab841cb422ca8a1d1349f8c87"
    "c24137b21ffeb356b98825f2cfaca4ca2516e21be71f9d96d02230252661758d"
)
"""The SHA-512 of the package."""


def chromium() -> Path:
    """Return a Chromium of this machine; raise ``Unavailable`` where there is none."""
    found = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if found is None:
        raise Unavailable("Chromium is not installed: apt-get install chromium")
    return Path(found)


def axe(environment: Mapping[str, str]) -> str:
    """Return the script of axe-core, from the cache if it was fetched before; raise ``Unavailable`` without npm."""
    cached = cache_directory(environment) / f"{_AXE}.js"
    if not cached.is_file():
        script = _fetched()
        cached.parent.mkdir(parents=True, exist_ok=True)
        cached.write_text(script, encoding="utf-8")
    return cached.read_text(encoding="utf-8")


def _fetched() -> str:
    if shutil.which("npm") is None:
        raise Unavailable(f"npm, which fetches {_AXE}, is not installed")
    with TemporaryDirectory() as scratch:
        run = subprocess.run(["npm", "pack", _AXE], cwd=scratch, capture_output=True, text=True)
        packages = list(Path(scratch).glob("*.tgz"))
        if run.returncode or not packages:
            raise Unavailable(f"npm pack {_AXE} failed: {run.stderr[-2000:]}")
        return script_of(packages[0])


def script_of(package: Path) -> str:
    """Return the script that a package of axe-core holds, if it is the one that is expected."""
    if hashlib.sha512(package.read_bytes()).hexdigest() != _SUM:
        raise Unavailable(f"{package.name} is not the {_AXE} that the tests expect")
    with tarfile.open(package) as files:
        member = files.extractfile("package/axe.min.js")
        assert member
        return member.read().decode()
