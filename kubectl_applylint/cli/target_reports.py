"""Reports for several targets, from one machine or from all that share a run."""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Final, TypeAlias

from kubectl_applylint.cli.show import TARGETS, has_color
from kubectl_applylint.cli.terminal.output import say, width, write
from kubectl_applylint.config.configuration import Config, Format, Output
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.safe_text import Target
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.ending import CHANGING, CLEAN, FAILING, INCOMPLETE
from kubectl_applylint.report.order import Impact
from kubectl_applylint.report.targets.targets import TargetReport

COMMAND: Final = "plan --targets"
"""The name of the command in parts and messages."""
TargetRenderer: TypeAlias = Callable[[Sequence[TargetReport], Context, Sequence[Problem]], str]
RENDERERS: Final[Mapping[Format, str]] = {
    Format.TEXT: "targets.targets.targets_text",
    Format.MARKDOWN: "targets.markdown.targets_markdown",
    Format.JSON: "targets.targets.targets_json",
    Format.HTML: "html.targets.targets_html",
}
"""The renderers by form; only the requested modules are imported, since HTML takes a tenth of a second."""


def show_targets(program: str, reports: Sequence[TargetReport], config: Config, missing: Sequence[Problem] = ()) -> int:
    """Write the reports in every form and return the exit code; ``missing`` has the problems of missing parts."""
    for output in config.output:
        _write(reports, output, config, missing)
    say(program, [f"{one.name}: {note}" for one in reports for note in one.notes if config.verbosity])
    return code_of(reports, config, missing)


def _write(reports: Sequence[TargetReport], output: Output, config: Config, missing: Sequence[Problem]) -> None:
    """Write the reports in every form."""
    context = Context(
        command="plan",
        color=has_color(config, file=output.file),
        width=width(output.file),
        verbose=config.verbosity > 0,
    )
    text = _renderer(output.format)(reports, context, missing)
    write(text, output.file, TARGETS.get(output.format, Target.TEXT), color=context.color)


def _renderer(form: Format) -> TargetRenderer:
    module, _, name = RENDERERS[form].rpartition(".")
    found: TargetRenderer = getattr(import_module(f"kubectl_applylint.report.{module}"), name)
    return found


def code_of(reports: Sequence[TargetReport], config: Config, missing: Sequence[Problem] = ()) -> int:
    """Return the exit code of ``plan``: 3 if something could not be read, 1 if an apply would be rejected.

    With ``--detailed-exitcode`` it is otherwise 2 if something changes.
    """
    if missing or any(one.problems for one in reports):
        return INCOMPLETE
    if any(one.refused for one in reports) and not config.exit_zero:
        return FAILING
    impacts = {effect.impact for one in reports for effect in one.effects}
    return CHANGING if config.detailed_exitcode and impacts - {Impact.UNCHANGED, Impact.ORPHANED} else CLEAN
