"""Runs a command line and returns the exit code; errors become one line on standard error."""

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Final, TypeAlias

from kubectl_applylint.appliers.unit_applier import AUTO
from kubectl_applylint.cli.default_scope import with_default_scope
from kubectl_applylint.cli.parsing.arguments import BY_UNITS, OF_APPLIES, Arguments, parse
from kubectl_applylint.cli.parsing.names import COMPLETE, PLUGIN
from kubectl_applylint.cli.terminal import pager, stopwatch
from kubectl_applylint.cli.terminal.output import say, use_utf8, write
from kubectl_applylint.cli.unreached import UnreachedError, report_unreached
from kubectl_applylint.config.configuration import Config, ConfigError, Format, load
from kubectl_applylint.config.language import language_of
from kubectl_applylint.core.frames import frames_of
from kubectl_applylint.core.problem import Problem, UnreadableError
from kubectl_applylint.core.safe_text import Target
from kubectl_applylint.core.shortage import shortage
from kubectl_applylint.run.compare.against import Against, AgainstKind
from kubectl_applylint.sources.render.render_limits import RenderLimits, mebibytes_of, use_limits
from kubectl_applylint.sources.store.offline_sources import use_offline_sources
from kubectl_applylint.sources.store.store_place import Store
from kubectl_applylint.sources.system import cache_folder

FAILING, WRONG_USE, INCOMPLETE = 1, 2, 3
DETAILED_EXITCODE: Final = "--detailed-exitcode"
Command: TypeAlias = Callable[[str, Arguments, Config], int]
"""Takes program, arguments and configuration, and returns the exit code."""
MODULES: Final[Mapping[str, str]] = {
    "check": "run",
    "plan": "run",
    "compare": "compare",
    "revert": "round_trip",
    "again": "round_trip",
    "defaults": "defaults",
    "diagnose": "diagnose",
    "owners": "ownership",
    "why": "ownership",
    "adopt": "ownership",
    "migrate": "ownership",
    "handover": "ownership",
    "explain": "explain",
    "rules": "explain",
    "completion": "completion",
    "baseline": "baseline",
    "config": "configure",
    "init": "init",
    "units": "units",
    "definitions": "definitions",
    "render": "render",
    "fetch": "fetch",
    "comment": "comment",
    "merge": "merge",
    "lsp": "lsp",
}
"""The module of ``cli`` with the function of each command. Only this module is imported, to start faster."""


SHARED: Final = ("check", "plan")
"""Commands that several machines can share."""
KUBECTL: Final = (AUTO, "kubectl")
"""The values of ``--applier`` with which kubectl applies named files."""


def main(program: str, argv: Sequence[str]) -> int:
    """Run ``program`` and return its exit code; raise ``SystemExit`` for help and invalid flags."""
    use_utf8()
    if argv[:1] == [COMPLETE]:
        from kubectl_applylint.cli.completion import candidates  # noqa: PLC0415  30 ms, for shells alone

        write(candidates(program, argv[1:]), target=Target.SHELL)
        return 0
    is_detailed = DETAILED_EXITCODE in argv
    arguments = _parse(program, argv, is_detailed=is_detailed)
    try:
        return _run(program, argv, arguments)
    except ConfigError as error:
        say(program, error.faults)
        return FAILING if is_detailed else WRONG_USE
    except UnreadableError as error:
        found = error.problem
        say(program, [f"{found.where}: {found.message}; {found.advice}"])
        return INCOMPLETE
    except Exception as fault:  # users see a message, and a traceback only with -v
        if isinstance(fault, ModuleNotFoundError) and not (fault.name or "").startswith("kubectl_applylint"):
            raise  # a dependency is missing: the caller prints how to install it
        first, *rest = _explanation(fault, is_verbose="verbosity" in arguments.flags)
        say(program, [f"{arguments.command} failed: {first}", *rest])
        return INCOMPLETE


def _parse(program: str, argv: Sequence[str], *, is_detailed: bool) -> Arguments:
    """Return the parsed command line; with ``--detailed-exitcode`` an invalid one exits with 1, since 2 is a change."""
    try:
        return parse(program, argv)
    except SystemExit as end:
        if end.code == WRONG_USE and is_detailed:
            raise SystemExit(FAILING) from None
        raise


def _run(program: str, argv: Sequence[str], arguments: Arguments) -> int:
    """Load the configuration and run the command; report unreachable states and timeouts."""
    config = _load(program, arguments)
    say(program, config.unfollowed)
    if words := _kuberc_flags(program, argv, arguments, config):
        arguments = _parse(program, [argv[0], *words, *argv[1:]], is_detailed=DETAILED_EXITCODE in argv)
        config = _load(program, arguments)
    cache = "" if arguments.is_uncached else cache_folder.folder_of(os.environ)
    try:
        with pager.page_output(os.environ, is_wanted=not arguments.no_pager), _git_state(arguments):
            arguments, config = with_default_scope(program, arguments, config)
            return _run_within_limit(program, arguments, config, cache)
    except UnreachedError as fault:
        report_unreached(program, arguments.command, config, fault.problem)
    except stopwatch.TimeIsUp:
        is_whole = _limits_the_run(config)
        late = stopwatch.timeout_problem(arguments.command, config.timeout) if is_whole else None
        report_unreached(
            program, arguments.command, config, late or stopwatch.stalled_problem(arguments.command), more=""
        )
    return INCOMPLETE


def _git_state(arguments: Arguments) -> AbstractContextManager[None]:
    """Return a block in which git is started once for equal commands, unless the command changes files."""
    if arguments.command not in BY_UNITS or arguments.fix.fix:
        return nullcontext()
    from kubectl_applylint.sources.git.git_command import one_state  # noqa: PLC0415  5 ms that other commands save

    return one_state()


def _load(program: str, arguments: Arguments) -> Config:
    against = Against(AgainstKind.LIVE if program == PLUGIN else AgainstKind.NONE)
    defaults = Config(against, lang=language_of(os.environ))
    return load(arguments.flags, os.environ, _folder(), defaults, file=arguments.config)


def _kuberc_flags(program: str, argv: Sequence[str], arguments: Arguments, config: Config) -> Sequence[str]:
    """Return the default flags of the user's kuberc for files that kubectl applies; units of a repository have none."""
    is_wanted = program == PLUGIN or arguments.kuberc
    is_by_kubectl = arguments.named and config.applier in KUBECTL and arguments.apply.sync is None
    if not is_wanted or not is_by_kubectl or arguments.command not in SHARED:
        return ()
    from kubectl_applylint.cli.kuberc_flags import kuberc_flags  # noqa: PLC0415  3 ms that only the plugin needs

    return kuberc_flags(program, argv, arguments.kuberc, config.kubernetes_version, config.origins)


def _run_within_limit(program: str, arguments: Arguments, config: Config, cache: str) -> int:
    """Run the command within its time limit; time in the pager does not count."""
    limits = RenderLimits(config.render_timeout, mebibytes_of(config.render_memory))
    with (
        cache_folder.use_folder(cache),
        use_offline_sources(Store(cache_folder.folder_of(os.environ), config.store)),
        use_limits(limits),
        _time_limit(arguments.command, config),
    ):
        return _command(arguments, config)(program, arguments, config)


def _time_limit(command: str, config: Config) -> AbstractContextManager[None]:
    """Return the time limit of a run: ``--timeout`` for the whole run, else the limit without progress."""
    if _limits_the_run(config) or command not in OF_APPLIES:
        return stopwatch.limit_time(config.timeout)
    return stopwatch.stall_limit()


def _limits_the_run(config: Config) -> bool:
    """Return whether the run has its own limit; an untrusted configuration cannot extend it."""
    origin = config.origins.get("timeout")
    is_trusted = origin is None or origin.is_trusted
    return config.timeout > 0 and (is_trusted or config.timeout <= stopwatch.STALLED)


def _folder() -> Path:
    """Return the current folder; raise ``UnreadableError`` if it was deleted."""
    try:
        return Path.cwd()
    except OSError as fault:
        text = f"the current directory cannot be read: {fault.strerror}"
        raise UnreadableError(
            Problem(os.environ.get("PWD", os.curdir), text, "change to an existing directory")
        ) from None


def _command(arguments: Arguments, config: Config) -> Command:
    """Return the function of the command, which writes or resumes a part if requested."""
    if arguments.targets is not None:
        return _import_command("targets", "plan_targets")
    command = _import_command(MODULES[arguments.command], arguments.command)
    writes_part = any(output.format is Format.PART for output in config.output)
    if arguments.command not in SHARED or not (writes_part or arguments.share.resumes):
        return command
    from kubectl_applylint.cli.parts import resume, write_part_and_show  # noqa: PLC0415  10 ms that only parts need

    writing: Command = partial(command, finish=write_part_and_show)  # type: ignore[call-arg]  # of the SHARED commands
    return partial(resume, writing) if arguments.share.resumes else writing


def _import_command(module: str, name: str) -> Command:
    command: Command = getattr(import_module(f"kubectl_applylint.cli.{module}"), name)
    return command


def _explanation(fault: Exception, *, is_verbose: bool) -> tuple[str, ...]:
    """Return the error message; for a bug also the traceback, or how to see it."""
    if reached := shortage(fault):
        return (reached,)
    if isinstance(fault, OSError):
        return (f"{fault.filename or 'standard output'}: {fault.strerror}",)
    bug = f"{type(fault).__name__}: {fault}; this is a bug in applylint, please"
    if is_verbose:
        return (f"{bug} report it with the input and these lines:", *frames_of(fault))
    return (f"{bug} repeat the command with -v and report the output with the input",)
