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
    """An effect: ``key`` is its filter, ``role`` its color, ``sign`` its short text."""

    key: str
    role: str
    words: str
    sign: str


_EFFECTS: Final = {one: EffectView(key_of(one.value), ROLES[one], one.value, SIGNS[one]) for one in Impact}


@dataclass(frozen=True, slots=True)
class TargetsView:
    """The whole page."""

    command: str
    version: str
    summary: str
    ending: str
    filters: tuple[FilterView, ...]
    columns: tuple[TargetReport, ...]
    """The targets in rollout order."""
    rows: tuple[MatrixRow, ...]
    legend: tuple[EffectView, ...]
    objects: tuple[TargetObject, ...]
    notes: tuple[str, ...]
    """What does not fit, and the problems."""

    @property
    def is_wide(self) -> bool:
        """Whether cells have room for a word."""
        return len(self.columns) <= _FEW


def targets_html(reports: Sequence[TargetReport], context: Context, missing: Sequence[Problem] = ()) -> str:
    """Return the page; equal reports have equal pages."""
    return render_page("targets", page=targets_view(reports, context, missing), effects=_EFFECTS, most_open=_MOST_OPEN)


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
        columns=tuple(ordered),
        rows=rows[:room],
        legend=tuple(_EFFECTS[one] for one in Impact if one in seen),
        objects=tuple(shown),
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
            yield FilterView(_EFFECTS[one].key, ROLES[one], one.value, numbers[one])


def _notes(rows: int, objects: int) -> Iterator[str]:
    if rows > 0:
        yield f"{count(rows, 'more row')} of units: -o json has all"
    if objects > 0:
        yield f"{count(objects, 'more object')}: -o json has all"
