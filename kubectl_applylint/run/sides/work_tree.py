"""The work tree of a repository as ``git diff`` sees it: what a sparse checkout leaves out is as in the index."""

import os
from collections.abc import Collection, Iterable, Mapping

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.sources.git import git
from kubectl_applylint.sources.git.git import INDEX, SUBMODULE, Entry, Repository, Revision, RevisionTree

NOTHING = RevisionTree(Revision(INDEX), {})
"""What a work tree lacks that has everything."""


def not_checked_out(repo: Repository, differ: Collection[str]) -> RevisionTree:
    """Return the files that the index has and the work tree is not to have.

    Git is asked only where the checkout is sparse, or where one of the paths that ``differ`` is not there.
    """
    if git.is_sparse(repo) or not all(os.path.lexists(os.path.join(repo.root, path)) for path in differ):
        return git.not_checked_out(repo)
    return NOTHING


def touched_submodules(repo: Repository, entries: Mapping[str, Entry], names: Iterable[str]) -> frozenset[str]:
    """Return the submodules that the user named, or something in or around them, and that are not as committed."""
    modules = [path for path, entry in entries.items() if entry.mode == SUBMODULE]
    if not modules:
        return frozenset()
    asked = list(names)
    near = (path for path in modules if any(_is_within(path, name) or _is_within(name, path) for name in asked))
    return frozenset(path for path in near if git.is_touched(os.path.join(repo.root, path)))


def uncompared_submodules(paths: Iterable[str]) -> tuple[Problem, ...]:
    """Return the problem that the files of each of these submodules, which changed, are not compared."""
    message = "the submodule changed, and its files are not compared"
    advice = "run applylint in the repository of the submodule, between the two commits"
    return tuple(Problem(path, message, advice) for path in paths)


def _is_within(path: str, folder: str) -> bool:
    return not folder or path == folder or path.startswith(f"{folder}/")
