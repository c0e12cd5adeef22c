"""The plans of several targets as a comment: a table of causes, and one of units and targets."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.review.markup import inert_text
from kubectl_applylint.report.targets.matrix import MatrixRow, matrix
from kubectl_applylint.report.targets.targets import (
    QUIET,
    TargetReport,
    group_objects,
    problems_of,
    rollout,
    summary,
    target_list,
)
from kubectl_applylint.report.words import count

_MOST_COLUMNS: Final = 20
_MOST_ROWS: Final = 100


def targets_markdown(reports: Sequence[TargetReport], context: Context, missing: Sequence[Problem] = ()) -> str:
    """Return the comment; what does not fit is counted."""
    blocks = [
        f"### applylint plan: {inert_text(summary(reports))}",
        f"Rollout order: {', '.join(map(inert_text, rollout(reports)))}",
        *_causes(reports, context),
        *_matrix(reports),
        *(
            f"* **problem** {inert_text(f'{fault.where}: {fault.message}')}"
            for fault in (*problems_of(reports), *missing)
        ),
    ]
    return "\n\n".join(blocks) + "\n"


def _causes(reports: Sequence[TargetReport], context: Context) -> Iterator[str]:
    rows = [
        (f"{one.name} ({one.unit})", group.impact.value, f"{len(group.targets)} of {one.number}", group)
        for one in group_objects(reports)
        for group in one.groups
        if group.impact not in QUIET
    ]
    if rows:
        lines = ["| object | effect | targets | cause | where |", "|---|---|---|---|---|"]
        for name, what, number, group in rows[:_MOST_ROWS]:
            lines.append(_row([name, what, number, group.cause, target_list(group.targets, context)]))
        yield "\n".join(lines)
    if len(rows) > _MOST_ROWS:
        yield f"{count(len(rows) - _MOST_ROWS, 'more cause')}: `-o html` and `-o json` have all."


def _matrix(reports: Sequence[TargetReport]) -> Iterator[str]:
    """Yield the table of units and targets: the fewer of the two are the columns, as many as fit."""
    rows = matrix(reports)
    names = [one.name for one in reports]
    if len(names) <= _MOST_COLUMNS:
        yield from _table("unit", names, [(row.name, _cell_words(row)) for row in rows])
    elif len(rows) <= _MOST_COLUMNS:
        columns = [_cell_words(row) for row in rows]
        lines = [(name, [column[number] for column in columns]) for number, name in enumerate(names)]
        yield from _table("target", [row.name for row in rows], lines)
    else:
        yield f"{count(len(names), 'target')} do not fit into a table of units; `-o html` shows them all."


def _cell_words(row: MatrixRow) -> list[str]:
    """Return the impacts of a row as texts."""
    return [cell.value if cell else "" for cell in row.cells]


def _table(what: str, columns: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]]) -> Iterator[str]:
    if rows and columns:
        lines = [_row([what, *columns]), f"|{'---|' * (len(columns) + 1)}"]
        yield "\n".join([*lines, *(_row([name, *cells]) for name, cells in rows[:_MOST_ROWS])])
    if len(rows) > _MOST_ROWS:
        yield f"{count(len(rows) - _MOST_ROWS, 'more row')}: `-o html` and `-o json` have all."


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(inert_text(cell).replace('|', '&#124;') for cell in cells)} |"
