"""Parses and resolves the revisions of ``--against``, with advice for missing ones."""

import re
from shlex import quote
from typing import Final

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.regex import regex
from kubectl_applylint.sources.git import git
from kubectl_applylint.sources.git.git import Repository, Revision

_ANCESTOR: Final = regex(r"(?P<name>HEAD|@)(?P<steps>(?:~\d*|\^)+)")
_COMMIT_ID: Final = regex(r"[0-9a-f]{40}|[0-9a-f]{64}")
_REMOTE: Final = "origin"
_DIGITS: Final = 9
"""Maximum digits in a number of generations; no history has more."""


@dataclass(frozen=True, slots=True)
class Range:
    """The revisions to compare: ``base`` with ``head``, or with the work tree if that is empty.

    With ``from_fork`` the merge base of both replaces ``base``. ``path`` is the file or folder of ``base`` to compare
    with, empty for the path of the manifests themselves.
    """

    base: str
    head: str = ""
    from_fork: bool = False
    path: str = ""


def parse(text: str) -> Range:
    """Parse ``REF``, ``REF:path``, ``REF...``, ``REF..REF``, ``REF...REF`` or ``index``."""
    for dots in ("...", ".."):
        base, found, head = text.partition(dots)
        if found and ":" not in base:
            return Range(base or "HEAD", head, from_fork=dots == "...")
    base, _, path = text.partition(":")
    return Range(base, path=path.strip("/"))


@dataclass(frozen=True, slots=True)
class RevisionPair:
    """Both revisions of a comparison; ``head`` is ``None`` for the work tree."""

    base: Revision
    head: Revision | None


def revision_pair(repo: Repository, wanted: Range) -> RevisionPair | Problem:
    """Return the revisions to compare, or a problem with advice if the repository does not have one."""
    base = git.resolve(repo, wanted.base)
    if base is None:
        return _missing(repo, wanted.base, whole=wanted.from_fork)
    head = git.resolve(repo, wanted.head) if wanted.head else None
    if wanted.head and head is None:
        return _missing(repo, wanted.head, whole=wanted.from_fork)
    if not wanted.from_fork or base.id == git.EMPTY_TREE:
        return RevisionPair(base, head)
    tip = git.resolve(repo, "HEAD") if head is None or head.is_index else head
    fork = git.merge_base(repo, base, tip) if tip and not base.is_index else None
    return RevisionPair(fork, head) if fork else _no_merge_base(repo, wanted)


def _no_merge_base(repo: Repository, wanted: Range) -> Problem:
    text = f"{wanted.base}...{wanted.head}"
    if repo.is_shallow:
        return Problem(text, "the clone is shallow: the merge base is missing", f"git fetch --unshallow {_REMOTE}")
    return Problem(
        text,
        "no merge base: the two revisions share no history",
        f"compare with {wanted.base} itself: --against {wanted.base}",
    )


def _missing(repo: Repository, name: str, *, whole: bool) -> Problem:
    what = f"the clone is shallow: {name} is missing" if repo.is_shallow else f"git has no revision {name}"
    remote = f"{_REMOTE}/{name}"
    if "/" not in name and git.resolve(repo, remote):
        return Problem(name, what, f"--against {quote(remote)} exists")
    return Problem(name, what, _command(repo, name, whole=whole))


def _command(repo: Repository, name: str, *, whole: bool) -> str:
    """Return the command that fetches a revision: shallow if possible, with all of the history for a merge base."""
    ancestor = _ANCESTOR.fullmatch(name)
    if ancestor and repo.is_shallow:
        return f"git fetch --deepen={_generations(ancestor['steps'])} {_REMOTE}"
    if ancestor:
        return "the history is not that long"
    depth = {(True, True): " --unshallow", (True, False): " --depth=1"}.get((repo.is_shallow, whole), "")
    if _COMMIT_ID.fullmatch(name):
        return f"git fetch{depth} {_REMOTE} {name}"
    branch = name.removeprefix(f"{_REMOTE}/")
    fetch = f"git fetch{depth} {_REMOTE} {quote(f'{branch}:refs/remotes/{_REMOTE}/{branch}')}"
    return fetch if branch != name else f"{fetch} and --against {quote(f'{_REMOTE}/{name}')}, or check the spelling"


def _generations(steps: str) -> int:
    return sum(int(number[:_DIGITS] or 1) for number in re.findall(r"~(\d+)|[~^]", steps))
