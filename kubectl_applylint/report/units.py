"""The units of a repository, as text for users and as JSON for programs."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from kubectl_applylint.core.holes import Hole
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.safe_text import one_line
from kubectl_applylint.core.values import Json
from kubectl_applylint.lint.unit_report import UnitReport
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.words import count, table_lines

VERSION: Final = "units-v1"
_HEAD: Final = ("ROOT", "FORM", "TOOL", "NAMESPACE", "TARGET", "FILES", "REASON")


@dataclass(frozen=True, slots=True)
class ListedUnit:
    """A unit, the number of its files, and the position of the unit that applies its declaring object, if any."""

    unit: UnitReport
    files: int
    declaring: int | None = None


def units_text(units: Sequence[ListedUnit], context: Context) -> str:
    """Return a table with one line per unit, as kubectl prints lists."""
    roots = Counter(one.unit.root for one in units)
    rows = [_HEAD, *(_row(one, names_cluster=roots[one.unit.root] > 1) for one in units)]
    return "\n".join([*table_lines(rows), count(len(units), "unit")]) + "\n"


def units_details(units: Sequence[ListedUnit], notes: Iterable[str]) -> str:
    """Return which unit declares which, cluster by cluster, and the notes."""
    lines: list[str] = []
    seen: set[int] = set()
    children: dict[int, list[int]] = defaultdict(list)
    for position, one in enumerate(units):
        if one.declaring is not None:
            children[one.declaring].append(position)
    # Units that declare each other in a circle have no root, so that they come last.
    roots = [position for position, one in enumerate(units) if one.declaring is None]
    declared = [one for one in (*roots, *range(len(units))) if units[one].unit.declared_by]
    for position in sorted(declared, key=lambda one: units[one].unit.cluster):
        cluster = units[position].unit.cluster
        title = f"\ndeclared in {cluster}" if cluster else "\ndeclared"
        tree = [*_tree(position, units, children, seen)]
        lines += [title, *tree] if tree and title not in lines else tree
    noted = [f"  {one_line(note)}" for note in notes]
    lines += ["\nnotes", *noted] if noted else []
    return "".join(f"{line}\n" for line in lines)


def _tree(
    root: int, units: Sequence[ListedUnit], children: Mapping[int, Sequence[int]], seen: set[int]
) -> Iterator[str]:
    """Yield a line for a unit and each one that it declares, indented; units in ``seen`` are left out."""
    stack = [(root, 1)]
    while stack:
        position, depth = stack.pop()
        if position in seen:
            continue
        seen.add(position)
        unit = units[position].unit
        own = unit.declared_by
        path = "" if own and unit.root == f"{own.kind}/{own.namespaced_name}" else f": {unit.root}"
        reason = f": {unit.reason}" if unit.reason else ""
        yield "  " * depth + one_line(f"{unit.origin}{path}{reason}")
        stack += [(one, depth + 1) for one in reversed(children.get(position, ()))]


def _row(listed: ListedUnit, *, names_cluster: bool) -> tuple[str, ...]:
    unit = listed.unit
    why = f"declared in {unit.cluster}: {_origin(unit)}" if names_cluster and unit.cluster else _origin(unit)
    cells = (unit.root, unit.form, unit.tool, unit.namespace, unit.target, str(listed.files), why)
    return tuple(one_line(cell) or "-" for cell in cells)


def _origin(unit: UnitReport) -> str:
    return f"{unit.origin}: {unit.reason}" if unit.reason else unit.origin


def units_json(units: Iterable[ListedUnit], context: Context) -> str:
    """Return the units as JSON, as ``schemas/units-v1.json`` describes it."""
    tool: Json = {"name": "kubectl-applylint", "version": context.version}
    document: Json = {"version": VERSION, "tool": tool, "units": [_unit(one) for one in units]}
    return json.dumps(document, ensure_ascii=False, indent=2, sort_keys=True) + "\n"


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
