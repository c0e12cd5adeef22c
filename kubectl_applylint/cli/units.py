"""The command ``units``: lists the applies of a repository. It renders no manifests and needs no cluster."""

import os
from collections.abc import Callable, Mapping
from typing import Final

from kubectl_applylint.cli.parsing.arguments import Arguments
from kubectl_applylint.cli.show import refuse_forms
from kubectl_applylint.cli.state import request_of
from kubectl_applylint.cli.terminal.output import width, write
from kubectl_applylint.config.configuration import Config, Format
from kubectl_applylint.core.problem import Problem, UnreadableError
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.safe_text import Target
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.units import ListedUnit, units_details, units_json, units_text
from kubectl_applylint.run.collect import unit_report
from kubectl_applylint.run.discover.repository_units import list_units
from kubectl_applylint.sources.git.git import GitError
from kubectl_applylint.units.model import Unit

_RENDERERS: Final[Mapping[Format, Callable[[list[ListedUnit], Context], str]]] = {
    Format.TEXT: units_text,
    Format.JSON: units_json,
}


def _gap(unit: Unit) -> str:
    """Return why nothing of a unit is examined, empty if it is."""
    return unit.applied.gap or ("suspended" if unit.applied.is_suspended else "")


def units(program: str, arguments: Arguments, config: Config) -> int:
    """List the units of a repository or of some paths; raise ``UnreadableError`` for missing paths."""
    refuse_forms("units", config, _RENDERERS)
    missing = next((name for name in arguments.files if not os.path.lexists(name)), None)
    if missing is not None:
        raise UnreadableError(Problem(missing, f'the path "{missing}" does not exist', "check the spelling"))
    try:
        found = list_units(request_of(arguments, config))
    except GitError as fault:
        raise UnreadableError(fault.problem) from fault
    listed = [
        ListedUnit(replace(unit_report(unit), reason=_gap(unit)), len(unit.files), declaring)
        for unit, declaring in zip(found.units, found.declaring, strict=True)
    ]
    for output in config.output:
        target = Target.JSON if output.format is Format.JSON else Target.TEXT
        context = Context(command="units", width=width(output.file), verbose=config.verbosity > 0)
        text = _RENDERERS[output.format](listed, context)
        more = units_details(listed, found.notes) if context.verbose and output.format is Format.TEXT else ""
        write(f"{text}{more}", output.file, target)
    return 0
