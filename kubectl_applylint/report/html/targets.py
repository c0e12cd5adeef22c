"""The plans of several targets as one HTML page: the rollout order, units and targets, and the causes."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.html.objects import ROLES, key_of
from kubectl_applylint.report.html.page import render_page
from kubectl_applylint.report.html.values import FilterView
from kubectl_applylint.report.order import Impact
from kubectl_applylint.report.targets.matrix import MatrixRow, matrix
from kubectl_applylint.report.targets.targets import (
    QUIET,
    TargetGroup,
    TargetObject,
    TargetReport,
    group_objects,
    problems_of,
    rollout,
    summary,
)
from kubectl_applylint.report.text import problem_line
from kubectl_applylint.report.words import count

SIGNS: Final = {
    Impact.REJECTED: "✕",
    Impact.CONFLICT: "!",
    Impact.MAY_BE_REJECTED: "‽",
    Impact.PRUNED: "−",
    Impact.RECREATED: "±",
    Impact.TAKEN: "⇄",
    Impact.RESTARTED: "↻",
    Impact.UNKNOWN: "?",
    Impact.CONFIGURED: "~",
    Impact.SERVERSIDE_APPLIED: "≈",
    Impact.CREATED: "+",
    Impact.MAY_BE_REMOVED: "∓",
    Impact.ORPHANED: "○",
    Impact.UNCHANGED: "=",
}
"""The text of cells without room for a word."""
MOST_CELLS: Final = 20_000
"""The maximum number of cells of the table."""
MOST_OBJECTS: Final = 2_000
"""The maximum number of objects on a page."""
_FEW: Final = 8
"""The maximum number of targets for cells with words."""
_MOST_OPEN: Final = 10


@dataclass(frozen=True, slots=True)
class EffectView:
    """An effect: ``role`` is its color, ``sign`` its short text."""

    role: str
    words: str
    sign: str


@dataclass(frozen=True, slots=True)
class ColumnView:
    """A target, and whether it waits until the others are done."""

    name: str
    labels: tuple[str, ...]
    is_held: bool


@dataclass(frozen=True, slots=True)
class RowView:
    """Units with the same effects in every target."""

    name: str
    units: tuple[str, ...]
    cells: tuple[EffectView | None, ...]


@dataclass(frozen=True, slots=True)
class GroupView:
    """The targets with the same effect for the same cause."""

    effect: EffectView
    where: str
    cause: str
    targets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CauseView:
    """An object with its effects, the worst first."""

    key: str
    name: str
    unit: str
    groups: tuple[GroupView, ...]
    is_open: bool


@dataclass(frozen=True, slots=True)
class TargetsView:
    """The whole page."""

    command: str
    version: str
    summary: str
    ending: str
    filters: tuple[FilterView, ...]
    columns: tuple[ColumnView, ...]
    """The targets in rollout order."""
    rows: tuple[RowView, ...]
    legend: tuple[EffectView, ...]
    objects: tuple[CauseView, ...]
    notes: tuple[str, ...]
    """What does not fit, and the problems."""

    @property
    def is_wide(self) -> bool:
        """Whether cells have room for a word."""
        return len(self.columns) <= _FEW


def targets_html(reports: Sequence[TargetReport], context: Context, missing: Sequence[Problem] = ()) -> str:
    """Return the page; equal reports have equal pages."""
    return render_page("targets", page=targets_view(reports, context, missing))


def targets_view(reports: Sequence[TargetReport], context: Context, missing: Sequence[Problem] = ()) -> TargetsView:
    """Return the content of the page."""
    by_name = {one.name: one for one in reports}
    ordered = [by_name[name] for name in rollout(reports)]
    rows = matrix(ordered)
    room = MOST_CELLS // max(len(ordered), 1)
    objects = [one for one in group_objects(reports) if context.verbose or one.groups[0].impact not in QUIET]
    shown = objects[:MOST_OBJECTS]
    seen = {cell for row in rows[:room] for cell in row.cells if cell}
    return TargetsView(
        command="plan --targets",
        version=context.version,
        summary=summary(reports),
        ending=_waiting_words(reports),
        filters=tuple(_filters(shown)),
        columns=tuple(ColumnView(one.name, one.labels, one.is_held) for one in ordered),
        rows=tuple(map(_row, rows[:room])),
        legend=tuple(_effect(one) for one in Impact if one in seen),
        objects=tuple(_object(one, number < _MOST_OPEN) for number, one in enumerate(shown)),
        notes=(
            *_notes(len(rows) - room, len(objects) - len(shown)),
            *(problem_line(fault, Context()) for fault in (*problems_of(reports), *missing)),
        ),
    )


def _waiting_words(reports: Sequence[TargetReport]) -> str:
    """Return how many targets should wait, empty for none."""
    held = sum(one.is_held for one in reports)
    return f"{count(held, 'target')} should wait: an apply is rejected, or something could not be read" if held else ""


def _filters(objects: Sequence[TargetObject]) -> Iterator[FilterView]:
    numbers = Counter(one.groups[0].impact for one in objects)
    for one in Impact:
        if numbers[one]:
            yield FilterView(key_of(one.value), ROLES[one], one.value, numbers[one])


def _effect(impact: Impact) -> EffectView:
    return EffectView(ROLES[impact], impact.value, SIGNS[impact])


def _row(row: MatrixRow) -> RowView:
    return RowView(row.name, row.units, tuple(_effect(cell) if cell else None for cell in row.cells))


def _object(one: TargetObject, is_open: bool) -> CauseView:
    groups = tuple(_group(group, one) for group in one.groups)
    return CauseView(key_of(one.groups[0].impact.value), one.name, one.unit, groups, is_open)


def _group(group: TargetGroup, one: TargetObject) -> GroupView:
    where = f"{len(group.targets)} of {count(one.number, 'target')}"
    return GroupView(_effect(group.impact), where, group.cause, group.targets)


def _notes(rows: int, objects: int) -> Iterator[str]:
    if rows > 0:
        yield f"{count(rows, 'more row')} of units: -o json has all"
    if objects > 0:
        yield f"{count(objects, 'more object')}: -o json has all"
