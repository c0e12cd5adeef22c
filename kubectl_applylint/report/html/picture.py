"""The layout of the dependency picture: each unit is a box to the right of those that it needs."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.safe_text import one_line
from kubectl_applylint.report.html.dependencies import UnitDependency
from kubectl_applylint.report.html.values import Arrow, Box, Picture

WIDTH: Final = 264
HEIGHT: Final = 48
"""The size of a box."""
_GAP: Final = (64, 14)
"""The gaps between columns, and between the boxes of one."""
_MARGIN: Final = 6
_MOST: Final = 40
"""The maximum number of boxes."""
_COLUMNS: Final = 4
"""The number of columns of units without dependencies."""
_LONGEST: Final = 30
"""The maximum length of a name in a box."""


@dataclass(frozen=True, slots=True)
class UnitSketch:
    """A unit in the picture: its number in the report, its root, what happens in it, and the role of the worst."""

    anchor: int
    root: str
    words: str
    role: str


def picture_of(units: Sequence[UnitSketch], dependencies: Sequence[UnitDependency]) -> Picture | None:
    """Return the picture of units in reading order; ``None`` if there is only one."""
    if len(units) < 2:
        return None
    linked = {number for one in dependencies for number in (one.of, one.on)}
    shown = sorted(units, key=lambda unit: unit.anchor not in linked)[:_MOST]
    numbers = {unit.anchor for unit in shown}
    drawn = [one for one in dependencies if {one.of, one.on} <= numbers]
    boxes = {box.anchor: box for box in _boxes([unit for unit in units if unit.anchor in numbers], drawn)}
    arrows = tuple(_arrow(boxes[one.of], boxes[one.on], one) for one in drawn)
    width = max(box.x for box in boxes.values()) + WIDTH + _MARGIN
    height = max(box.y for box in boxes.values()) + HEIGHT + _MARGIN
    return Picture(width, height, tuple(boxes.values()), arrows, len(units) - len(shown))


def _boxes(units: Sequence[UnitSketch], dependencies: Sequence[UnitDependency]) -> list[Box]:
    """Return the boxes: units with dependencies in columns by depth, and below them the others in rows."""
    linked = {number for one in dependencies for number in (one.of, one.on)}
    depths = depths_of([unit.anchor for unit in units if unit.anchor in linked], dependencies)
    columns: dict[int, list[UnitSketch]] = defaultdict(list)
    for unit in units:
        if unit.anchor in linked:
            columns[depths[unit.anchor]].append(unit)
    rows = max(map(len, columns.values()), default=0)
    others = [unit for unit in units if unit.anchor not in linked]
    return [
        *(_box(unit, column, row) for column, same in columns.items() for row, unit in enumerate(same)),
        *(_box(unit, number % _COLUMNS, rows + number // _COLUMNS) for number, unit in enumerate(others)),
    ]


def _box(unit: UnitSketch, column: int, row: int) -> Box:
    name = one_line(unit.root)
    short = name if len(name) <= _LONGEST else f"…{name[1 - _LONGEST :]}"
    x, y = (
        _MARGIN + place * (size + gap) for place, size, gap in zip((column, row), (WIDTH, HEIGHT), _GAP, strict=True)
    )
    return Box(unit.anchor, x, y, unit.role, short, name, unit.words)


def depths_of(numbers: Sequence[int], dependencies: Sequence[UnitDependency]) -> dict[int, int]:
    """Return the column of each unit: one to the right of its dependencies; a cycle begins with its first unit."""
    needs = {number: [one.on for one in dependencies if one.of == number] for number in numbers}
    depths: dict[int, int] = {}
    left = list(numbers)
    while left:
        ready = [number for number in left if all(on in depths for on in needs[number])] or left[:1]
        deeper = {one: 1 + max((depths[on] for on in needs[one] if on in depths), default=-1) for one in ready}
        depths = {**depths, **deeper}
        left = [number for number in left if number not in depths]
    return depths


def _arrow(of: Box, on: Box, dependency: UnitDependency) -> Arrow:
    """Return a curve from the left side of a box to the right side of the one that it depends on."""
    start, end = (of.x, of.y + HEIGHT // 2), (on.x + WIDTH, on.y + HEIGHT // 2)
    if start[0] <= end[0]:  # Both are in one column, or the arrow goes back.
        end = (on.x, end[1])
    bend = max(30, abs(start[0] - end[0]) // 2)
    side = -bend if end[0] == on.x else bend
    path = f"M{start[0]} {start[1]}C{start[0] - bend} {start[1]} {end[0] + side} {end[1]} {end[0]} {end[1]}"
    title = f"{of.title} depends on {on.title}: {'; '.join(map(one_line, dependency.reasons))}"
    return Arrow(path, title)
