"""The changes of one object as lines: values before and after, and the cause, cut where both are the same."""

import json
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.outcome import Change, Outcome, Provenance, Why
from kubectl_applylint.core.paths import Index, Path, as_written_in, field, get, render
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.safe_text import one_line
from kubectl_applylint.core.values import MISSING, Json
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.objects.changes import visible_changes
from kubectl_applylint.report.objects.differences import Difference, differences, line_differences, shorten_both
from kubectl_applylint.report.words import LONGEST_VALUE, count, noun_count, paint, show, translate, wrap

STAYS: Final = (Why.KEPT, Why.SHARED)
"""The causes for which an unchanged value is reported."""
_NEW_ENTRY: Final = "new entry, key"
"""The words for an entry of a list whose key the live object does not have."""
_FROM_FILE: Final = (Why.SET, Why.MERGED, Why.REPLACED, Why.NULLED)
RESET: Final = "!"
"""The sign of a value that the server replaces by its default."""
_SIGNS: Final = {"+": "good", "-": "gone", "~": "changed", "=": "quiet", RESET: "warning"}
_MOST_CHANGES: Final = 8
"""The number of fields of one object that are shown."""
_MOST_PARTS: Final = 9
"""The number of lines for one value if a single object changes."""
_FEWEST_PARTS: Final = 4
_AROUND: Final = (3, 1, 0)
"""The number of context lines around differences, the most that fit."""
_SCHEMA: Final = field("openAPIV3Schema")
_DESCRIPTION: Final = field("description")
_MARGIN: Final = "    "
_INSET: Final = "        "


@dataclass(frozen=True, slots=True)
class _Row:
    """One part of a value in words, and the lines of a text below it."""

    sign: str
    path: Path
    words: str
    block: tuple[str, ...] = ()
    before: str = ""
    """The earlier value if ``words`` are the later one."""

    @property
    def values(self) -> str:
        """Both values on one line."""
        return f"{self.before} → {self.words}" if self.before else self.words


def parts_for(objects: int) -> int:
    """Return how many lines one value may take if so many objects change."""
    return max(_FEWEST_PARTS, _MOST_PARTS // max(1, objects))


def change_lines(document: Document, outcome: Outcome, context: Context, most: int = _MOST_PARTS) -> Iterator[str]:
    """Yield the lines about an object's changes; a value with several different parts takes at most ``most``."""
    shown = visible_changes(outcome, verbose=context.verbose)
    if shown and outcome.refused:
        yield f"{_MARGIN}{translate('would have changed:', context)}"
    limit = _limit(shown, context, _MOST_CHANGES + 2, _MOST_CHANGES)
    for change in shown[:limit]:
        yield from _change(document, change, context, most)
    yield from _more_line(len(shown) - limit, "more change", context, _MARGIN)


def _limit(every: Sequence[object], context: Context, many: int, shown: int) -> int:
    """Return how many are shown: all, or only ``shown`` if there are ``many`` or more."""
    return len(every) if context.verbose or len(every) < many else shown


def diff_lines(document: Document, outcome: Outcome, context: Context, most: int = _MOST_PARTS) -> Iterator[str]:
    """Yield the changes as lines of a unified diff: a header with field and cause, the values before and after."""
    changes = visible_changes(outcome, verbose=context.verbose)
    limit = _limit(changes, context, _MOST_CHANGES + 2, _MOST_CHANGES)
    for change in changes[:limit]:
        rows = _rows(change, whole=context.verbose, most=most)
        path = (*change.path, *rows[0].path) if len(rows) == 1 else change.path
        yield one_line(f"@@ {render(path)} ({cause_words(document, change, context)}) @@")
        shown = _limit(rows, context, most, most - 2)
        for row in rows[:shown]:
            name = one_line(f"{render(row.path)}: ") if len(rows) > 1 and row.path else ""
            yield from _diff_rows(row, name, context, most)
        yield from _more_in_diff(len(rows) - shown, "more change", context)
    yield from _more_in_diff(len(changes) - limit, "more change", context)


def _diff_rows(row: _Row, name: str, context: Context, most: int) -> Iterator[str]:
    """Yield one row as lines of a unified diff."""
    if row.block:
        limit = _limit(row.block, context, most + 1, most - 1)
        yield from ([f"@@ {name.removesuffix(': ')} @@"] if name else [])
        yield from row.block[:limit]
        yield from _more_in_diff(len(row.block) - limit, "more line", context)
    elif row.sign == RESET:
        yield f"{RESET} {name}{row.values}"
    elif row.before:
        yield f"- {name}{row.before}"
        yield f"+ {name}{row.words}"
    else:
        yield f"{row.sign if row.sign in '+-' else ' '} {name}{row.words}"


def _more_in_diff(number: int, noun: str, context: Context) -> Iterator[str]:
    if number:
        yield f"@@ {noun_count(number, noun, context)} @@"


def _change(document: Document, change: Change, context: Context, most: int) -> Iterator[str]:
    cause = paint("quiet", f"({one_line(cause_words(document, change, context))})", context)
    rows = _rows(change, whole=context.verbose, most=most)
    if len(rows) == 1:
        path = one_line(render((*change.path, *rows[0].path)))
        yield _line(rows[0].sign, f"{path}: {rows[0].values} {cause}", context, _MARGIN)
        yield from _block(rows[0], context, most)
        return
    yield _line(_changed_sign(change), f"{one_line(render(change.path))} {cause}", context, _MARGIN)
    limit = _limit(rows, context, most, most - 2)
    for row in rows[:limit]:
        yield _line(row.sign, f"{one_line(render(row.path))}: {row.values}".removeprefix(": "), context, _INSET)
        yield from _block(row, context, _FEWEST_PARTS)
    yield from _more_line(len(rows) - limit, "more change", context, _INSET)


def _line(sign: str, words: str, context: Context, margin: str) -> str:
    return wrap(f"{margin}{paint(_SIGNS[sign], sign, context)} {words}", context, indent=f"{margin}    ")


def _block(row: _Row, context: Context, most: int) -> Iterator[str]:
    limit = _limit(row.block, context, most + 1, most - 1)
    for line in row.block[:limit]:
        yield f"{_INSET}{paint(_SIGNS[line[0]], line, context) if line[0] in _SIGNS else line}".rstrip()
    yield from _more_line(len(row.block) - limit, "more line", context, _INSET)


def _more_line(number: int, noun: str, context: Context, margin: str) -> Iterator[str]:
    """Yield the line with the number of omitted changes."""
    if number:
        text = translate("{changes} (-v to list)", context, changes=noun_count(number, noun, context))
        yield paint("quiet", f"{margin}{text}", context)


def _rows(change: Change, *, whole: bool, most: int) -> list[_Row]:
    if change.provenance.why in STAYS:
        return [_Row("=", (), one_line(show(change.after, whole=whole)))]
    parts, texts = parts_of(change, whole=whole)
    rows = [_row(part, _changed_sign(change), whole=whole, most=most) for part in parts]
    return [*_fold_rows(rows), *([_Row("~", (), count(texts, "description"))] if texts else [])]


def _changed_sign(change: Change) -> str:
    return RESET if change.is_reset else "~"


def parts_of(change: Change, *, whole: bool) -> tuple[list[Difference], int]:
    """Return the parts in which a change differs, and the number of omitted descriptions in schemas.

    With ``whole`` nothing is omitted.
    """
    parts = differences(change.before, change.after) or [Difference((), change.before, change.after)]
    shown = [part for part in parts if whole or not _is_documentation(part)]
    return shown, len(parts) - len(shown)


def _is_documentation(part: Difference) -> bool:
    """Return whether a part is only the description of a field in a CustomResourceDefinition's schema."""
    return _SCHEMA in part.path and part.path[-1] == _DESCRIPTION


def _row(part: Difference, changed: str, *, whole: bool, most: int) -> _Row:
    """Return the row of one part of a change; ``changed`` is the sign of a value on both sides."""
    if part.moved:
        return _Row("~", part.path, f"moved from [{part.moved[0]}] to [{part.moved[1]}]")
    if part.before is MISSING:
        return _Row("+", part.path, one_line(show(part.after, whole=whole)))
    if part.after is MISSING:
        return _Row("-", part.path, one_line(show(part.before, whole=whole)))
    block = _text_lines(part.before, part.after, most)
    if block:
        numbers = (sum(line.startswith(sign) for line in block) for sign in "-+")
        return _Row(changed, part.path, "-{} +{} lines".format(*numbers), block)
    before, after = show(part.before, whole=True), show(part.after, whole=True)
    if not whole:
        before, after = (_with_quote(text, part) for text in shorten_both(before, after, LONGEST_VALUE))
    return _Row(changed, part.path, one_line(after), before=one_line(before))


def _with_quote(text: str, part: Difference) -> str:
    """Return a text with its opening quotation mark if its beginning is cut."""
    return f'"{text}' if text.startswith("…") and isinstance(part.after, str) else text


def _text_lines(before: Json, after: Json, most: int) -> tuple[str, ...]:
    """Return the different lines of two texts, with as much context as fits; none for other values."""
    old, new = text_of(before), text_of(after)
    if "\n" not in old + new or not old or not new:
        return ()
    blocks = [line_differences(old, new, around) for around in _AROUND]
    return tuple(map(one_line, next((block for block in blocks if len(block) <= most), blocks[-1])))


def text_of(value: Json) -> str:
    """Return a multi-line text: the value itself, or one-line JSON in it with one field per line.

    Empty for values that are not texts.
    """
    if not isinstance(value, str) or "\n" in value.strip() or len(value) <= LONGEST_VALUE or value[0] not in "{[":
        return value if isinstance(value, str) else ""
    try:
        return json.dumps(json.loads(value), ensure_ascii=False, indent=2)
    except (ValueError, RecursionError):
        return value


def _fold_rows(rows: Sequence[_Row]) -> Iterator[_Row]:
    """Yield the rows, with unnamed elements that come or go in one list joined if they fit."""
    for (sign, path, _), group in groupby(rows, key=_list_of):
        same = list(group)
        words = ", ".join(row.words for row in same)
        if path is None or len(words) > LONGEST_VALUE:
            yield from same
        else:
            yield _Row(sign, path, words)


def _list_of(row: _Row) -> tuple[str, Path | None, int]:
    """Return the list that a row's element belongs to; rows about other things get a key of their own."""
    if row.sign in "+-" and row.path and isinstance(row.path[-1], Index):
        return row.sign, row.path[:-1], 0
    return row.sign, None, id(row)


def cause_words(document: Document, change: Change, context: Context) -> str:
    """Return the cause of a change, with the line of the manifest that causes it."""
    path, why = as_written_in(document.object, change.path), change.provenance.why
    place, cause = (
        document.locate(path),
        translate(_NEW_ENTRY if why is Why.MERGED else why, context) + _detail_words(change.provenance, context),
    )
    if why not in _FROM_FILE or get(document.object, path) is MISSING or not place.is_text:
        return cause
    origin = document.origin(path)
    if origin.file != place.file:
        return f"{cause}, {one_line(origin.file)}:{origin.span.line}"
    return translate("{cause}, line {line}", context, cause=cause, line=place.span.line)


def _detail_words(cause: Provenance, context: Context) -> str:
    word, _, names = cause.detail.strip("()").partition(" ")
    if cause.why is Why.KEPT and word == "manager":
        return translate(", manager {names}", context, names=names)
    if cause.why is Why.SHARED and word == "with":
        return translate(" with {names}", context, names=names)
    taken = cause.detail.startswith("(")
    return f", {cause.detail.strip('()')}" if taken else translate(f" {cause.detail}", context).rstrip()
