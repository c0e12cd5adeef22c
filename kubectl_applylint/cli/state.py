"""The source of the live state of a run, and errors in its flags."""

import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import date
from functools import cache
from shlex import quote
from typing import Any

from kubectl_applylint.appliers.flags import Flags, faults
from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.appliers.unit_applier import ASKED, AskedApplier
from kubectl_applylint.cli.parsing.arguments import BY_UNITS, Arguments
from kubectl_applylint.cli.terminal.output import read_stdin, say
from kubectl_applylint.cli.terminal.stopwatch import phase
from kubectl_applylint.cli.unreached import UnreachedError
from kubectl_applylint.config.configuration import Config, ConfigError
from kubectl_applylint.config.incomplete import incomplete_in
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.spelling import meant
from kubectl_applylint.engine.cluster_model import is_definition
from kubectl_applylint.run.compare.against import Against, AgainstKind
from kubectl_applylint.run.compare.live_source import LiveSource, LiveSources, SourceOf, no_live_source
from kubectl_applylint.run.compare.open_source import UsageError, open_source
from kubectl_applylint.run.discover.share import WHOLE, Share
from kubectl_applylint.run.load.load_apply import load_apply
from kubectl_applylint.run.load.run_input import RunInput
from kubectl_applylint.run.load.unit_program import unit_program
from kubectl_applylint.run.request import UNIT_STATES, Request, is_by_units
from kubectl_applylint.schema.configured_definitions import NOT_CONFIGURED, ConfiguredDefinitions
from kubectl_applylint.sharding.shard import Shard, parse_shard
from kubectl_applylint.sources.cluster.snapshot import MAX_BYTES
from kubectl_applylint.sources.files import files
from kubectl_applylint.sources.files.files import kustomization_in
from kubectl_applylint.sources.render.render_cache import identity_of
from kubectl_applylint.sources.system.contents import read_file
from kubectl_applylint.sources.text.classify import KUSTOMIZATION_FILES
from kubectl_applylint.tools.metacontroller.children import Sync, read_controller
from kubectl_applylint.units.accepted import active_gaps
from kubectl_applylint.units.remotes import OwnSources

_OF_FILES = (AgainstKind.NONE, AgainstKind.DIR, AgainstKind.FILE, AgainstKind.LAST_APPLIED)
"""States that can only be compared with files."""
_OF_UNITS = (AgainstKind.NONE, AgainstKind.LIVE, AgainstKind.SNAPSHOT)
_OF_PREDICTIONS = ("check", "plan", "baseline")
"""Commands that predict each unit as applied by the program of the configuration."""
_OF_PROGRAMS = (*UNIT_STATES, AgainstKind.LIVE, AgainstKind.SNAPSHOT)
"""States that a unit of another program than kubectl can be compared with."""
_STATES = (*(kind for kind in AgainstKind if kind is not AgainstKind.GIT), "index", "HEAD")
"""Values of ``--against`` other than revisions."""


@contextmanager
def live_source(arguments: Arguments, config: Config, *, is_compared: bool = False) -> Iterator[LiveSource]:
    """Open the source of live state for the block; raise ``ConfigError`` for conflicting flags.

    A source that cannot be read raises ``UnreachedError`` before anything is predicted. If the caller allows
    unreachable sources, it is a problem of the run and the live state is unknown. With ``is_compared``, the run
    compares units of two revisions or folders, and this source is empty.
    """
    wrong = list(_faults(arguments, config))
    if wrong:
        raise ConfigError(wrong)
    with ExitStack() as opened:
        is_elsewhere = is_compared and config.against.kind in UNIT_STATES
        source = no_live_source() if is_elsewhere else _open(opened, arguments, config)
        if source.problems and not source.origin and not config.allow_unreachable:
            raise UnreachedError(source.problems[0])
        yield source


@contextmanager
def unit_sources(arguments: Arguments, config: Config) -> Iterator[SourceOf]:
    """Open the sources that the configuration sets for units, for the block.

    The caller's ``--against`` overrides the configuration of a unit, but not its context. Each source is opened once.
    Raises ``ConfigError`` for a state that no unit can be compared with, and ``UnreachedError`` like ``live_source``.
    """
    with ExitStack() as opened:

        @cache
        def of(against: Against, context: str) -> LiveSource:
            if against.kind not in _OF_UNITS:
                raise ConfigError(
                    [f"units: against: {against}: a unit can be compared with live, none or snapshot:FILE"]
                )
            connection = replace(arguments.connection, context=context or arguments.connection.context)
            source = _open(opened, replace(arguments, connection=connection), replace(config, against=against))
            if source.problems and not source.origin and not config.allow_unreachable:
                raise UnreachedError(source.problems[0])
            return source

        def source_of(options: Mapping[str, Any], shared: LiveSource) -> LiveSource:
            asked = config.against if "against" in arguments.flags else options.get("against", config.against)
            context = "" if arguments.connection.context or not asked.asks_cluster else options.get("context", "")
            return shared if asked == config.against and not context else of(asked, context)

        yield source_of


def _open(stack: ExitStack, arguments: Arguments, config: Config) -> LiveSource:
    """Return an open source, which ``stack`` closes."""
    connection = replace(arguments.connection, namespace=config.namespace)
    opening = open_source(
        config.against,
        arguments.files,
        recursive=arguments.recursive,
        every_commit=arguments.every_commit,
        connection=connection,
    )
    try:
        source = stack.enter_context(opening)
    except UsageError as fault:
        raise ConfigError([str(fault)]) from None
    if config.against.kind is AgainstKind.GIT and not source.origin:
        _refuse_misspelled(config)
    return source


@contextmanager
def live_sources(arguments: Arguments, config: Config, request: Request) -> Iterator[LiveSources]:
    """Open the sources for the units of a run; see ``live_source`` and ``unit_sources``."""
    is_compared = is_by_units(request)
    with (
        live_source(arguments, config, is_compared=is_compared) as source,
        unit_sources(arguments, config) as source_of,
    ):
        phase("reading the manifests and the live objects")
        yield LiveSources(source, source_of)


def gather(program: str, arguments: Arguments, config: Config, *, unknown: str) -> RunInput:
    """Return the objects of one apply, from files or the cluster, and print its notes.

    ``unknown`` is the consequence of an unknown live state.
    """
    phase("reading what the manifests are compared with")
    with live_source(arguments, config) as source:
        phase("reading the manifests and the live objects")
        run_input = load_apply(request_of(arguments, config), source)
    if not run_input.origin:
        lost = "it could not be read" if run_input.is_unreachable else unknown
        run_input = replace(run_input, notes=(f"the live state is unknown: {lost}", *run_input.notes))
    phase(f"checking {len(run_input.subjects)} objects")
    say(program, run_input.notes)
    return run_input


def unread_source(problem: Problem, config: Config) -> LiveSource:
    """Return an empty source if the earlier state cannot be read; raise ``UnreachedError`` unless allowed."""
    if config.against.kind is AgainstKind.GIT:
        _refuse_misspelled(config)
    if not config.allow_unreachable:
        raise UnreachedError(problem)
    return no_live_source("what to compare with could not be read", problem)


def _refuse_misspelled(config: Config) -> None:
    """Raise ``ConfigError`` if an unknown revision is almost the name of another state."""
    text = config.against.argument
    advice = meant(text.partition(":")[0], _STATES, otherwise="")
    if advice:
        raise ConfigError([f"{config.place('against')}: git has no revision {text!r}; {advice}"])


def request_of(arguments: Arguments, config: Config) -> Request:
    """Return the request of the run."""
    request = Request(
        files=arguments.files,
        named=arguments.named,
        recursive=arguments.recursive,
        flags=replace(flags_of(arguments, config), definitions=configured_definitions(config)),
        against=config.against,
        kubernetes_version=config.kubernetes_version,
        api_versions=config.api_versions,
        all_namespaces=arguments.all_namespaces,
        stdin=read_stdin,
        is_one_apply=arguments.is_one_apply or arguments.command not in BY_UNITS,
        units=config.units,
        own=OwnSources(arguments.target_revisions, config.own_sources),
        roots=arguments.roots,
        is_listed=arguments.skips_non_manifests,
        accepted=() if config.no_ignores else active_gaps(config.incomplete, date.today()),
        accepted_in=incomplete_in,
        renders=arguments.command == "render",
        sets_aside=arguments.command == "check",
    )
    is_predicted = arguments.command in _OF_PREDICTIONS and "applier" not in arguments.flags and is_by_units(request)
    asked = AskedApplier(ASKED[config.applier]) if config.applier in ASKED else None
    return replace(request, flags=replace(request.flags, asked=asked)) if is_predicted else request


def flags_of(arguments: Arguments, config: Config) -> Flags:
    """Return the flags of the apply; flags that Helm shares count as Helm's if Helm is the applier."""
    asked = arguments.apply.asked
    is_helm = asked is not None and asked.applier in (Applier.HELM3, Applier.HELM4)
    return replace(
        arguments.apply,
        sync=_sync(arguments),
        namespace=config.namespace,
        server_side=config.server_side and not (is_helm and "server-side" in arguments.flags),
        force_conflicts=config.force_conflicts and not (is_helm and "force-conflicts" in arguments.flags),
        field_manager=config.field_manager,
        unit_arguments=f"-k {quote(arguments.kustomize)}" if arguments.kustomize else "",
        # A check shows no outcomes, and no built-in rule needs the owners of an unknown object.
        tracks_first_owners=arguments.command != "check" or bool(config.rules),
    )


def configured_definitions(config: Config) -> ConfiguredDefinitions:
    """Return the definitions that the configuration names; raise ``ConfigError`` if a file cannot be read."""
    if not config.definitions:
        return NOT_CONFIGURED
    pins = {one.project: one.version for one in config.definitions if one.project}
    return ConfiguredDefinitions(pins, tuple(document.object for document in definition_documents(config)))


def definition_documents(config: Config) -> tuple[Document, ...]:
    """Return the definitions in the files that the configuration names; raise ``ConfigError`` for unreadable ones."""
    names = [one.file for one in config.definitions if one.file]
    found = files.read(names, recursive=True, stdin=bytes)
    if found.problems:
        place = config.place("definitions")
        raise ConfigError(f"{place}: {problem.where}: {problem.message}" for problem in found.problems)
    return tuple(document for document in found.documents if is_definition(document.ref))


def _sync(arguments: Arguments) -> Sync | None:
    """Return how children are managed: by the file of the controller, overridden by flags."""
    asked, file = arguments.apply.sync, arguments.controller
    if asked is None or not file:
        return asked
    found = files.read([file], recursive=False, stdin=read_stdin)
    if found.problems:
        raise ConfigError(f"--controller: {problem.where}: {problem.message}" for problem in found.problems)
    if len(found.documents) != 1:
        raise ConfigError([f"--controller: {file}: expected one controller, found {len(found.documents)} objects"])
    try:
        controller = read_controller(found.documents[0].object)
    except ValueError as fault:
        raise ConfigError([f"--controller: {file}: {fault}"]) from None
    return replace(controller, methods=(*controller.methods, *asked.methods), parent=asked.parent)


def _faults(arguments: Arguments, config: Config) -> Iterator[str]:
    """Yield the errors of flags that conflict or have no their context."""
    yield from faults(flags_of(arguments, config))
    yield from _kustomize_faults(arguments)
    yield from _unit_applier_faults(arguments, config)
    if arguments.share.shard and not is_by_units(request_of(arguments, config)):
        yield "--shard: this is one apply, which has no parts; name directories, without -f, -k and --one-apply"
    if arguments.files and arguments.all_namespaces:
        yield "--all-namespaces cannot be used with files, which specify their namespaces themselves"
    if config.against.kind in _OF_FILES and not (arguments.files or arguments.objects):
        yield (
            "nothing to check: specify files or directories, or - for stdin; --against live checks the cluster,"
            " --against HEAD what differs from the last commit"
        )
    if config.against.kind is AgainstKind.GIT and ":" in config.against.argument and not arguments.files:
        yield (
            f"--against {config.against.argument}: specify the files to compare with those under this path;"
            " without a path, all files that differ from the revision are compared"
        )
    if arguments.every_commit and (config.against.kind is not AgainstKind.GIT or ":" in config.against.argument):
        yield "--every-commit: specify a range of commits: --against A..B, or main..."
    if not config.against.asks_cluster:
        for flag in arguments.connection_flags:
            yield f"{flag}: only works with --against live or last-applied"


def share_of(arguments: Arguments) -> Share:
    """Return the share of units for ``--shard``; raise ``ConfigError`` for an invalid one."""
    shard = requested_shard(arguments)
    if shard is None:
        return WHOLE
    from kubectl_applylint.sharding.shares import share_of_shard  # noqa: PLC0415  3 ms for those who share a run

    return share_of_shard(shard, timings_of(arguments))


def requested_shard(arguments: Arguments) -> Shard | None:
    """Return the shard of ``--shard``, or ``None``; raise ``ConfigError`` for an invalid one."""
    if not arguments.share.shard:
        return None
    try:
        return parse_shard(arguments.share.shard, os.environ)
    except ValueError as fault:
        raise ConfigError([f"--shard: {fault}"]) from None


def timings_of(arguments: Arguments) -> Mapping[str, float]:
    """Return the seconds per unit in the runs of ``--timings``; raise ``ConfigError`` for an invalid file."""
    return _timings(tuple((file, identity_of(file)) for file in arguments.share.timings))


@cache
def _timings(files: tuple[tuple[str, bytes], ...]) -> Mapping[str, float]:
    """Return the seconds per unit in earlier parts; raise ``ConfigError`` for other files.

    Each file has an identity that changes with its content, as cache key.
    """
    found: dict[str, float] = {}
    for file, _ in files:
        # The parts of a run take 5 ms to import, and most runs read none.
        from kubectl_applylint.sharding.part_json import PartFormatError, read_seconds  # noqa: PLC0415

        content = read_file(file, MAX_BYTES)
        if isinstance(content, Problem):
            raise ConfigError([f"--timings: {content.message}"])
        try:
            found |= read_seconds(content)
        except PartFormatError as fault:
            raise ConfigError([f"--timings: {file}: not a part of a report: {fault}"]) from None
    return found


def _unit_applier_faults(arguments: Arguments, config: Config) -> Iterator[str]:
    """Yield the errors of flags for an applier of units."""
    applier = arguments.apply.asked.applier if arguments.apply.asked else None
    if applier is None:
        return
    if config.against.kind not in _OF_PROGRAMS:
        ways = "--against main, --against dir:PATH or --against live"
        yield f"--applier {applier}: compare with the installed revision: {ways}"
    elif not is_by_units(request_of(arguments, config)):
        what = unit_program(applier).contents
        yield f"--applier {applier}: name directories with {what}, without -f, -k and --prune"


def _kustomize_faults(arguments: Arguments) -> Iterator[str]:
    """Yield the errors of ``-k``."""
    folder = arguments.kustomize
    if folder and (arguments.recursive or len(arguments.files) > 1):
        yield "--kustomize: the -k flag cannot be used with -f, -R or other files"
    if folder and not kustomization_in(folder):
        yield f"--kustomize: {folder}: unable to find one of {', '.join(KUSTOMIZATION_FILES)}"
