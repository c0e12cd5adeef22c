"""The plan of one repository for several clusters: ``plan --targets 'env=prod'``."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import Final

from kubectl_applylint.cli.arguments import Arguments
from kubectl_applylint.cli.output import say, width, write
from kubectl_applylint.cli.progress import watched
from kubectl_applylint.cli.show import TARGETS, has_color, refuse_forms
from kubectl_applylint.cli.state import live_source, request_of, unit_sources
from kubectl_applylint.cli.stopwatch import phase
from kubectl_applylint.cli.unreached import Unreached
from kubectl_applylint.config.configuration import Config, ConfigError, Format, Output
from kubectl_applylint.config.hiding import all_rules
from kubectl_applylint.config.targets import ConfiguredTarget
from kubectl_applylint.core import selector
from kubectl_applylint.core.problem import Unreadable
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.safe_text import Target
from kubectl_applylint.lint.model import Report
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.ending import CLEAN, FAILING, INCOMPLETE
from kubectl_applylint.report.masking import mask_report
from kubectl_applylint.report.targets import TargetReport, target_report
from kubectl_applylint.run import unit_reports
from kubectl_applylint.run.places import Place, place_of, read_once
from kubectl_applylint.run.unit_runs import UnknownRoot, is_by_units, runs_of

_RENDERERS: Final[Mapping[Format, str]] = {
    Format.TEXT: "targets.targets_text",
    Format.MARKDOWN: "targets_markdown.targets_markdown",
    Format.JSON: "targets.targets_json",
    Format.HTML: "html.targets.targets_html",
}
"""What renders each form: only the modules that are asked for are imported, as HTML takes a tenth of a second."""


def plan_targets(program: str, arguments: Arguments, config: Config) -> int:
    """Predict each unit for each target; 1 if an apply would be rejected in one, 3 if one could not be read."""
    refuse_forms("plan --targets", config, _RENDERERS)
    chosen = _chosen(arguments, config)
    place = _place(arguments, config)
    reports = [
        target_report(target.name, target.labels, _planned(arguments, config, target, place))
        for target in watched(chosen, "planning for target")
    ]
    for output in config.output:
        _write(reports, output, config)
    say(program, [f"{one.name}: {note}" for one in reports for note in one.notes if config.verbosity])
    return _code(reports, config)


def _write(reports: Sequence[TargetReport], output: Output, config: Config) -> None:
    context = Context(
        command="plan",
        color=has_color(config, file=output.file),
        width=width(output.file),
        verbose=config.verbosity > 0,
    )
    text = _renderer(output.format)(reports, context)
    write(text, output.file, TARGETS.get(output.format, Target.TEXT), color=context.color)


def _renderer(form: Format) -> Callable[[Sequence[TargetReport], Context], str]:
    module, _, name = _RENDERERS[form].rpartition(".")
    found: Callable[[Sequence[TargetReport], Context], str] = getattr(
        import_module(f"kubectl_applylint.report.{module}"), name
    )
    return found


def _code(reports: Sequence[TargetReport], config: Config) -> int:
    if any(one.problems for one in reports):
        return INCOMPLETE
    return FAILING if any(one.refused for one in reports) and not config.exit_zero else CLEAN


def _chosen(arguments: Arguments, config: Config) -> tuple[ConfiguredTarget, ...]:
    """Return the targets that are asked for; raise ``ConfigError`` where there are none, or one has no state."""
    if "against" in arguments.flags:
        raise ConfigError(["--against: each of the targets says what it is compared with"])
    try:
        terms = selector.parse(arguments.targets or "")
    except ValueError as fault:
        raise ConfigError([f"--targets: {fault}"]) from None
    chosen = tuple(target for target in config.targets if target.is_meant(terms))
    if not chosen:
        names = ", ".join(target.name for target in config.targets)
        known = f"the configuration has {names}" if names else "the configuration has no targets"
        raise ConfigError([f"--targets: no target has these labels; {known}"])
    unknown = [target.name for target in chosen if target.against is None]
    if unknown:
        raise ConfigError(
            f"targets: {name}: against or context is missing: where is its live state read?" for name in unknown
        )
    return chosen


def _place(arguments: Arguments, config: Config) -> Place | None:
    request = request_of(arguments, config)
    is_there = is_by_units(replace(request, against=config.targets[0].against or request.against))
    return read_once(place_of(request.files, request.units)) if is_there else None


def _planned(arguments: Arguments, config: Config, target: ConfiguredTarget, place: Place | None) -> Report:
    """Return the plan for a target; where its state cannot be read, a report with that problem alone."""
    phase(f"planning for {target.name}")
    context = target.context or arguments.connection.context
    asked = replace(
        arguments,
        connection=replace(arguments.connection, context=context),
        flags={**arguments.flags, "against": (str(target.against),)},
        roots=target.units or arguments.roots,
    )
    own = replace(
        config,
        against=target.against or config.against,
        namespace=target.namespace or config.namespace,
        kubernetes_version=target.kubernetes_version or config.kubernetes_version,
    )
    try:
        with live_source(asked, own) as source, unit_sources(asked, own) as source_of:
            request = replace(request_of(asked, own), source_of=source_of, place=place)
            runs = runs_of(request, source)
            report = unit_reports.plan(runs, partial(all_rules, own))
            return report if own.show_secrets else mask_report(report, runs.objects)
    except UnknownRoot:
        raise ConfigError(
            [f"targets: {target.name}: no unit has a root of its units; applylint units lists them"]
        ) from None
    except (Unreached, Unreadable) as lost:
        return Report(problems=(lost.problem,))
