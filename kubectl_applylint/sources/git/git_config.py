"""Reads the configuration of git: that of a repository, of its user and of the system."""

import os
import re
from collections.abc import Iterator, Mapping
from typing import Final

from kubectl_applylint.core.regex import regex
from kubectl_applylint.sources.git.git_command import GitFailure, run

_REMOTE_URL: Final = regex(r"remote\..*\.url", re.DOTALL)
_TRUE: Final = ("true", "yes", "on", "1")
"""The values that git reads as true, in any case."""


def without_filters(root: str) -> Mapping[str, str]:
    """Return settings that disable every filter program for files of the work tree."""
    names = (name for name, _ in _settings(root) if name.startswith("filter."))
    drivers = dict.fromkeys(name.rpartition(".")[0] for name in names)
    off = {"clean": "", "smudge": "", "process": "", "required": "false"}
    return {f"{driver}.{key}": value for driver in drivers for key, value in off.items()}


def remotes(root: str) -> frozenset[str]:
    """Return the URLs of a repository's remotes, as configured."""
    return frozenset(value for name, value in _settings(root) if _REMOTE_URL.fullmatch(name))


def is_sparse(root: str) -> bool:
    """Return whether the work tree is a sparse checkout."""
    values = [value for name, value in _settings(root) if name == "core.sparsecheckout"]
    return bool(values) and values[-1].lower() in _TRUE


def _settings(root: str) -> Iterator[tuple[str, str]]:
    """Yield the settings in the order of their files; one without a value is true."""
    found = run(root, "config", "-z", "--list")
    # Each record is the name, a line break and the value.
    for record in () if isinstance(found, GitFailure) else filter(None, found.split(b"\0")):
        name, has_value, value = os.fsdecode(record).partition("\n")
        yield name, value if has_value else "true"
