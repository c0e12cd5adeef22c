"""The rendered objects of units: as YAML, and as JSON with the description of each unit."""

import json
from typing import Final

from kubectl_applylint.core.go_yaml import format_yaml
from kubectl_applylint.core.paths import Path
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.safe_text import inert, one_line
from kubectl_applylint.core.values import Json, JsonObject, equal
from kubectl_applylint.lint.unit_report import UnitReport
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.formats.json_v1 import problem_json
from kubectl_applylint.report.objects.yaml_lines import yaml_lines
from kubectl_applylint.report.units import examined_unit_json

VERSION: Final = "render-v1"
_SEPARATOR: Final = "---\n"


@dataclass(frozen=True, slots=True)
class RenderedUnit:
    """A unit, and its objects in the order in which they are applied."""

    unit: UnitReport
    objects: tuple[JsonObject, ...] = field(repr=False)
    before: tuple[JsonObject, ...] | None = field(repr=False, default=None)
    """The objects of the earlier revision; ``None`` if there is none to compare with."""

    @property
    def is_changed(self) -> bool:
        """Whether the objects differ from those of the earlier revision."""
        return not equal([*self.objects], [*(self.before or ())])


@dataclass(frozen=True, slots=True)
class RenderReport:
    """The units of a run in their order, with its problems and notes."""

    units: tuple[RenderedUnit, ...] = ()
    problems: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()
    is_compared: bool = False
    """Whether two revisions are compared."""


def render_yaml(report: RenderReport, context: Context) -> str:
    """Return the objects as YAML documents; a comment before the first one names the unit.

    Units without objects are left out, unless they are incomplete or suspended.
    """
    shown = (one for one in report.units if one.objects or one.unit.reason or one.unit.is_suspended)
    return _SEPARATOR.join(map(_unit_yaml, shown))


def object_yaml(manifest: JsonObject) -> str:
    """Return one object as a YAML document, as kubectl writes it.

    If it has text that a terminal or a CI runner may interpret, such text is in double quotes.
    """
    text = format_yaml(manifest)
    if inert(text) == text:
        return text
    in_order = json.loads(json.dumps(manifest, sort_keys=True))
    return "".join(f"{line}\n" for line in yaml_lines(in_order, _no_note))


def _no_note(path: Path) -> str:
    return ""


def _unit_yaml(rendered: RenderedUnit) -> str:
    return f"# Source: {_unit_comment(rendered.unit)}\n{_SEPARATOR.join(map(object_yaml, rendered.objects))}"


def _unit_comment(unit: UnitReport) -> str:
    lacking = f", incomplete: {unit.reason}" if unit.reason else ", suspended" if unit.is_suspended else ""
    return one_line(f"{unit.root} ({unit.form}, applied by {unit.applied_by}){lacking}")


def render_json(report: RenderReport, context: Context) -> str:
    """Return the units with their objects, as ``schemas/render-v1.json`` describes it."""
    payload: Json = {
        "version": VERSION,
        "tool": {"name": "kubectl-applylint", "version": context.version},
        "notes": [*report.notes],
        "units": [_unit_json(one) for one in report.units],
        "problems": [problem_json(problem) for problem in report.problems],
    }
    return json.dumps(payload, ensure_ascii=False, indent=2, sort_keys=True) + "\n"


def _unit_json(rendered: RenderedUnit) -> Json:
    before: dict[str, Json] = {} if rendered.before is None else {"before": [*rendered.before]}
    return {**examined_unit_json(rendered.unit), "objects": [*rendered.objects], **before}
