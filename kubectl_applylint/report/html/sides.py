"""Changes side by side: the earlier and the later value of a field, by part and by line."""

from collections.abc import Iterator, Sequence
from itertools import groupby, zip_longest
from typing import Final

from kubectl_applylint.core.outcome import Change
from kubectl_applylint.core.paths import render
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import MISSING, Json, Missing
from kubectl_applylint.report.html.values import CellLine, SideRow
from kubectl_applylint.report.objects.change_lines import RESET, STAYS, parts_of, text_of
from kubectl_applylint.report.objects.differences import Difference, line_differences
from kubectl_applylint.report.objects.yaml_lines import yaml_lines
from kubectl_applylint.report.words import count, show

_LONGEST: Final = 1000
"""The maximum number of characters of a line."""
_MOST_LINES: Final = 200
"""The maximum number of lines of one side."""
_MOST_ROWS: Final = 100
"""The maximum number of parts of one change."""
_KINDS: Final = {"- ": "gone", "+ ": "come", "@@": "gap"}


def side_rows(change: Change, *, whole: bool) -> tuple[tuple[SideRow, ...], str]:
    """Return the parts of a change, and a text about omitted parts.

    ``whole`` includes the descriptions in schemas.
    """
    if change.provenance.why in STAYS:
        cell = _cell(change.after)
        return (SideRow("", "=", cell, cell),), ""
    parts, texts = parts_of(change, whole=whole)
    left = [
        *([count(len(parts) - _MOST_ROWS, "more change")] if len(parts) > _MOST_ROWS else []),
        *([count(texts, "description")] if texts else []),
    ]
    changed = RESET if change.is_reset else "~"
    return tuple(_row(part, changed) for part in parts[:_MOST_ROWS]), ", ".join(left)


def _row(part: Difference, changed: str) -> SideRow:
    path = render(part.path)
    if part.moved:
        before, after = (CellLine(f"at [{position}]") for position in part.moved)
        return SideRow(path, "~", (before,), (after,))
    sign = "+" if part.before is MISSING else "-" if part.after is MISSING else changed
    old, new = text_of(part.before), text_of(part.after)
    if old and new and "\n" in old + new:
        before_lines, after_lines = side_by_side(line_differences(old, new))
        return SideRow(path, sign, _fitting(before_lines), _fitting(after_lines))
    return SideRow(path, sign, _cell(part.before), _cell(part.after))


def _cell(value: Json | Unknown | Missing) -> tuple[CellLine, ...]:
    """Return a value as lines: a text with its line breaks, maps and lists as YAML, other values as JSON."""
    if value is MISSING:
        return ()
    if isinstance(value, str) and "\n" in value:
        lines: Iterator[str] = iter(value.splitlines())
    elif isinstance(value, (dict, list)) and value:
        lines = yaml_lines(readable(value), lambda _: "")
    else:
        lines = iter([show(value, whole=True)])
    return _fitting([CellLine(line) for line in lines])


def _fitting(lines: Sequence[CellLine]) -> tuple[CellLine, ...]:
    """Return the lines that fit, each cut to a readable length."""
    more = len(lines) - _MOST_LINES
    rest = [CellLine(f"{count(more, 'more line')}", "gap")] if more > 0 else []
    return (*(CellLine(cut(line.text, _LONGEST), line.kind) for line in lines[:_MOST_LINES]), *rest)


def cut(text: str, longest: int) -> str:
    """Return a line of at most ``longest`` characters."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def readable(value: Json | Unknown) -> Json:
    """Return a value with words for unknown values."""
    match value:
        case Unknown():
            return show(value)
        case dict():
            return {name: readable(inner) for name, inner in value.items()}
        case list():
            return [readable(inner) for inner in value]
        case _:
            return value


def side_by_side(lines: Sequence[str]) -> tuple[list[CellLine], list[CellLine]]:
    """Return both sides of ``line_differences`` with the same number of lines, so that equal ones are level."""
    before: list[CellLine] = []
    after: list[CellLine] = []
    for is_changed, group in groupby(lines, key=lambda line: line[:2] in ("- ", "+ ")):
        block = [CellLine(line[2:], _KINDS.get(line[:2], "")) for line in group]
        if is_changed:
            gone = [line for line in block if line.kind == "gone"]
            come = [line for line in block if line.kind == "come"]
            pairs = list(zip_longest(gone, come, fillvalue=CellLine("")))
            before += [left for left, _ in pairs]
            after += [right for _, right in pairs]
        else:
            before += block
            after += block
    return before, after
