"""The units of a repository, as text for users and as JSON for programs."""

import json
from collections.abc import Iterable, Sequence
from typing import Final

from kubectl_applylint.core.holes import Hole
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.safe_text import one_line
from kubectl_applylint.core.values import Json
from kubectl_applylint.lint.unit_report import UnitReport
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.words import count

VERSION: Final = "units-v1"
_HEAD: Final = ("ROOT", "FORM", "TOOL", "NAMESPACE", "TARGET", "FILES", "REASON")


@dataclass(frozen=True, slots=True)
class ListedUnit:
    """A unit, and the number of its files."""

    unit: UnitReport
    files: int


def units_text(units: Sequence[ListedUnit], context: Context) -> str:
    """Return a table with one line per unit, as kubectl prints lists."""
    rows = [_HEAD, *(_row(one) for one in units)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEAD) - 1)]
    lines = (
        "   ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[-1]]) for row in rows
    )
    return "\n".join([*lines, count(len(units), "unit")]) + "\n"


def _row(listed: ListedUnit) -> tuple[str, ...]:
    unit = listed.unit
    cells = (unit.root, unit.form, unit.tool, unit.namespace, unit.target, str(listed.files), _origin(unit))
    return tuple(one_line(cell) or "-" for cell in cells)


def _origin(unit: UnitReport) -> str:
    return f"{unit.origin}: {unit.reason}" if unit.reason else unit.origin


def units_json(units: Iterable[ListedUnit], context: Context) -> str:
    """Return the units as JSON, as ``schemas/units-v1.json`` describes it."""
    tool: Json = {"name": "kubectl-applylint", "version": context.version}
    told: Json = {"version": VERSION, "tool": tool, "units": [_unit(one) for one in units]}
    return json.dumps(told, ensure_ascii=False, indent=2, sort_keys=True) + "\n"


def _unit(listed: ListedUnit) -> Json:
    return {**unit_json(listed.unit), "files": listed.files, "reason": listed.unit.reason}


def unit_json(unit: UnitReport) -> dict[str, Json]:
    """Return the names of a unit in the form that all of our JSON has."""
    return {
        "root": unit.root,
        "form": unit.form,
        "tool": unit.tool,
        "namespace": unit.namespace,
        "target": unit.target,
        "origin": unit.origin,
        "declaredBy": _declared_by(unit),
        "cluster": unit.cluster,
        "source": unit.source,
        "suspended": unit.is_suspended,
    }


def _declared_by(unit: UnitReport) -> Json:
    ref = unit.declared_by
    if ref is None:
        return None
    return {
        "apiVersion": ref.api_version,
        "kind": ref.kind,
        "namespace": ref.namespace,
        "name": ref.name,
        "location": unit.location,
    }


def examined_unit_json(unit: UnitReport) -> dict[str, Json]:
    """Return the names of a unit, and how much of it was examined."""
    return {
        **unit_json(unit),
        "compared": unit.compared.value,
        "reason": unit.reason,
        "accepted": unit.accepted,
        "holes": [_hole_json(hole) for hole in unit.holes],
    }


def _hole_json(hole: Hole) -> Json:
    return {"path": hole.path, "what": hole.what, "identity": hole.identity, "changed": hole.is_changed}
