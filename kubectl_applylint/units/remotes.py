"""Whether the repository and the revision that a declaration names are the ones that are looked at."""

from collections.abc import Callable, Collection
from typing import Final

from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.regex import regex
from kubectl_applylint.units.declared import Declared

BRANCH: Final = "branch "
"""How a revision begins that is a branch."""
_VARIABLE: Final = regex(r"\$\{|\{\{|\$\(")
_BORDER: Final = regex("[/:]")
_USER: Final = regex("(?<=//)[^/@]*@")
_VERSION: Final = regex(r"[v^~=<>]*\s*[0-9]+(?:\.[0-9x*]+)+(?:[-+].*)?")
_COMMIT: Final = regex("[0-9a-f]{7,40}")


@dataclass(frozen=True, slots=True)
class Checkout:
    """The repository that is looked at, and its revision."""

    remotes: frozenset[str] = frozenset()
    """The URLs of its remotes."""
    branches: Callable[[], Collection[str]] = field(default=frozenset, repr=False, compare=False)
    """Gives the branches that count as this revision; empty if that is not known."""


def why_elsewhere(declared: Declared, checkout: Checkout) -> str:
    """Return why a declaration does not apply the files that are looked at, empty if it does."""
    if declared.other_source:
        return f"its source is {declared.other_source}"
    if not is_same_repository(declared.source, checkout.remotes):
        return f"its source is {_USER.sub('', declared.source.strip())}"
    return "" if _is_revision_here(declared.revision, checkout) else f"it applies {declared.revision}"


def _is_revision_here(revision: str, checkout: Checkout) -> bool:
    """Return whether a revision is the one that is looked at. Without remotes no repository is known to be this one."""
    if not revision or not checkout.remotes or _VARIABLE.search(revision):
        return True
    branches = checkout.branches() if revision.startswith(BRANCH) else ("",)
    return not branches or revision.removeprefix(BRANCH) in branches


def revision_named(word: str) -> str:
    """Return the revision that a word means which may be a branch, a tag, a range of versions or a commit."""
    name = word.strip().removeprefix("refs/heads/")
    if name in ("", "HEAD"):
        return ""
    if name.startswith("refs/tags/") or _VERSION.fullmatch(name):
        return f"tag {name.removeprefix('refs/tags/')}"
    return f"commit {name}" if _COMMIT.fullmatch(name) else f"{BRANCH}{name}"


def is_same_repository(source: str, remotes: Collection[str]) -> bool:
    """Return whether a repository that something names by its URL is the one that has these remotes.

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
