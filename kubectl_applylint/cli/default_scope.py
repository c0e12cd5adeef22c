"""What ``check`` and ``plan`` examine if the caller names no files, and what a plan is then compared with."""

import os
from typing import Final

from kubectl_applylint.cli.parsing.arguments import Arguments
from kubectl_applylint.cli.parsing.names import PLUGIN
from kubectl_applylint.cli.terminal.output import say
from kubectl_applylint.config.configuration import Config
from kubectl_applylint.core.records import replace
from kubectl_applylint.run.compare.against import NOTHING, Against, AgainstKind

_COMMANDS: Final = ("check", "plan")


def with_default_scope(program: str, arguments: Arguments, config: Config) -> tuple[Arguments, Config]:
    """Return the command line and the configuration of a run, with the current folder if nothing is named.

    Without ``--against``, a plan is compared with HEAD if the work tree differs from it, else with the
    merge base of the current branch and the default branch, or else with the revision before the last commit, and one
    line says so. The plugin reads the cluster, as kubectl does. Fixes are made only in files that are named.
    """
    is_named = arguments.files or arguments.objects or arguments.targets is not None
    is_unchanged = is_named or arguments.fix.fix or config.against != NOTHING
    if program == PLUGIN or arguments.command not in _COMMANDS or is_unchanged:
        return arguments, config
    is_compared = arguments.command == "plan" and "against" not in config.origins
    against = NOTHING
    if is_compared:
        # Git takes 5 ms to import, and most commands name what they compare with, or compare nothing.
        from kubectl_applylint.sources.git.branch_point import earlier_revision  # noqa: PLC0415

        name = earlier_revision()
        against = Against(AgainstKind.GIT, name) if name else NOTHING
    if against != NOTHING:
        what = _changed_by(against.argument)
        say(program, [f"showing what the {what} changes: plan {os.curdir} --against {against.argument}"])
    return replace(arguments, files=(os.curdir,)), replace(config, against=against)


def _changed_by(revision: str) -> str:
    """Return what differs from a revision of ``earlier_revision``."""
    if revision == "HEAD":
        return "work tree"
    return "branch" if revision.endswith("...") else "last commit"
