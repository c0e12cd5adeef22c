"""The browser that the tests of the HTML page drive, and the rules of accessibility that it runs."""

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.cluster.build import Unavailable, cache_directory
from tests.npm import file_of

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
        script = file_of(_AXE, _SUM, "package/axe.min.js")
        cached.parent.mkdir(parents=True, exist_ok=True)
        cached.write_bytes(script)
    return cached.read_text(encoding="utf-8")
