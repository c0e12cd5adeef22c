"""What ``check`` and ``plan`` examine if the caller names no files, and what a plan is then compared with."""

import os
from typing import Final

from kubectl_applylint.cli.parsing.arguments import Arguments
from kubectl_applylint.cli.parsing.names import PLUGIN
from kubectl_applylint.cli.terminal.output import say
from kubectl_applylint.config.configuration import Config
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.run.compare.against import NOTHING, Against, AgainstKind
from kubectl_applylint.sources.files.files import EXTENSIONS
from kubectl_applylint.sources.git import git
from kubectl_applylint.sources.git.git import Repository, Revision

_COMMANDS: Final = ("check", "plan")


def with_default_scope(program: str, arguments: Arguments, config: Config) -> tuple[Arguments, Config]:
    """Return the command line and the configuration of a run, with the current folder if nothing is named.

    Without ``--against``, a plan is compared with HEAD if the work tree differs from it, else with the
    merge base of the current branch and the default branch, and one line says so. The plugin reads the cluster, as
    kubectl does. Fixes are made only in files that are named.
    """
    is_named = arguments.files or arguments.objects or arguments.targets is not None
    is_unchanged = is_named or arguments.fix.fix or config.against != NOTHING
    if program == PLUGIN or arguments.command not in _COMMANDS or is_unchanged:
        return arguments, config
    is_compared = arguments.command == "plan" and "against" not in config.origins
    against = _earlier_revision() if is_compared else NOTHING
    if against != NOTHING:
        what = "branch" if against.argument.endswith("...") else "work tree"
        say(program, [f"showing what the {what} changes: plan {os.curdir} --against {against.argument}"])
    return replace(arguments, files=(os.curdir,)), replace(config, against=against)


def _earlier_revision() -> Against:
    """Return the revision that a plan is compared with; nothing outside of a repository with commits."""
    repo = git.repository(os.curdir)
    head = None if isinstance(repo, Problem) else git.resolve(repo, "HEAD")
    if isinstance(repo, Problem) or head is None:
        return NOTHING
    name = "HEAD" if _is_work_tree_changed(repo, head) else _branch_point(repo, head)
    return Against(AgainstKind.GIT, name)


def _is_work_tree_changed(repo: Repository, head: Revision) -> bool:
    """Return whether the work tree differs from a revision; untracked files count if they may be manifests."""
    untracked = (path for path in git.untracked_files(repo) if path.endswith(EXTENSIONS))
    return bool(git.changed_paths(repo, head, None)) or any(untracked)


def _branch_point(repo: Repository, head: Revision) -> str:
    """Return the range from the merge base with the default branch, or HEAD if the branch has no own commits."""
    default = git.default_branch(repo) or git.resolve(repo, "main") or git.resolve(repo, "master")
    base = git.merge_base(repo, default, head) if default else None
    return f"{default.name}..." if default and base and base.id != head.id else "HEAD"
