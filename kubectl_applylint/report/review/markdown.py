"""A review as Markdown, for a comment on a pull request and for the summary of a CI job.

The first line is a hidden marker by which a program finds the comment again. Objects and findings are folded, the worst
first; what does not fit is counted, and no block is ever cut inside.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, pairwise
from operator import add
from typing import Final

from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.safe_text import inert, one_line
from kubectl_applylint.lint.model import Report, Severity
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.fix_blocks import FixBlock
from kubectl_applylint.report.review.markup import bullet_list, code, details_tag, inert_text, size
from kubectl_applylint.report.review.review import Review, ReviewPart, ReviewUnit, review
from kubectl_applylint.report.review.tables import fact_blocks
from kubectl_applylint.report.words import count

LIMIT: Final = 60_000
"""The maximum length of a comment in UTF-16: GitHub allows 65,536, and a workflow may add text of its own."""
_SEVERITIES: Final = frozenset(Severity)
_NOTES: Final = 4
"""The maximum part of a comment for notes: a fourth."""
_FACTS: Final = 3
"""The maximum part of a comment for tables: a third."""
_MOST_ITEMS: Final = 10
"""The number of units, or of parts of one, before the others are folded together."""
_MOST_OPEN_LINES: Final = 20
"""The maximum number of lines in parts that are unfolded at first."""
_BASE: Final = regex("compared with (?!bundled)|predicted as applied by ")
_MOST_NOTES: Final = 6
"""The number of notes before the others are folded."""


class CommentTooLongError(Exception):
    """Not even the headings of a comment fit; the text states how much room they need."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The frame of a comment around its reviews: its marker, its size, and additions to its last line."""

    marker: str = ""
    """The name in its marker; empty for the command of the first review. It must not contain ``--`` or blanks."""
    limit: int = LIMIT
    commit: str = ""
    artifact: str = ""
    """The URL of the whole report, with ``http://`` or ``https://``; empty for none."""


def report_markdown(report: Report, context: Context) -> str:
    """Return the report of ``plan`` or ``check`` as a comment."""
    return comment([review(report, context)], Frame())


def comment(reviews: Sequence[Review], frame: Frame) -> str:
    """Return reviews as one comment of at most ``frame.limit`` characters; findings get room before objects.

    Raises ``CommentTooLongError`` if not even the headings fit.
    """
    marker = f"<!-- applylint:{frame.marker or reviews[0].command} -->"
    opened = [*_with_open_parts(reviews)]
    fixed = [f"{marker}\n{_heading(reviews[0])}", *map(_heading, reviews[1:])]
    facts = [fact_blocks(one.facts, frame.limit // _FACTS // len(reviews)) for one in reviews]
    notes = [_notes(one, frame.limit // _NOTES // len(reviews)) for one in reviews]
    most_left = [_left_out_words(list(_every(one)), frame) for one in reviews]
    foot = _last_line(reviews, frame)
    room = frame.limit - size([*fixed, *(block for one in facts for block in one.blocks), *notes, *most_left, foot])
    if room < 0:
        raise CommentTooLongError(f"headings and notes alone need {frame.limit - room} characters")
    fitted: dict[int, _Fitted] = {}
    for index in sorted(range(len(reviews)), key=lambda index: reviews[index].command != "check"):
        fitted[index] = _fitting(opened[index], room, frame)
        room -= size(fitted[index].blocks)
    blocks: list[str] = []
    for index, (heading, words) in enumerate(zip(fixed, notes, strict=True)):
        found, tables = fitted[index], facts[index]
        blocks += [heading, *tables.clusters, *found.grave, *tables.tables, *found.others]
        blocks += [_left_out_words(found.left, frame), *tables.noise, words]
    return _join_blocks([block for block in (*blocks, foot) if block])


def _with_open_parts(reviews: Sequence[Review]) -> Iterator[Review]:
    """Yield the reviews with the first of their grave parts unfolded."""
    room = _MOST_OPEN_LINES
    for one in reviews:
        units = []
        for unit in one.units:
            parts = []
            for part in unit.parts:
                is_open = part.is_striking and _lines(part) <= room
                room -= _lines(part) if is_open else 0
                parts.append(replace(part, is_open=is_open))
            units.append(replace(unit, parts=tuple(parts)))
        yield replace(one, units=tuple(units))


def _lines(part: ReviewPart) -> int:
    """Return how many lines the unfolded content of a part has."""
    return (
        len(part.names)
        + len(part.hazards)
        + len(part.notes)
        + len(part.diff)
        + sum(len(block.lines) + 1 for block in part.fixes)
    )


def _join_blocks(blocks: Sequence[str]) -> str:
    """Return the blocks separated by blank lines, except for items of one list."""
    breaks = ["\n" if two[0][:2] == two[1][:2] == "- " else "\n\n" for two in pairwise(blocks)]
    return "".join(map(add, blocks, [*breaks, "\n"]))


def _every(one: Review) -> Iterator[ReviewPart]:
    return (part for unit in one.units for part in unit.parts)


@dataclass(frozen=True, slots=True)
class _Item:
    """The blocks of one unit, or of one part, and the parts in them."""

    blocks: tuple[str, ...]
    parts: tuple[ReviewPart, ...]


@dataclass(frozen=True, slots=True)
class _Fitted:
    """The blocks that fit, those of grave parts by themselves, and the parts that do not fit."""

    grave: tuple[str, ...]
    others: tuple[str, ...]
    left: tuple[ReviewPart, ...]

    @property
    def blocks(self) -> tuple[str, ...]:
        """All blocks."""
        return (*self.grave, *self.others)


def _fitting(one: Review, room: int, frame: Frame) -> _Fitted:
    """Return the blocks that fit, and the parts that do not."""
    items: list[_Item] = []
    left: list[ReviewPart] = []
    room -= size(_fold_frame([*_every(one)]))
    for unit in one.units:
        opening, closing = _unit_frame(unit)
        free = 0 if left else room - size([*opening, *closing])
        shown = _shown((_long_and_short(part, one.command, frame) for part in unit.parts), free)
        parts = [_Item((block,), (part,)) for block, part in zip(shown, unit.parts, strict=False)]
        whole = _Item((*opening, *_fold_rest(parts, _most_parts(unit)), *closing), unit.parts[: len(shown)])
        items += ([whole] if opening else parts) if shown else []
        room -= size(whole.blocks) if shown else 0
        left += unit.parts[len(shown) :]
    first = sum(any(part.is_striking for part in item.parts) for item in items)
    return _Fitted(tuple(_fold_rest(items[:first])), tuple(_fold_rest(items[first:])), tuple(left))


def _most_parts(unit: ReviewUnit) -> int:
    """Return how many parts of a unit are not folded together: in an open one little more than the striking ones."""
    striking = sum(part.is_striking for part in unit.parts)
    return min(striking + 1, _MOST_ITEMS) if striking else _MOST_ITEMS


def _fold_rest(items: Sequence[_Item], most: int = _MOST_ITEMS) -> Iterator[str]:
    """Yield the blocks of items, those after the first ones in a folded part if there are many."""
    shown = len(items) if len(items) <= most + 1 else most
    yield from (block for item in items[:shown] for block in item.blocks)
    rest = [part for item in items[shown:] for part in item.parts]
    if rest:
        opening, closing = _fold_frame(rest)
        yield from (opening, *(block for item in items[shown:] for block in item.blocks), closing)


def _fold_frame(parts: Sequence[ReviewPart]) -> tuple[str, str]:
    """Return the blocks before and behind further parts."""
    objects = sum(part.objects for part in parts)
    return details_tag(f"<b>{objects} more</b>: {_counts(parts)}"), "</details>"


def _long_and_short(part: ReviewPart, command: str, frame: Frame) -> tuple[str, str]:
    """Return a part in full, and as one line with a reference to the rest."""
    line = _line(part, is_code=command == "plan")
    return _block(part, line), f"- {line} (details in the {_artifact(frame)})"


def _shown(parts: Iterable[tuple[str, str]], room: int) -> list[str]:
    """Return the first parts that fit, a part that is too long in its shorter form."""
    blocks: list[str] = []
    for forms in parts:
        block = next((form for form in forms if size([form]) <= room), None)
        if block is None:
            break
        room -= size([block])
        blocks.append(block)
    return blocks


def _left_out_words(parts: Sequence[ReviewPart], frame: Frame) -> str:
    """Return the words with the number of parts that do not fit."""
    if not parts:
        return ""
    return f"{sum(part.objects for part in parts)} more in the {_artifact(frame)}: {_counts(parts)}"


def _artifact(frame: Frame) -> str:
    return f"[artifact]({frame.artifact})" if frame.artifact else "artifact"


def _counts(parts: Iterable[ReviewPart]) -> str:
    numbers: Counter[str] = Counter()
    for part in parts:
        numbers[part.word] += part.objects
    return ", ".join(
        count(number, word) if word in _SEVERITIES else f"{number} {inert_text(word)}"
        for word, number in numbers.items()
    )


def _heading(one: Review) -> str:
    found = f" ({inert_text(one.change_class)})" if one.change_class else ""
    return f"### applylint {inert_text(one.command)}{found}: {inert_text(one.summary)}"


def _unit_frame(unit: ReviewUnit) -> tuple[list[str], list[str]]:
    """Return the blocks before and behind the parts of a unit; none if there is only one apply."""
    if not unit.name:
        return [], []
    summary = f"<b>{inert_text(unit.name)}</b>: {_counts(unit.parts)}"
    opening = details_tag(summary, is_open=any(part.is_open for part in unit.parts))
    # Pages do not indent folded parts.
    return [opening, "<blockquote>"], ["</blockquote>", "</details>"]


def _line(part: ReviewPart, *, is_code: bool) -> str:
    """Return the heading of a part in Markdown."""
    title = code(part.title) if is_code else inert_text(part.title)
    return f"<b>{inert_text(part.word)}</b> {title}{inert_text(part.more)}"


def _block(part: ReviewPart, line: str) -> str:
    """Return the part in full, or its line and its place if there are no details."""
    if not (part.hazards or part.notes or part.diff or part.fixes) and len(part.names) <= 1:
        return " ".join(["-", line, *map(code, part.names)])
    names = [code(part.names[0])] if len(part.names) == 1 else [bullet_list(map(code, part.names))]
    blocks = [
        details_tag(line, is_open=part.is_open),
        *names,
        bullet_list(map(inert_text, (*part.hazards, *part.notes))),
        _fence("diff", part.diff),
        *chain.from_iterable(map(_alternative, part.fixes)),
        "</details>",
    ]
    return "\n\n".join(filter(None, blocks))


def _alternative(block: FixBlock) -> Iterator[str]:
    """Yield the title and the mark of a part of a fix, and its lines in a block of their own."""
    words = " ".join(filter(None, (block.title, block.mark and f"({block.mark})")))
    yield f"<b>{inert_text(words)}</b>" if words else "then" if block.continues else ""
    yield _fence("sh", block.lines)


def _fence(language: str, lines: Sequence[str]) -> str:
    """Return a block of code whose fence is longer than any run of backticks inside, so that nothing ends it."""
    code = "\n".join(inert(one_line(line)) for line in lines)
    longest = max((len(run) for run in re.findall("`+", code)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{code}\n{fence}" if lines else ""


def _notes(one: Review, room: int) -> str:
    """Return the notes of a review, as many lines as fit; those on what was compared are folded, and so are many."""
    others = [note for note in one.compared if note not in _bases(one)]
    every = [inert_text(note) for note in (*one.notes, *others)]
    shown = every[: sum(end <= room for end in accumulate(size([f"- {note}"]) for note in every))]
    left = len(every) - len(shown)
    lines = [*shown, *([f"and {count(left, 'more line')}"] if left else [])]
    most = min(len(one.notes), _MOST_NOTES)
    first = len(lines) if len(lines) <= most + 1 else most
    rest = lines[first:]
    title = count(len(rest), "more note" if first else "note")
    open_notes = ("**Notes**", bullet_list(lines[:first])) if first else ()
    folded = (details_tag(title), bullet_list(rest), "</details>") if rest else ()
    return "\n\n".join((*open_notes, *folded))


def _bases(one: Review) -> Sequence[str]:
    """Return the notes on the compared state and the program that applies; the first note if there are none."""
    return [note for note in one.compared if _BASE.match(note)] or one.compared[:1]


def _last_line(reviews: Sequence[Review], frame: Frame) -> str:
    """Return the last line: both sides of the comparison, the time, the commit and the version."""
    parts = [
        *dict.fromkeys(base for one in reviews for base in _bases(one)),
        *dict.fromkeys(one.time for one in reviews),
        frame.commit and f"commit {frame.commit}",
        *dict.fromkeys(f"kubectl-applylint {one.version}" for one in reviews),
    ]
    return f"<sub>{' · '.join(inert_text(part) for part in parts if part)}</sub>"
