"""The figures as a table."""

from collections.abc import Sequence

from bench.figures import Figure

_HEADER = ("figure", "measured", "compared", "wanted", "")


def table(figures: Sequence[Figure]) -> str:
    """Return one line a figure, in columns."""
    rows = [_HEADER, *(_row(figure) for figure in figures)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADER))]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _row(figure: Figure) -> tuple[str, ...]:
    verdict = ("met" if figure.met else "MISSED") if figure.wanted else ""
    return figure.name, figure.measured, figure.ratio, figure.wanted, verdict
