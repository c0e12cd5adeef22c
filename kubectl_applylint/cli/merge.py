"""The command ``merge``: merges partial reports into the report of a whole run."""

from collections.abc import Sequence
from functools import reduce
from pathlib import Path
from typing import Final

from kubectl_applylint import __version__
from kubectl_applylint.cli.parsing.arguments import Arguments
from kubectl_applylint.cli.parts import rules_digest, write_parts
from kubectl_applylint.cli.show import RENDERERS, refuse_forms, report_code, show_safe, without_parts
from kubectl_applylint.cli.target_reports import COMMAND, show_targets
from kubectl_applylint.cli.target_reports import RENDERERS as TARGET_RENDERERS
from kubectl_applylint.cli.terminal.output import read_stdin, say
from kubectl_applylint.config.configuration import Config, ConfigError, Format
from kubectl_applylint.config.hiding import all_rules
from kubectl_applylint.config.language import Language
from kubectl_applylint.core.problem import Problem, UnreadableError
from kubectl_applylint.core.records import replace
from kubectl_applylint.lint.model import Rule
from kubectl_applylint.sharding.part_json import PartFormatError, read_part
from kubectl_applylint.sharding.parts import (
    OtherRunError,
    Part,
    RunId,
    merge_parts,
    missing_shard_problems,
    quoted_lines,
    report_of,
    shares_of,
)
from kubectl_applylint.sharding.target_shares import target_reports

_ADVICE: Final = "write it with applylint check or plan --shard I/N -o part=FILE"


def merge(program: str, arguments: Arguments, config: Config) -> int:
    """Print the report of a run from its parts; return 3 if one is missing, 2 if they are of different runs."""
    part = _merged_part(arguments.files)
    command = part.run.command
    if command == COMMAND:
        return _merge_targets(program, part, config)
    config = replace(config, lang=Language(part.run.language))
    refuse_forms(f"merge of {command}", config, (*RENDERERS[command], Format.PART))
    rules = _rules(part.run, config)
    report = report_of(part)
    write_parts(part, config)
    say(program, report.notes)
    show_safe(report, quoted_lines(part), without_parts(config), program=program, command=command, rules=rules)
    return report_code(report, command, config)


def _merge_targets(program: str, part: Part, config: Config) -> int:
    """Write the merged reports of several targets; return the exit code."""
    refuse_forms(f"merge of {COMMAND}", config, (*TARGET_RENDERERS, Format.PART))
    write_parts(part, config)
    missing = [*missing_shard_problems(part)]
    return show_targets(program, target_reports(shares_of(part)), without_parts(config), missing)


def _merged_part(files: Sequence[str]) -> Part:
    """Return the merged part of several files; raise ``ConfigError`` if their runs differ."""
    parts = {file: _part(file) for file in files}
    first = files[0]

    def both(one: Part, file: str) -> Part:
        try:
            return merge_parts(one, parts[file])
        except OtherRunError as fault:
            raise ConfigError([f"{first}, {file}: they {fault.difference}"]) from None

    return reduce(both, files, parts[first])


def _part(file: str) -> Part:
    """Return the part in a file; raise ``UnreadableError`` if it is not a part."""
    try:
        content = read_stdin(-1) if file == "-" else Path(file).read_bytes()
        part = read_part(content, __version__)
    except OSError as fault:
        raise UnreadableError(Problem(file, f"cannot be read: {fault.strerror}", _ADVICE)) from None
    except PartFormatError as fault:
        raise UnreadableError(Problem(file, f"not a part of a report: {fault}", _ADVICE)) from None
    if part.run.command not in (*RENDERERS, COMMAND) or part.run.language not in [*Language]:
        raise UnreadableError(Problem(file, "not a part of a report: its command or language is unknown", _ADVICE))
    return part


def _rules(run: RunId, config: Config) -> tuple[Rule, ...]:
    """Return the rules of the run; raise ``ConfigError`` if they differ from the rules here."""
    known = {rule.id: rule for rule in all_rules(config)}
    missing = [name for name in run.ran if name not in known]
    if missing:
        raise ConfigError([f"--rules: the parts have the rule {missing[0]}, which is not here; name its directory"])
    rules = tuple(known[name] for name in run.ran)
    if rules_digest(rules) != run.rules:
        raise ConfigError(["--rules: the rules of the parts have other texts than those here"])
    return rules
