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

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.safe_text import inert, one_line, visible_lines
from kubectl_applylint.lint.model import Report, Severity
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.fix_blocks import FixBlock
from kubectl_applylint.report.review.review import Review, ReviewPart, ReviewUnit, review
from kubectl_applylint.report.words import count

LIMIT: Final = 60_000
"""The maximum length of a comment in UTF-16: GitHub allows 65,536, and a workflow may add text of its own."""
_SEVERITIES: Final = frozenset(Severity)
_NOTES: Final = 4
"""The maximum part of a comment for notes: a fourth."""
_LONGEST: Final = 400
"""The maximum length of one line of words, before markup is escaped."""
_MARKUP: Final = regex(
    r"[\\`*_{}\[\]<>|#@&~$]|:(?=//)|(?<=www)\.|(?<=\bGH)-(?=\d)|!(?=\d)"
    r"|^[-+](?=[-\s]|$)|^=(?=[=\s]|$)|^\d(?=\d*[.)](?:\s|$))",
    re.IGNORECASE,
)
"""Text that would be markup, a link, or the beginning of a list."""
_NAMING: Final = regex(r"@(?=\w)|[#!](?=\d)|(?<=\bGH)-(?=\d)", re.IGNORECASE)
"""Mentions of a person or an issue. Pages search for them in the finished text, in which references have become
characters."""
_NO_SPACE: Final = "&#8203;"
"""A space without width, which separates the sign from the name."""


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
    fixed = [f"{marker}\n{_heading(reviews[0])}", *map(_heading, reviews[1:])]
    notes = [_notes(one, frame.limit // _NOTES // len(reviews)) for one in reviews]
    most_left = [_left_out_words(list(_every(one)), frame) for one in reviews]
    foot = _last_line(reviews, frame)
    room = frame.limit - _size([*fixed, *notes, *most_left, foot])
    if room < 0:
        raise CommentTooLongError(f"headings and notes alone need {frame.limit - room} characters")
    fitted: dict[int, tuple[list[str], list[ReviewPart]]] = {}
    for index in sorted(range(len(reviews)), key=lambda index: reviews[index].command != "check"):
        fitted[index] = _fitting(reviews[index], room, frame)
        room -= _size(fitted[index][0])
    blocks: list[str] = []
    for index, (heading, words) in enumerate(zip(fixed, notes, strict=True)):
        shown, left = fitted[index]
        blocks += [heading, *shown, _left_out_words(left, frame), words]
    return _join_blocks([block for block in (*blocks, foot) if block])


def _join_blocks(blocks: Sequence[str]) -> str:
    """Return the blocks separated by blank lines, except for items of one list."""
    breaks = ["\n" if two[0][:2] == two[1][:2] == "- " else "\n\n" for two in pairwise(blocks)]
    return "".join(map(add, blocks, [*breaks, "\n"]))


def _size(blocks: Iterable[str]) -> int:
    """Return the length of blocks in UTF-16, with the blank line behind each."""
    return sum(len(block.encode("utf-16-le", "surrogatepass")) // 2 + 2 for block in blocks)


def _every(one: Review) -> Iterator[ReviewPart]:
    return (part for unit in one.units for part in unit.parts)


def _fitting(one: Review, room: int, frame: Frame) -> tuple[list[str], list[ReviewPart]]:
    """Return the blocks that fit, and the parts that do not."""
    blocks: list[str] = []
    left: list[ReviewPart] = []
    for unit in one.units:
        opening, closing = _unit_frame(unit)
        free = 0 if left else room - _size([*blocks, *opening, *closing])
        shown = _shown((_long_and_short(part, one.command, frame) for part in unit.parts), free)
        blocks += [*opening, *shown, *closing] if shown else []
        left += unit.parts[len(shown) :]
    return blocks, left


def _long_and_short(part: ReviewPart, command: str, frame: Frame) -> tuple[str, str]:
    """Return a part in full, and as one line with a reference to the rest."""
    line = _line(part, is_code=command == "plan")
    return _block(part, line), f"- {line} (details in the {_artifact(frame)})"


def _shown(parts: Iterable[tuple[str, str]], room: int) -> list[str]:
    """Return the first parts that fit, a part that is too long in its shorter form."""
    blocks: list[str] = []
    for forms in parts:
        block = next((form for form in forms if _size([form]) <= room), None)
        if block is None:
            break
        room -= _size([block])
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
    opening = _details_tag(summary, is_open=any(part.is_grave for part in unit.parts))
    # Pages do not indent folded parts.
    return [opening, "<blockquote>"], ["</blockquote>", "</details>"]


def _details_tag(summary: str, *, is_open: bool) -> str:
    """Return the opening tag and the summary of a folded part."""
    return f"<details{' open' if is_open else ''}>\n<summary>{summary}</summary>"


def _line(part: ReviewPart, *, is_code: bool) -> str:
    """Return the heading of a part in Markdown."""
    title = _code(part.title) if is_code else inert_text(part.title)
    return f"<b>{inert_text(part.word)}</b> {title}{inert_text(part.more)}"


def _block(part: ReviewPart, line: str) -> str:
    """Return the part in full, or its line and its place if there are no details."""
    if not (part.notes or part.diff or part.fixes) and len(part.names) <= 1:
        return " ".join(["-", line, *map(_code, part.names)])
    names = [_code(part.names[0])] if len(part.names) == 1 else [_bullet_list(map(_code, part.names))]
    blocks = [
        _details_tag(line, is_open=part.is_grave),
        *names,
        _bullet_list(map(inert_text, part.notes)),
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


def _bullet_list(texts: Iterable[str]) -> str:
    return "\n".join(f"- {text}" for text in texts)


def _fence(language: str, lines: Sequence[str]) -> str:
    """Return a block of code whose fence is longer than any run of backticks inside, so that nothing ends it."""
    code = "\n".join(inert(one_line(line)) for line in lines)
    longest = max((len(run) for run in re.findall("`+", code)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{code}\n{fence}" if lines else ""


def _notes(one: Review, room: int) -> str:
    """Return the notes on the confidence of a review, as many lines as fit."""
    every = [inert_text(note) for note in (*one.notes, *one.compared[1:])]
    shown = every[: sum(end <= room for end in accumulate(_size([f"- {note}"]) for note in every))]
    left = len(every) - len(shown)
    lines = [*shown, *([f"and {count(left, 'more line')}"] if left else [])]
    return f"**Notes**\n\n{_bullet_list(lines)}" if lines else ""


def _last_line(reviews: Sequence[Review], frame: Frame) -> str:
    """Return the last line: both sides of the comparison, the time, the commit and the version."""
    parts = [
        *dict.fromkeys(one.compared[0] for one in reviews if one.compared),
        *dict.fromkeys(one.time for one in reviews),
        frame.commit and f"commit {frame.commit}",
        *dict.fromkeys(f"kubectl-applylint {one.version}" for one in reviews),
    ]
    return f"<sub>{' · '.join(inert_text(part) for part in parts if part)}</sub>"


def inert_text(text: str) -> str:
    """Return ``text`` on one line, without markup, links, or mentions of a person or an issue."""
    blank = " " if text[:1] == " " else ""
    line = blank + " ".join(visible_lines(text).split())
    shown = line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
    return _MARKUP.sub(lambda match: _reference(match, shown), shown)


def _reference(match: re.Match[str], line: str) -> str:
    return f"&#{ord(match[0])};{_NO_SPACE if _NAMING.match(line, match.start()) else ''}"


def _code(text: str) -> str:
    return f"<code>{inert_text(text)}</code>"
