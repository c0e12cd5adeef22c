"""Whether a declaration refers to the examined repository and revision."""

from collections.abc import Callable, Collection
from typing import Final

from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.regex import regex
from kubectl_applylint.units.declared import Declared

BRANCH: Final = "branch "
"""Prefix of a revision that is a branch."""
_VARIABLE: Final = regex(r"\$\{|\{\{|\$\(")
_BORDER: Final = regex("[/:]")
_USER: Final = regex("(?<=//)[^/@]*@")
_VERSION: Final = regex(r"[v^~=<>]*\s*[0-9]+(?:\.[0-9x*]+)+(?:[-+].*)?")
_COMMIT: Final = regex("[0-9a-f]{7,40}")


@dataclass(frozen=True, slots=True)
class Checkout:
    """The examined repository, and its revision."""

    remotes: frozenset[str] = frozenset()
    """The URLs of its remotes."""
    branches: Callable[[], Collection[str]] = field(default=frozenset, repr=False, compare=False)
    """Returns the branches that count as this revision; empty if unknown."""


def reason_for_other_files(declared: Declared, checkout: Checkout) -> str:
    """Return why a declaration refers to other files than the examined ones, empty if it does not."""
    if declared.other_source:
        return f"its source is {declared.other_source}"
    if not is_same_repository(declared.source, checkout.remotes):
        return f"its source is {_USER.sub('', declared.source.strip())}"
    return "" if _is_revision_here(declared.revision, checkout) else f"it applies {declared.revision}"


def _is_revision_here(revision: str, checkout: Checkout) -> bool:
    """Return whether a revision is the examined one. Without remotes the repository is unknown, so none is."""
    if not revision or not checkout.remotes or _VARIABLE.search(revision):
        return True
    branches = checkout.branches() if revision.startswith(BRANCH) else ("",)
    return not branches or revision.removeprefix(BRANCH) in branches


def revision_named(word: str) -> str:
    """Return the revision for a word that may be a branch, a tag, a version range or a commit."""
    name = word.strip().removeprefix("refs/heads/")
    if name in ("", "HEAD"):
        return ""
    if name.startswith("refs/tags/") or _VERSION.fullmatch(name):
        return f"tag {name.removeprefix('refs/tags/')}"
    return f"commit {name}" if _COMMIT.fullmatch(name) else f"{BRANCH}{name}"


def is_same_repository(source: str, remotes: Collection[str]) -> bool:
    """Return whether the URL of a repository refers to the one with these remotes.

    This is also assumed if it is unknown: if the source is empty or contains a variable, or there are no remotes to
    compare with. Otherwise the name decides, the last part of the path: scheme, user, host, port and ``.git`` differ
    between the spellings of one repository (``git@host:owner/name.git``, ``https://host/owner/name``), and the owner
    between it and its forks and mirrors, which have the same paths. If two repositories share a name, a path that both
    have gets the options of the wrong one.
    """
    if not source.strip() or _VARIABLE.search(source) or not remotes:
        return True
    return _name(source) in map(_name, remotes)


def _name(url: str) -> str:
    return _BORDER.split(url.strip().rstrip("/"))[-1].removesuffix(".git").lower()
