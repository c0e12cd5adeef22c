"""Parts of a report: written by each of the machines that share a run, for ``merge``."""

import hashlib
import os
from collections.abc import Sequence
from typing import Final

from kubectl_applylint import __version__
from kubectl_applylint.cli.arguments import Arguments
from kubectl_applylint.cli.output import write
from kubectl_applylint.cli.show import shown_lines, sources_of
from kubectl_applylint.cli.state import request_of
from kubectl_applylint.config.configuration import Config, Format
from kubectl_applylint.config.settings import Setting
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.safe_text import Target
from kubectl_applylint.lint.model import Report, Rule
from kubectl_applylint.run.kept_results import canonical
from kubectl_applylint.run.part_json import part_text
from kubectl_applylint.run.parts import Part, RunId, SourceLine, shard_of
from kubectl_applylint.run.unit_reports import UnitResult, joined
from kubectl_applylint.run.unit_runs import Runs
from kubectl_applylint.sources import git
from kubectl_applylint.sources.git import Repository

_OF_PAGES: Final = frozenset(
    {"fail-on", "exit-zero", "timeout", "show", "color", "output", "verbosity", "lang", "allow-unreachable"}
)
"""The options that change nothing in what is found."""


def write_parts(part: Part, config: Config) -> None:
    """Write a part wherever one is wanted; a file is written whole or not at all."""
    for output in config.output:
        if output.format is Format.PART:
            write(part_text(part), output.file, Target.JSON, is_atomic=True)


def part_of(
    arguments: Arguments, config: Config, runs: Runs, results: Sequence[UnitResult], rules: Sequence[Rule]
) -> Part:
    """Return what this machine found; ``results`` are those of its units, and ``rules`` those that ran."""
    own = shard_of(results, runs.said, list(runs.objects), show_secrets=config.show_secrets)
    lines = _lines(joined(own.results, ()), runs, config)
    shard = request_of(arguments, config).shard
    return Part(_run(arguments, config, runs, rules), {shard.number if shard else 1: replace(own, lines=lines)})


def _lines(report: Report, runs: Runs, config: Config) -> tuple[SourceLine, ...]:
    sources = sources_of(report, runs, show_secrets=config.show_secrets)
    return tuple(
        SourceLine(file, number, sources[file][number - 1])
        for file, numbers in sorted(shown_lines(report).items())
        for number in sorted(numbers)
        if 0 < number <= len(sources.get(file, ()))
    )


def _run(arguments: Arguments, config: Config, runs: Runs, rules: Sequence[Rule]) -> RunId:
    shard = request_of(arguments, config).shard
    settings = [_told(one) for name, one in sorted(config.origins.items()) if name not in _OF_PAGES]
    flags = request_of(arguments, config).flags
    asked = (arguments.files, arguments.named, arguments.recursive, arguments.all_namespaces, flags)
    more = (
        arguments.is_one_apply,
        arguments.roots,
        arguments.shows_known,
        arguments.connection,
        config.against.kind.value,
    )
    return RunId(
        version=__version__,
        command=arguments.command,
        shards=shard.count if shard else 1,
        language=config.lang.value,
        commit=_commit(),
        options=_digest((settings, asked, more)),
        rules=rules_digest(rules),
        units=_digest(runs.division),
        ran=tuple(rule.id for rule in rules),
    )


def _told(setting: Setting) -> tuple[object, ...]:
    """Return what a source says of an option, wherever that stands."""
    entries = [[_told(one) for one in entry.settings] for entry in setting.entries]
    return (setting.name, setting.texts, entries)


def rules_digest(rules: Sequence[Rule]) -> str:
    """Return what changes when a rule does, wherever its folder lies."""
    return _digest([replace(rule, folder="") for rule in rules])


def _digest(value: object) -> str:
    return hashlib.sha256(canonical(value)).hexdigest()[:32]


def _commit() -> str:
    repo = git.repository(os.curdir)
    head = git.resolve(repo, "HEAD") if isinstance(repo, Repository) else None
    return head.id if head else ""
