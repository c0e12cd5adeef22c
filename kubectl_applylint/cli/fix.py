"""``check --fix``: writes proven edits to the files that the caller named, or prints them as a diff."""

import os
from collections.abc import Iterator, Sequence

from kubectl_applylint.cli.parsing.fix_options import FixOptions
from kubectl_applylint.cli.terminal.output import say, write
from kubectl_applylint.config.configuration import Config, ConfigError
from kubectl_applylint.config.hiding import RuleSelection
from kubectl_applylint.core.records import replace
from kubectl_applylint.lint.model import Report
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.words import count, proof_words
from kubectl_applylint.run.edits.file_fixes import FileFix, Unfixed, file_fixes
from kubectl_applylint.run.loaded_units import LoadedUnits
from kubectl_applylint.secrets.masked_sources import mask_sources
from kubectl_applylint.sources.files.rewriting import refusal, rewrite, tree_of
from kubectl_applylint.sources.system.contents import STDIN
from kubectl_applylint.sources.text.manifests import read_text


def refuse_fix(options: FixOptions, files: Sequence[str]) -> None:
    """Raise ``ConfigError`` for conflicting flags, or if no editable file was named."""
    if not options.fix:
        if options.diff or options.unsafe:
            raise ConfigError(["--diff and --unsafe only work with --fix"])
        return
    if not files or STDIN in files:
        raise ConfigError(["--fix: name the files or directories to edit; standard input cannot be edited"])


def editable_fixes(
    program: str, options: FixOptions, files: Sequence[str], judged: tuple[Report, LoadedUnits, RuleSelection]
) -> list[FileFix]:
    """Return the fixes of files that may be edited, and report why others are not."""
    report, runs, rules = judged
    every = file_fixes(runs, report.findings, rules.rules, rules.silent, is_unsafe=options.unsafe)
    tree = tree_of(os.curdir)
    refused = [one if isinstance(one, Unfixed) else _rejection(one, files, tree) for one in every]
    say(program, (f"{one.file}: not edited: {one.reason}" for one in refused if one.reason))
    return [one for one, no in zip(every, refused, strict=True) if isinstance(one, FileFix) and not no.reason]


def _rejection(one: FileFix, files: Sequence[str], tree: str) -> Unfixed:
    """Return why a file is not edited, with an empty reason if it is."""
    return Unfixed(one.file, refusal(one.file, one.before, files, tree))


def write_fixes(program: str, fixes: Sequence[FileFix]) -> None:
    """Write the fixed files and print the number of fixes; raise ``ConfigError`` if a file is not writable."""
    for one in fixes:
        try:
            rewrite(one.file, one.after)
        except OSError as fault:
            raise ConfigError([f"{one.file}: cannot be written: {fault.strerror}"]) from None
        say(program, (f"{one.file}: {words}" for words in _conditions(one)))
    number = sum(len(one.findings) for one in fixes)
    say(program, [f"fixed {count(number, 'finding')} in {count(len(fixes), 'file')}" if fixes else "nothing to fix"])


def _conditions(one: FileFix) -> Iterator[str]:
    """Yield the effects of edits that depend on a condition."""
    for finding in one.findings:
        if finding.proof and finding.proof.cases:
            yield f"{finding.rule}: {proof_words(finding.proof, Context())}"


def print_diff(program: str, fixes: Sequence[FileFix], runs: LoadedUnits, config: Config) -> None:
    """Print the edits as a unified diff, with masked Secrets."""
    write("".join(chunk for one in fixes for chunk in _diff(one, runs, config)))
    say(program, (f"{one.file}: {words}" for one in fixes for words in _conditions(one)))


def _diff(one: FileFix, runs: LoadedUnits, config: Config) -> Iterator[str]:
    from difflib import unified_diff  # noqa: PLC0415  3 ms, for --fix --diff

    before, after = (_lines(one.file, text, runs, config) for text in (one.before, one.after))
    name = one.file.removeprefix("./")
    for line in unified_diff(before, after, f"a/{name}", f"b/{name}", lineterm=""):
        yield f"{line}\n"


def _lines(file: str, text: str, runs: LoadedUnits, config: Config) -> Sequence[str]:
    lines = tuple(text.splitlines())
    if config.show_secrets:
        return lines
    return mask_sources({file: lines}, read_text(text, file).documents, list(runs.objects))[file]


def without_fixed(report: Report, fixes: Sequence[FileFix]) -> Report:
    """Return the report without the findings that are fixed."""
    gone = {finding.fingerprint for one in fixes for finding in one.findings}
    return replace(report, findings=tuple(one for one in report.findings if one.fingerprint not in gone))
