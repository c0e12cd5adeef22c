"""Whether the URL of a repository means the one that is looked at."""

from collections.abc import Collection
from typing import Final

from kubectl_applylint.core.regex import regex

_VARIABLE: Final = regex(r"\$\{|\{\{|\$\(")
_BORDER: Final = regex("[/:]")


def is_here(source: str, remotes: Collection[str]) -> bool:
    """Tell whether a repository that something names by its URL is the one that has these remotes.

    It is where nothing tells another one: the source is empty or has a variable in it, or there are no remotes to
    compare with. Otherwise the name decides, the last part of the path: scheme, user, host, port and ``.git`` differ
    between the spellings of one repository (``git@host:owner/name.git``, ``https://host/owner/name``), and the owner
    between it and its forks and mirrors, which have the same paths. Where two repositories share a name,
    a path that both have gets the options of the wrong one.
    """
    if not source.strip() or _VARIABLE.search(source) or not remotes:
        return True
    return _name(source) in map(_name, remotes)


def _name(url: str) -> str:
    return _BORDER.split(url.strip().rstrip("/"))[-1].removesuffix(".git").lower()
