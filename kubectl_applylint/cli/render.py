"""The command ``render``: prints the objects that the tool of each unit applies. It needs no cluster."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from glob import escape
from itertools import islice
from typing import Final

from kubectl_applylint.cli.parsing.arguments import Arguments
from kubectl_applylint.cli.run import execute
from kubectl_applylint.cli.show import refuse_forms
from kubectl_applylint.cli.state import request_of
from kubectl_applylint.cli.terminal.output import say, write, write_files
from kubectl_applylint.config.configuration import Config, ConfigError, Format, Output
from kubectl_applylint.core.problem import UnreadableError
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.safe_text import Target
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.lint.unit_report import UnitReport
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.ending import CLEAN, INCOMPLETE
from kubectl_applylint.report.rendered_files import AFTER, BEFORE, rendered_files
from kubectl_applylint.report.rendering import RenderedUnit, RenderReport, render_json, render_yaml
from kubectl_applylint.report.text import problem_line
from kubectl_applylint.run.collect import RunResult
from kubectl_applylint.run.compare.against import NOTHING, AgainstKind
from kubectl_applylint.run.evaluate import RenderEvaluation
from kubectl_applylint.run.load.rendered_objects import rendered_objects
from kubectl_applylint.run.loaded_units import LoadedUnit
from kubectl_applylint.run.notes import Gaps
from kubectl_applylint.run.request import RequestScope, scope_of
from kubectl_applylint.run.sides.places import place_of
from kubectl_applylint.secrets.masking import mask_objects, mask_report
from kubectl_applylint.sources.files.output_folder import occupied_reason
from kubectl_applylint.sources.system.contents import missing_problem
from kubectl_applylint.units.configured import Configured
from kubectl_applylint.units.model import Applied, Reason

_RENDERERS: Final[Mapping[Format, Callable[[RenderReport, Context], str]]] = {
    Format.TEXT: render_yaml,
    Format.YAML: render_yaml,
    Format.JSON: render_json,
}


def render(program: str, arguments: Arguments, config: Config) -> int:
    """Print the objects of units; return 3 if a unit is not or only partly rendered.

    With ``--against`` only units that the change touches are printed. Raises ``UnreadableError`` for a missing path.
    """
    refuse_forms("render", config, (*_RENDERERS, Format.DIR))
    _refuse_folders(config.output)
    named, config = _by_units(arguments, config)
    is_compared = "against" in arguments.flags and config.against.kind is not AgainstKind.NONE
    config = replace(config, against=config.against if is_compared else NOTHING, allow_unreachable=False)
    if is_compared:
        _refuse_other_states(named, config)
    else:
        _refuse_missing_paths(named.files)
    result = execute(program, named, config, RenderEvaluation(), is_silent=True)
    report = _report(result, is_compared=is_compared, show_secrets=config.show_secrets)
    for output in config.output:
        _write(report, output)
    say(program, (*report.notes, *(problem_line(problem, Context()) for problem in report.problems)))
    return INCOMPLETE if report.problems else CLEAN


def _refuse_missing_paths(files: Sequence[str]) -> None:
    missing = next((name for name in files if not os.path.lexists(name)), None)
    if missing is not None:
        raise UnreadableError(missing_problem(missing))


def _refuse_other_states(arguments: Arguments, config: Config) -> None:
    if scope_of(request_of(arguments, config)) is not RequestScope.CHANGE:
        words = "render compares with a git revision, or one directory with dir:PATH"
        raise ConfigError([f"--against {config.against}: {words}"])


def _refuse_folders(outputs: Sequence[Output]) -> None:
    """Raise ``ConfigError`` for a directory that has files already, before any work is done."""
    folders = [output.file for output in outputs if output.format is Format.DIR]
    if not all(folders):
        raise ConfigError(["--output: dir: name a directory that is absent or empty: -o dir=PATH"])
    faults = [
        f"--output: {folder}: {why}; name a directory that is absent or empty"
        for folder in folders
        if (why := occupied_reason(folder))
    ]
    if faults:
        raise ConfigError(faults)


def _write(report: RenderReport, output: Output) -> None:
    if output.format is Format.DIR:
        files = rendered_files(report.units, is_compared=report.is_compared)
        write_files(output.file, files, Target.JSON, inner=(BEFORE, AFTER) if report.is_compared else ())
    else:
        write(_RENDERERS[output.format](report, Context(command="render")), output.file, Target.JSON)


def _by_units(arguments: Arguments, config: Config) -> tuple[Arguments, Config]:
    """Return the arguments for a run by units; the folder of ``-k`` is a unit of kubectl, and the only one."""
    folder = arguments.kustomize
    if not folder:
        return replace(arguments, files=arguments.files or (os.curdir,)), config
    root = place_of((folder,)).paths[0] or os.curdir
    unit = Configured(os.curdir, os.path.realpath(folder), Applied(reason=Reason("named by the caller")))
    only = replace(arguments, named=(), roots=(escape(root),))
    return only, replace(config, units=(unit, *config.units))


def _report(result: RunResult, *, is_compared: bool, show_secrets: bool) -> RenderReport:
    """Return the rendered units, of a change those with a difference.

    Values of Secrets are masked, also where other objects and messages repeat them.
    """
    runs = (run for run in result.runs.each if run.unit)
    every = [
        _rendered_unit(run, unit, is_compared=is_compared) for run, unit in zip(runs, result.report.units, strict=True)
    ]
    report, shown = replace(result.report, notes=_notes(result)), every
    if not show_secrets:
        # A mask hides differences, so that they are looked for in the objects without masks.
        report, shown = mask_report(report, [*_objects(every)]), _masked_units(every)
    units = (
        safe for one, safe in zip(every, shown, strict=True) if not is_compared or one.is_changed or one.unit.reason
    )
    return RenderReport(tuple(units), report.problems, report.notes, is_compared=is_compared)


def _rendered_unit(run: LoadedUnit, unit: UnitReport, *, is_compared: bool) -> RenderedUnit:
    objects = rendered_objects(run.input)
    if not is_compared:
        return RenderedUnit(unit, objects)
    earlier = run.earlier()
    return RenderedUnit(unit, objects, rendered_objects(earlier) if earlier else ())


def _notes(result: RunResult) -> tuple[str, ...]:
    """Return the notes of a run, without those on definitions and those that repeat problems of holes."""
    notes = result.runs.run_notes
    return replace(notes, gaps=Gaps(notes.gaps.skipped), holes=()).lines


def _objects(units: Iterable[RenderedUnit]) -> Iterator[JsonObject]:
    return (item for one in units for item in (*one.objects, *(one.before or ())))


def _masked_units(units: Sequence[RenderedUnit]) -> list[RenderedUnit]:
    masked = iter(mask_objects([*_objects(units)]))
    return [_with_objects(one, masked) for one in units]


def _with_objects(rendered: RenderedUnit, objects: Iterator[JsonObject]) -> RenderedUnit:
    """Return a unit with the next of some objects in place of its own, in the order of ``_objects``."""
    later = tuple(islice(objects, len(rendered.objects)))
    earlier = None if rendered.before is None else tuple(islice(objects, len(rendered.before)))
    return replace(rendered, objects=later, before=earlier)
