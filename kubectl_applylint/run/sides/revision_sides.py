"""The files of other revisions of the repository, which git has here."""

from collections.abc import Callable
from functools import cache, partial
from typing import Final, TypeAlias

from kubectl_applylint.core.regex import regex
from kubectl_applylint.run.sides.side import FindSide, Side
from kubectl_applylint.sources.git import git
from kubectl_applylint.sources.git.git import GitError, Repository, Revision

SideOfRevision: TypeAlias = Callable[[Repository, Revision, Callable[[str], str]], Side]
_NAMES: Final = {
    "branch": ("refs/remotes/origin/{}", "refs/heads/{}"),
    "tag": ("refs/tags/{}",),
    "commit": ("{}",),
    "abbreviated": ("{}",),
}
"""The names of a revision in git, the first one that exists counts: the cluster reads from the remote."""
_HASHES: Final = {
    "commit": regex(r"(?!0+$)(?:[0-9a-f]{40}|[0-9a-f]{64})"),
    "abbreviated": regex(r"[0-9a-f]{7,64}"),
}
"""Git would also find a name such as HEAD, which Flux and Argo CD do not."""


def revision_finder(repository: Repository, side_of: SideOfRevision) -> FindSide:
    """Return a function that returns the files of a revision of a repository; each is read once.

    ``side_of`` returns the files of a commit.
    """
    return cache(partial(_find, repository, side_of))


def _find(repository: Repository, side_of: SideOfRevision, revision: str) -> Side | None:
    kind, _, name = revision.partition(" ")
    hashes = _HASHES.get(kind)
    if hashes and not hashes.fullmatch(name):
        return None
    try:
        found = next(filter(None, (git.resolve(repository, one.format(name)) for one in _NAMES.get(kind, ()))), None)
        return side_of(repository, found, partial(_label, found.short)) if found else None
    except GitError:
        # A partial clone does not have the objects.
        return None


def _label(name: str, path: str) -> str:
    return f"{name.removeprefix('refs/').removeprefix('remotes/').removeprefix('heads/')}:{path}"


def find_word(find: FindSide, revision: str) -> Side | None:
    """Return the files of a revision that Argo CD names by a word: a branch, else a tag, else a commit."""
    name = revision.partition(" ")[2]
    return next(filter(None, (find(f"{kind} {name}") for kind in ("branch", "tag", "abbreviated"))), None)
