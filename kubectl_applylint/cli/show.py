"""Masks, renders and writes a report in every requested form."""

import os
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from importlib import import_module
from typing import Final, TypeAlias

from kubectl_applylint.cli.terminal.clock import now
from kubectl_applylint.cli.terminal.hyperlinks import url_of
from kubectl_applylint.cli.terminal.output import is_terminal, say, width, write
from kubectl_applylint.config.configuration import ColorMode, Config, ConfigError, Format, Output, wants_color
from kubectl_applylint.config.language import Language
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.safe_text import Target
from kubectl_applylint.lint.model import Report, Rule
from kubectl_applylint.report.context import EVERY_COMMIT, STATISTICS, Context, UrlOf, no_url
from kubectl_applylint.report.ending import exit_code
from kubectl_applylint.report.text import problem_line, remark_line
from kubectl_applylint.run.cache.masked_report import mask_run_report
from kubectl_applylint.run.compare.against import AgainstKind
from kubectl_applylint.run.load.run_input import RunInput
from kubectl_applylint.run.loaded_units import LoadedUnits
from kubectl_applylint.secrets.masked_sources import mask_sources

Renderer: TypeAlias = Callable[[Report, Context], str]

RENDERERS: Final[Mapping[str, Mapping[Format, str]]] = {
    "check": {
        Format.TEXT: "text.findings_text",
        Format.CONCISE: "concise.report_lines",
        Format.JSON: "formats.json_v1.report_json",
        Format.SARIF: "formats.sarif.sarif",
        Format.GITHUB: "formats.github.annotations",
        Format.GITLAB: "formats.gitlab.code_quality",
        Format.JUNIT: "formats.junit.junit",
        Format.MARKDOWN: "review.markdown.report_markdown",
        Format.RDJSONL: "formats.rdjsonl.diagnostics",
        Format.HTML: "html.page.html_page",
        Format.OPENREPORTS: "formats.openreports.open_reports",
    },
    STATISTICS: {Format.TEXT: "statistics.statistics_text", Format.JSON: "statistics.statistics_json"},
    "plan": {
        Format.TEXT: "plan.plan_text",
        Format.CONCISE: "concise.report_lines",
        Format.JSON: "formats.json_v1.report_json",
        Format.JUNIT: "formats.junit.junit",
        Format.MARKDOWN: "review.markdown.report_markdown",
        Format.HTML: "html.page.html_page",
        Format.DIFF: "formats.unified_diff.plan_diff",
    },
    "revert": {Format.TEXT: "round_trip.round_trip", Format.JSON: "formats.json_v1.report_json"},
    "again": {Format.TEXT: "round_trip.round_trip", Format.JSON: "formats.json_v1.report_json"},
    EVERY_COMMIT: {Format.TEXT: "round_trip.round_trip", Format.JSON: "formats.json_v1.report_json"},
}
"""The renderers of each command by form; only the requested modules are imported."""
TARGETS: Final[Mapping[Format, Target]] = {
    Format.JSON: Target.JSON,
    Format.SARIF: Target.JSON,
    Format.GITLAB: Target.JSON,
    Format.RDJSONL: Target.JSON,
    Format.OPENREPORTS: Target.JSON,
    Format.JUNIT: Target.XML,
    Format.MARKDOWN: Target.XML,
    Format.HTML: Target.XML,
    Format.GITHUB: Target.COMMANDS,
}
"""The program that reads each form; people read the others."""
EXTERNAL_DIFF: Final = "KUBECTL_EXTERNAL_DIFF"
"""The variable with the diff program of ``kubectl diff`` and its options, separated by blanks."""
_ENGLISH: Mapping[str, str] = {}
WITH_EXCERPTS = (Format.TEXT, Format.HTML, Format.RDJSONL)
"""Forms with lines of files."""
_FOR_PEOPLE = (Format.TEXT, Format.CONCISE, Format.GITHUB, Format.MARKDOWN)
_LINE_BREAK = regex("\r\n|[\n\r\x85\u2028\u2029]")
_RARE_BREAKS = "\r\x85\u2028\u2029"


def refuse_forms(command: str, config: Config, forms: Collection[Format]) -> None:
    """Raise ``ConfigError`` for a form that the command does not have, before any work is done."""
    unknown = [output.format for output in config.output if output.format not in forms]
    if unknown:
        raise ConfigError(f"--output: {command} has no format {form}; it has {', '.join(forms)}" for form in unknown)


def without_parts(config: Config) -> Config:
    """Return the configuration without outputs for parts."""
    output = tuple(output for output in config.output if output.format is not Format.PART)
    return config if output == config.output else replace(config, output=output)


def show(
    report: Report,
    run_input: RunInput | LoadedUnits,
    config: Config,
    *,
    program: str,
    command: str,
    rules: Sequence[Rule] = (),
) -> None:
    """Write the report in every form; also write problems to standard error unless text goes to stdout."""
    safe = write_report(report, run_input, config, command=command, rules=rules)
    _say_problems(safe, config, program)


def show_safe(
    safe: Report,
    sources: Mapping[str, tuple[str, ...]],
    config: Config,
    *,
    program: str,
    command: str,
    rules: Sequence[Rule] = (),
) -> None:
    """Write a masked report like ``show``; ``sources`` are the lines that it may quote."""
    _write_safe(safe, sources, config, command, rules)
    _say_problems(safe, config, program)


def _say_problems(safe: Report, config: Config, program: str) -> None:
    """Write problems and remarks to standard error unless people read standard output."""
    if not any(output.format in _FOR_PEOPLE and not output.file for output in config.output):
        say(program, (problem_line(problem, Context()) for problem in safe.problems))
        say(program, (remark_line(remark, Context()) for remark in safe.remarks))


def write_report(
    report: Report, run_input: RunInput | LoadedUnits, config: Config, *, command: str, rules: Sequence[Rule] = ()
) -> Report:
    """Write the report in every form, and return it masked."""
    safe = report if config.show_secrets else mask_run_report(report, run_input)
    is_excerpted = any(output.format in WITH_EXCERPTS for output in config.output)
    sources = sources_of(safe, run_input, show_secrets=config.show_secrets) if is_excerpted else {}
    _write_safe(safe, sources, config, command, rules)
    return safe


def _write_safe(
    safe: Report, sources: Mapping[str, tuple[str, ...]], config: Config, command: str, rules: Sequence[Rule]
) -> None:
    """Write a masked report in every form."""
    by_id = {rule.id: rule for rule in rules}
    for output in config.output:
        if output == Output(Format.DIFF) and os.environ.get(EXTERNAL_DIFF):
            _show_externally(safe)
            continue
        context = _context(command, config, output, sources, by_id)
        text = _renderer(command, output.format)(safe, context)
        target = TARGETS.get(output.format, Target.TEXT)
        write(text, output.file, target, color=context.color, links=context.url_of is not no_url)


def _show_externally(safe: Report) -> None:
    """Show a plan with the diff program of the user."""
    # Only runs with such a program import this.
    from kubectl_applylint.cli.external_diff import show_diffs  # noqa: PLC0415  3 ms
    from kubectl_applylint.report.formats.unified_diff import object_diffs  # noqa: PLC0415  3 ms

    show_diffs(os.environ[EXTERNAL_DIFF], object_diffs(safe))


def _renderer(command: str, form: Format) -> Renderer:
    module, _, name = RENDERERS[command][form].rpartition(".")
    renderer: Renderer = getattr(import_module(f"kubectl_applylint.report.{module}"), name)
    return renderer


def _context(
    command: str, config: Config, output: Output, sources: Mapping[str, tuple[str, ...]], rules: Mapping[str, Rule]
) -> Context:
    """Return the rendering context of an output."""
    return Context(
        command=command,
        color=has_color(config, file=output.file),
        width=width(output.file),
        url_of=links(output),
        verbose=config.verbosity > 0,
        sources=sources,
        rules=rules,
        show=config.show,
        fail_on=config.fail_on,
        revision=config.against.argument.partition("..")[0] if config.against.kind is AgainstKind.GIT else "",
        exit_zero=config.exit_zero,
        detailed_exitcode=config.detailed_exitcode,
        conclusions=dict(config.conclusion),
        phrases=phrases(config.lang) if output.format is Format.TEXT else _ENGLISH,
        time=now(),
    )


def report_code(report: Report, command: str, config: Config) -> int:
    """Return the exit code of a report with the settings of a run."""
    detailed = config.detailed_exitcode
    return exit_code(report, command, config.fail_on, exit_zero=config.exit_zero, detailed=detailed)


def phrases(language: Language) -> Mapping[str, str]:
    """Return the translations of a language, empty for English."""
    if language is Language.ENGLISH:
        return _ENGLISH
    from kubectl_applylint.report.japanese import PHRASES  # noqa: PLC0415  1 ms that a run in English need not wait

    return PHRASES


def has_color(config: Config, *, file: str = "") -> bool:
    """Return whether text for a file or standard output is coloured."""
    if file:
        return config.color is ColorMode.ALWAYS
    return wants_color(config.color, os.environ, is_terminal=is_terminal(sys.stdout))


def links(output: Output) -> UrlOf:
    """Return the function from file and line to a URL for an output."""
    if output.file or output.format is not Format.TEXT:
        return no_url
    return url_of(os.environ, is_terminal=is_terminal(sys.stdout))


def sources_of(
    report: Report, run_input: RunInput | LoadedUnits, *, show_secrets: bool
) -> Mapping[str, tuple[str, ...]]:
    """Return the lines of the files that a report quotes, masked unless secrets are shown."""
    shown = shown_lines(report)
    texts = run_input.texts
    lines = {file: _lines(texts[file]) for file in shown if file in texts}
    return lines if show_secrets else mask_sources(lines, run_input.documents, list(run_input.objects), shown)


def _lines(text: str) -> tuple[str, ...]:
    is_plain = not any(mark in text for mark in _RARE_BREAKS)
    return tuple(text.split("\n") if is_plain else _LINE_BREAK.split(text))


def shown_lines(report: Report) -> Mapping[str, Collection[int]]:
    """Return the first and last line of each finding and its related locations, by file."""
    found: dict[str, set[int]] = {finding.location.file: set() for finding in report.findings}
    for finding in report.findings:
        others = (*(related.location for related in finding.related), *(edit.location for edit in finding.edits))
        for one in (finding.location, *others):
            found.setdefault(one.file, set()).update((one.span.line, one.span.end_line))
    return found
