"""The work tree as ``git diff`` sees it: files that a sparse checkout leaves out are as in the index."""

import os
from collections.abc import Collection, Iterable, Mapping

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.sources.git import git, git_config
from kubectl_applylint.sources.git.git import INDEX, SUBMODULE, Entry, Repository, Revision, RevisionTree

NOTHING = RevisionTree(Revision(INDEX), {})
"""The missing files of a complete work tree: none."""


def not_checked_out(repo: Repository, differ: Collection[str]) -> RevisionTree:
    """Return the files of the index that a sparse checkout leaves out.

    Git is only called if the checkout is sparse, or if one of the paths that ``differ`` does not exist.
    """
    if git_config.is_sparse(repo.root) or not all(os.path.lexists(os.path.join(repo.root, path)) for path in differ):
        return git.files_not_checked_out(repo)
    return NOTHING


def touched_submodules(repo: Repository, entries: Mapping[str, Entry], names: Iterable[str]) -> frozenset[str]:
    """Return the modified submodules that the user named, directly or by a path in or around them."""
    modules = [path for path, entry in entries.items() if entry.mode == SUBMODULE]
    if not modules:
        return frozenset()
    named = list(names)
    near = (path for path in modules if any(_is_within(path, name) or _is_within(name, path) for name in named))
    return frozenset(path for path in near if git.is_modified(os.path.join(repo.root, path)))


def uncompared_submodules(paths: Iterable[str]) -> tuple[Problem, ...]:
    """Return the problem that files of a changed submodule are not compared, for each of them."""
    message = "the submodule changed, and its files are not compared"
    advice = "run applylint in the repository of the submodule, between the two commits"
    return tuple(Problem(path, message, advice) for path in paths)


def _is_within(path: str, folder: str) -> bool:
    return not folder or path == folder or path.startswith(f"{folder}/")
