"""The revision that a plan is compared with if the caller names none."""

import os
from typing import Final

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.sources.files.files import EXTENSIONS
from kubectl_applylint.sources.git import git
from kubectl_applylint.sources.git.git import Repository, Revision

_BEFORE_LAST: Final = "HEAD~1"


def earlier_revision() -> str:
    """Return ``HEAD`` if the work tree differs from it, else the range from the merge base with the default branch.

    A branch without own commits is compared with the revision before its last commit, if the clone has it. Outside of
    a repository it is empty.
    """
    repo = git.repository(os.curdir)
    head = None if isinstance(repo, Problem) else git.resolve(repo, "HEAD")
    if isinstance(repo, Problem) or head is None:
        return ""
    return "HEAD" if _is_work_tree_changed(repo, head) else _branch_point(repo, head)


def _is_work_tree_changed(repo: Repository, head: Revision) -> bool:
    """Return whether the work tree differs from a revision; untracked files count if they may be manifests."""
    untracked = (path for path in git.untracked_files(repo) if path.endswith(EXTENSIONS))
    return bool(git.changed_paths(repo, head, None)) or any(untracked)


def _branch_point(repo: Repository, head: Revision) -> str:
    """Return the range from the merge base with the default branch, or the last commit without own commits."""
    default = git.default_branch(repo) or git.resolve(repo, "main") or git.resolve(repo, "master")
    base = git.merge_base(repo, default, head) if default else None
    name = default.name.removeprefix("refs/remotes/") if default else ""
    if base and base.id != head.id:
        return f"{name}..."
    return _BEFORE_LAST if git.resolve(repo, _BEFORE_LAST) else "HEAD"
