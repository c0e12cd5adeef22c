"""The effects in each unit and target: a row for units with the same effects, a column for each target."""

from collections.abc import Sequence

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.report.order import Impact
from kubectl_applylint.report.targets.targets import TargetReport
from kubectl_applylint.report.words import count


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """Units with the same effects in the same targets; a cell is ``None`` if a target does not have them."""

    units: tuple[str, ...]
    cells: tuple[Impact | None, ...]

    @property
    def name(self) -> str:
        """The first unit, with the number of the others."""
        more = len(self.units) - 1
        return (self.units[0] or "all") + (f" and {count(more, 'more unit')}" if more else "")

    @property
    def rank(self) -> tuple[int, int]:
        """The sort key of rows: the worst impact, then the number of targets."""
        ranks = [cell.rank for cell in self.cells if cell]
        return (min(ranks), -ranks.count(min(ranks)))


def matrix(reports: Sequence[TargetReport]) -> tuple[MatrixRow, ...]:
    """Return the rows, the worst first; the columns are the targets in the order of ``reports``."""
    columns = [one.units for one in reports]
    rows: dict[tuple[Impact | None, ...], list[str]] = {}
    for unit in sorted(set().union(*columns)):
        rows.setdefault(tuple(column.get(unit) for column in columns), []).append(unit)
    found = (MatrixRow(tuple(units), cells) for cells, units in rows.items())
    return tuple(sorted(found, key=lambda row: row.rank))
