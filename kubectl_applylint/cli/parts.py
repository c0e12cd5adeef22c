"""Partial reports, written by each machine that shares a run, for ``merge``."""

import hashlib
import os
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from kubectl_applylint import __version__
from kubectl_applylint.cli.parsing.arguments import Arguments
from kubectl_applylint.cli.run import show_result
from kubectl_applylint.cli.show import report_code, shown_lines, sources_of, without_parts
from kubectl_applylint.cli.state import request_of, requested_shard, timings_of
from kubectl_applylint.cli.terminal.output import say, write
from kubectl_applylint.config.configuration import Config, ConfigError, Format
from kubectl_applylint.config.hiding import choose_rules
from kubectl_applylint.config.settings import Setting
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.safe_text import Target
from kubectl_applylint.lint.model import Report, Rule
from kubectl_applylint.run.cache.pickled_records import canonical
from kubectl_applylint.run.collect import RunResult, join_reports
from kubectl_applylint.run.loaded_units import LoadedUnits
from kubectl_applylint.run.request import Request, is_by_units
from kubectl_applylint.run.sides.places import Place
from kubectl_applylint.sharding.part_json import PartFormatError, part_text, read_part
from kubectl_applylint.sharding.parts import (
    OtherRunError,
    Part,
    RunId,
    ShardResult,
    SourceLine,
    reject_other_run,
    report_of_shards,
    shard_result,
)
from kubectl_applylint.sharding.run_content import content_digest
from kubectl_applylint.sources.cluster.snapshot import MAX_BYTES as LARGEST
from kubectl_applylint.sources.git import git
from kubectl_applylint.sources.git.git import Repository
from kubectl_applylint.sources.system.contents import MAX_BYTES, read_file

Command: TypeAlias = Callable[[str, Arguments, Config], int]
_OF_PAGES: Final = frozenset(
    {
        *("fail-on", "exit-zero", "timeout", "show", "color", "output", "verbosity", "lang", "allow-unreachable"),
        *("render-timeout", "render-memory"),
    }
)
"""Options that do not change the findings."""


def write_part_and_show(
    program: str, arguments: Arguments, config: Config, result: RunResult, rules: Sequence[Rule]
) -> int:
    """Write the part of a run and its other reports; return the exit code. ``rules`` are the rules that ran."""
    write_parts(part_of(arguments, config, result, rules), config)
    return show_result(program, arguments, without_parts(config), result, rules)


def write_parts(part: Part, config: Config) -> None:
    """Write a part to each requested output; a file is written completely or not at all."""
    for output in config.output:
        if output.format is Format.PART:
            write(part_text(part), output.file, Target.JSON)


def part_of(arguments: Arguments, config: Config, result: RunResult, rules: Sequence[Rule]) -> Part:
    """Return the part that this machine writes; ``rules`` are the rules that ran."""
    runs, results = result.runs, result.results
    own = shard_result(results, runs.run_notes, list(runs.objects), show_secrets=config.show_secrets)
    lines = _lines(join_reports(own.results, ()), runs, config)
    shard = requested_shard(arguments)
    run = replace(run_of(arguments, config, rules), units=digest_of(runs.division))
    seconds = {one.unit.root: one.seconds for one in results if one.unit and one.seconds}
    return Part(run, {shard.number if shard else 1: replace(own, lines=lines)}, seconds)


def resume(command: Command, program: str, arguments: Arguments, config: Config) -> int:
    """Return the exit code of an existing part, else run the command that writes it."""
    rules = choose_rules(config).rules if arguments.command == "check" else ()
    found = existing_part(program, arguments, config, run_of(arguments, config, rules))
    if found is None:
        return command(program, arguments, config)
    return report_code(report_of_shards([found]), arguments.command, config)


def existing_part(
    program: str,
    arguments: Arguments,
    config: Config,
    run: RunId,
    differs: Callable[[ShardResult], str] = lambda found: "",
) -> ShardResult | None:
    """Return this machine's existing part of a run, or ``None`` if it has to be written.

    A part of another run, or one that ``differs``, is reported in one line and written again.
    """
    file = _only_part(config)
    if not is_by_units(request_of(arguments, config)):
        raise ConfigError(["--resume: this is one apply, which has no parts; name directories, without -f and -k"])
    if not os.path.exists(file):
        return None
    shard = requested_shard(arguments)
    number = shard.number if shard else 1
    try:
        found = _own_part(file, run, number, differs)
    except PartFormatError as fault:
        say(program, [f"{file}: made again: {fault}"])
        return None
    say(program, [f"{file}: part {number} of {run.shards} is up to date; skipped"])
    return found


def _only_part(config: Config) -> str:
    """Return the file of the only output; raise ``ConfigError`` for other outputs."""
    parts = [output.file for output in config.output if output.format is Format.PART]
    if len(parts) != 1 or len(config.output) != 1 or not parts[0]:
        raise ConfigError(["--resume: write one part and nothing else, -o part=FILE; merge prints reports"])
    return parts[0]


def _own_part(file: str, run: RunId, number: int, differs: Callable[[ShardResult], str]) -> ShardResult:
    """Return one machine's part of a run from a file; raise ``PartFormatError`` if it is something else."""
    content = read_file(file, LARGEST)
    if isinstance(content, Problem):
        raise PartFormatError(content.message)
    part = read_part(content, __version__)
    try:
        reject_other_run(part.run, replace(run, units=part.run.units))
    except OtherRunError as fault:
        raise PartFormatError(f"it and this run {fault.difference}") from None
    own = part.shards.get(number)
    why = differs(own) if own else "it is another part of the run"
    if own is None or why:
        raise PartFormatError(why)
    return own


def _lines(report: Report, runs: LoadedUnits, config: Config) -> tuple[SourceLine, ...]:
    """Return the lines of files that a report quotes."""
    sources = sources_of(report, runs, show_secrets=config.show_secrets)
    return tuple(
        SourceLine(file, number, sources[file][number - 1])
        for file, numbers in sorted(shown_lines(report).items())
        for number in sorted(numbers)
        if 0 < number <= len(sources.get(file, ()))
    )


def run_of(arguments: Arguments, config: Config, rules: Sequence[Rule], place: Place | None = None) -> RunId:
    """Return the identity of a run, which its parts have in common, without the units.

    ``place`` is the location of the files, if known.
    """
    request, shard = request_of(arguments, config), requested_shard(arguments)
    settings = [_setting_values(one) for name, one in sorted(config.origins.items()) if name not in _OF_PAGES]
    asked = (arguments.files, arguments.named, arguments.recursive, arguments.all_namespaces, request.flags)
    more = (
        arguments.is_one_apply,
        arguments.roots,
        arguments.targets,
        arguments.shows_known,
        arguments.connection,
        config.against.kind.value,
        timings_of(arguments),
    )
    return RunId(
        version=__version__,
        command=arguments.command,
        shards=shard.count if shard else 1,
        language=config.lang.value,
        commit=_commit(),
        content=_content(request, place, config),
        options=digest_of((settings, asked, more)),
        rules=rules_digest(rules),
        units="",
        ran=tuple(rule.id for rule in rules),
    )


def _setting_values(setting: Setting) -> tuple[object, ...]:
    """Return the values of a setting without their position in the source."""
    entries = [[_setting_values(one) for one in entry.settings] for entry in setting.entries]
    return (setting.name, setting.texts, entries)


def rules_digest(rules: Sequence[Rule]) -> str:
    """Return a digest of rules, regardless of their folders."""
    return digest_of([replace(rule, folder="") for rule in rules])


def digest_of(value: object) -> str:
    """Return a digest of a value that is the same in every process."""
    return hashlib.sha256(canonical(value)).hexdigest()[:32]


def _content(request: Request, place: Place | None, config: Config) -> str:
    """Return a digest of the files and the baseline of a run."""
    known = read_file(config.baseline, MAX_BYTES) if config.baseline else b""
    return digest_of((content_digest(request, place) if is_by_units(request) else "", known))


def _commit() -> str:
    """Return the id of the current commit, or ``""``."""
    repo = git.repository(os.curdir)
    head = git.resolve(repo, "HEAD") if isinstance(repo, Repository) else None
    return head.id if head else ""
