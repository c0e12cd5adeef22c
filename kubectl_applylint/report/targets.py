"""The plans of one repository for several targets, by what they have in common: object, effect and cause."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from kubectl_applylint.core.outcome import Outcome, Why
from kubectl_applylint.core.paths import render
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.safe_text import one_line
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import Json
from kubectl_applylint.lint.model import Report
from kubectl_applylint.report.comparison import Place, effect_of, placed
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.markdown import inert_text
from kubectl_applylint.report.order import Impact, impact
from kubectl_applylint.report.pages import json_page, name_json, text_page
from kubectl_applylint.report.plan import object_name
from kubectl_applylint.report.words import count, paint, wrap

_REFUSED: Final = (Impact.REJECTED, Impact.CONFLICT)
_QUIET: Final = (Impact.UNCHANGED,)
_MOST_NAMES: Final = 8
_MOST_FIELDS: Final = 4
_MOST_COLUMNS: Final = 20
_LONGEST: Final = 200


@dataclass(frozen=True, slots=True)
class TargetReport:
    """The plan of one target, with its labels (``env=prod``)."""

    name: str
    labels: tuple[str, ...]
    report: Report

    @property
    def worst(self) -> Impact | None:
        """The worst that happens in it, ``None`` where nothing was planned."""
        return min((impact(outcome) for _, outcome in self.report.outcomes), key=lambda one: one.rank, default=None)

    @property
    def is_held(self) -> bool:
        """Whether it should wait: an apply is rejected, or something could not be read."""
        return bool(self.report.problems) or self.worst in _REFUSED


@dataclass(frozen=True, slots=True)
class TargetGroup:
    """What happens to an object in some targets, for one cause."""

    impact: Impact
    cause: str
    targets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TargetObject:
    """An object of a unit with what happens to it, the worst first."""

    unit: str
    ref: ObjectRef
    name: str
    groups: tuple[TargetGroup, ...]

    @property
    def number(self) -> int:
        """In how many targets it is applied."""
        return sum(len(group.targets) for group in self.groups)

    @property
    def rank(self) -> tuple[int, int]:
        """What objects are sorted by: the worst that happens, then in how many targets."""
        return (self.groups[0].impact.rank, -len(self.groups[0].targets))


def rollout(reports: Sequence[TargetReport]) -> tuple[str, ...]:
    """Return the targets in the order in which a change can go to them: those that would fail come last."""
    return tuple(one.name for one in sorted(reports, key=lambda one: one.is_held))


def grouped(reports: Sequence[TargetReport]) -> tuple[TargetObject, ...]:
    """Return all objects, the worst first, each with the targets in which the same happens to it for the same cause."""
    found: dict[Place, dict[tuple[Impact, str], list[tuple[str, Outcome]]]] = {}
    for one in reports:
        # Where files describe an object twice, the later apply decides.
        for place, outcome in dict(placed(one.report)).items():
            found.setdefault(place, {}).setdefault(_kind(outcome), []).append((one.name, outcome))
    return tuple(sorted((_object(place[0], groups) for place, groups in found.items()), key=lambda one: one.rank))


def _object(unit: str, groups: dict[tuple[Impact, str], list[tuple[str, Outcome]]]) -> TargetObject:
    outcome = next(iter(groups.values()))[0][1]
    told = [
        TargetGroup(what, cause_of(members[0][1]), tuple(name for name, _ in members))
        for (what, _), members in groups.items()
    ]
    ordered = sorted(told, key=lambda group: (group.impact.rank, -len(group.targets)))
    return TargetObject(unit, outcome.ref, object_name(outcome), tuple(ordered))


def _kind(outcome: Outcome) -> tuple[Impact, str]:
    """Return what two outcomes have in common if they have the same cause, whatever the values are in each target."""
    fields = [f"{cause.field} {cause.reason}" for cause in outcome.causes]
    return impact(outcome), "\n".join(sorted(set(fields))) if outcome.causes else cause_of(outcome)


def cause_of(outcome: Outcome) -> str:
    """Return why an apply is rejected, or which fields change, in one line."""
    if outcome.causes:
        return _cut("; ".join(dict.fromkeys(_error(one.field, one.message) for one in outcome.causes)))
    if outcome.conflicts:
        owners = sorted({f"{render(one.path)} is owned by {one.owner}" for one in outcome.conflicts})
        return _cut("; ".join(owners))
    if outcome.refused:
        return _cut(outcome.error)
    changes = effect_of(outcome).changes
    told = [path for path, change in changes.items() if change.cause.why is not Why.DEFAULTED]
    paths = [render(path) for path in told or changes]
    more = len(paths) - _MOST_FIELDS
    return ", ".join([*paths[:_MOST_FIELDS], *([count(more, "more field")] if more > 0 else [])])


def _error(field: str, message: str) -> str:
    return f"{field}: {message}" if field and field not in message else message


def _cut(text: str) -> str:
    line = one_line(text)
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def targets_text(reports: Sequence[TargetReport], context: Context) -> str:
    """Return how many targets there are, in which order to roll out, and the objects that differ, by cause."""
    shown = [one for one in grouped(reports) if context.verbose or one.groups[0].impact not in _QUIET]
    order = f"rollout order: {', '.join(map(one_line, rollout(reports)))}"
    head = [wrap(summary(reports), context, indent="  "), wrap(order, context, indent="  ")]
    blocks = ["\n".join(_lines(one, len(reports), context)) for one in shown]
    problems = [replace(fault, where=f"{one.name}: {fault.where}") for one in reports for fault in one.report.problems]
    return text_page(["\n".join(head), *blocks], problems, context)


def summary(reports: Sequence[TargetReport]) -> str:
    """Return the line that sums up: in how many targets what is the worst."""
    numbers = Counter(one.worst for one in reports if one.worst and not one.report.problems)
    words = [f"{numbers[one]} {one.value}" for one in Impact if numbers[one]]
    broken = sum(bool(one.report.problems) for one in reports)
    words += [f"{broken} incomplete"] if broken else []
    return f"{count(len(reports), 'target')}: {', '.join(words) or 'no objects'}"


def _lines(one: TargetObject, total: int, context: Context) -> Iterator[str]:
    unit = f" ({one_line(one.unit)})" if one.unit else ""
    yield paint("place", f"{one.name}{unit}", context)
    for group in one.groups:
        role = "error" if group.impact in _REFUSED else "changed"
        cause = f": {group.cause}" if group.cause else ""
        where = f"{len(group.targets)} of {count(one.number, 'target')}"
        yield wrap(f"  {paint(role, group.impact.value, context)} in {where}{one_line(cause)}", context, indent="    ")
        if one.number > 1 or total > 1:
            yield wrap(f"    {_names(group.targets, context)}", context, indent="    ")


def _names(targets: Sequence[str], context: Context) -> str:
    limit = len(targets) if context.verbose or len(targets) <= _MOST_NAMES + 1 else _MOST_NAMES
    more = len(targets) - limit
    return one_line(", ".join([*targets[:limit], *([f"{more} more (-v to list)"] if more else [])]))


def targets_markdown(reports: Sequence[TargetReport], context: Context) -> str:
    """Return the same as a comment: a table of causes, and one of units and targets."""
    blocks = [
        f"### applylint plan: {inert_text(summary(reports))}",
        f"Rollout order: {', '.join(map(inert_text, rollout(reports)))}",
        *_table_of_causes(reports, context),
        *_matrix(reports),
        *(
            f"* **problem** {inert_text(f'{one.name}: {fault.where}: {fault.message}')}"
            for one in reports
            for fault in one.report.problems
        ),
    ]
    return "\n\n".join(blocks) + "\n"


def _table_of_causes(reports: Sequence[TargetReport], context: Context) -> Iterator[str]:
    rows = [
        (f"{one.name} ({one.unit})", group.impact.value, f"{len(group.targets)} of {one.number}", group)
        for one in grouped(reports)
        for group in one.groups
        if group.impact not in _QUIET
    ]
    if rows:
        lines = ["| object | effect | targets | cause | where |", "|---|---|---|---|---|"]
        for name, what, number, group in rows:
            lines.append(_row([name, what, number, group.cause, _names(group.targets, context)]))
        yield "\n".join(lines)


def _matrix(reports: Sequence[TargetReport]) -> Iterator[str]:
    """Yield the table with the worst that happens in each unit and target; of many targets it would not be readable."""
    cells = [units_of(one.report) for one in reports]
    units = sorted(set().union(*cells))
    if len(units) < 1 or len(reports) > _MOST_COLUMNS:
        return
    lines = [_row(["unit", *(one.name for one in reports)]), f"|{'---|' * (len(reports) + 1)}"]
    for unit in units:
        lines.append(_row([unit or "all", *(cell[unit].value if unit in cell else "" for cell in cells)]))
    yield "\n".join(lines)


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(inert_text(cell).replace('|', '&#124;') for cell in cells)} |"


def units_of(report: Report) -> dict[str, Impact]:
    """Return the worst that happens in each unit of a plan."""
    found: dict[str, Impact] = {}
    for (unit, _), outcome in placed(report):
        found[unit] = min(impact(outcome), found.get(unit, Impact.UNCHANGED), key=lambda one: one.rank)
    return found


def targets_json(reports: Sequence[TargetReport], context: Context) -> str:
    """Return the same as versioned JSON."""
    order = rollout(reports)
    problems = [replace(fault, where=f"{one.name}: {fault.where}") for one in reports for fault in one.report.problems]
    targets = [
        {
            "name": one.name,
            "labels": [*one.labels],
            "worst": one.worst and one.worst.value,
            "order": order.index(one.name) + 1,
            "units": {unit: what.value for unit, what in units_of(one.report).items()},
            "notes": [*one.report.notes],
        }
        for one in reports
    ]
    return json_page("targets", [_object_json(one) for one in grouped(reports)], problems, targets=targets)


def _object_json(one: TargetObject) -> Json:
    groups = [{"impact": group.impact.value, "cause": group.cause, "targets": [*group.targets]} for group in one.groups]
    return {**name_json(one.ref), "unit": one.unit, "groups": groups}
