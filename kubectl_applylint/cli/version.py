"""The output of ``--version -v``: the environment, for bug reports."""

import platform
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from typing import Final

import yaml

_LIBRARIES: Final = ("kubernetes", "jsonpath-ng", "Jinja2")
_EXTRAS: Final = {"cel-python": "cel", "google-re2": "re2", "pysocks": "socks"}
"""Optional libraries with the extra that installs each."""


def details() -> Iterator[str]:
    """Yield one line each for the interpreter, YAML, and each library."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    yield f"pure Python, run by {python} on {sys.platform} {platform.machine()}"
    yield f"PyYAML {version('PyYAML')} {'with' if yaml.__with_libyaml__ else 'without'} libyaml"
    yield from (f"{name} {version(name)}" for name in _LIBRARIES)
    for name, extra in _EXTRAS.items():
        try:
            yield f"{name} {version(name)}"
        except PackageNotFoundError:
            yield f"{name} is not installed (extra {extra})"
