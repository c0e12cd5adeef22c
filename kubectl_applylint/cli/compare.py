"""The command ``compare``: one change with several appliers, each assumed to have applied the earlier revision."""

from collections.abc import Callable, Mapping
from typing import Final

from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.appliers.unit_applier import ASKED, AUTO, AskedApplier
from kubectl_applylint.cli.parsing.arguments import Arguments
from kubectl_applylint.cli.run import execute
from kubectl_applylint.cli.show import has_color, refuse_forms
from kubectl_applylint.cli.terminal.output import width, write
from kubectl_applylint.config.configuration import Config, ConfigError, Format
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.safe_text import Target
from kubectl_applylint.lint.model import Report
from kubectl_applylint.report.comparison import comparison_json, comparison_text
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.ending import CLEAN, INCOMPLETE
from kubectl_applylint.run.evaluate import PlanEvaluation
from kubectl_applylint.run.request import UNIT_STATES
from kubectl_applylint.secrets.masking import mask_report

KUBECTL: Final = "kubectl"
SERVER_SIDE: Final = "kubectl-server"
APPLIERS: Final = (KUBECTL, SERVER_SIDE, *(name for name in ASKED if name != AUTO))
"""The default appliers; ``auto``, the applier of each unit, has to be requested."""
_RENDERERS: Final[Mapping[Format, Callable[[Mapping[str, Report], Context], str]]] = {
    Format.TEXT: comparison_text,
    Format.JSON: comparison_json,
}


def compare(program: str, arguments: Arguments, config: Config) -> int:
    """Print the objects whose outcome depends on the applier; raise ``ConfigError`` for unknown appliers."""
    refuse_forms("compare", config, _RENDERERS)
    appliers = _appliers(arguments.appliers)
    if config.against.kind not in UNIT_STATES:
        raise ConfigError(["compare: specify the applied state: --against REVISION, or --against dir:PATH"])
    # The notes are the same for all.
    reports = {one: _report(program, arguments, config, one, is_silent=one != appliers[0]) for one in appliers}
    for output in config.output:
        target = Target.JSON if output.format is Format.JSON else Target.TEXT
        context = Context(
            command="compare",
            color=has_color(config, file=output.file),
            width=width(output.file),
            verbose=config.verbosity > 0,
        )
        write(_RENDERERS[output.format](reports, context), output.file, target, color=context.color)
    return INCOMPLETE if any(report.problems for report in reports.values()) else CLEAN


def _appliers(names: str) -> tuple[str, ...]:
    """Return the appliers to compare; raise ``ConfigError`` for fewer than two."""
    asked = tuple(dict.fromkeys(name.strip() for name in names.split(","))) if names else APPLIERS
    unknown = [name for name in asked if name not in (*APPLIERS, AUTO)]
    if unknown or len(asked) < 2:
        what = f"{unknown[0]!r} is not one of them" if unknown else "name two at least"
        raise ConfigError([f"--appliers: {what}; there are {', '.join((*APPLIERS, AUTO))}"])
    return asked


def _report(program: str, arguments: Arguments, config: Config, applier: str, *, is_silent: bool) -> Report:
    """Return the plan of a change for one applier."""
    supposed = replace(arguments, apply=_flags(arguments.apply, applier))
    is_server_side = applier == SERVER_SIDE
    own = replace(config, server_side=is_server_side, force_conflicts=is_server_side and config.force_conflicts)
    evaluation = PlanEvaluation(without_live="every apply is a fresh install")
    result = execute(program, supposed, own, evaluation, is_silent=is_silent)
    return result.report if config.show_secrets else mask_report(result.report, result.runs.objects)


def _flags(given: Flags, applier: str) -> Flags:
    """Return the flags with another applier."""
    return replace(given, asked=AskedApplier(ASKED[applier], is_supposed=True) if applier in ASKED else None)
