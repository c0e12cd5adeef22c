"""A review as JSON inside a report, and its parser, which trusts nothing: anyone may have changed the JSON."""

from typing import Final

from kubectl_applylint.core.change_classes import ChangeClass
from kubectl_applylint.core.values import Json, items, text_at
from kubectl_applylint.report.facts.facts import Facts
from kubectl_applylint.report.facts.facts_json import FactsFormatError, read_facts
from kubectl_applylint.report.fix_blocks import FixBlock
from kubectl_applylint.report.review.review import REVIEWED, Review, ReviewPart, ReviewUnit

_MOST_OBJECTS: Final = 10**9
"""More objects than any report counts; Python does not print numbers with thousands of digits."""


class ReviewFormatError(Exception):
    """A JSON value is not a review; the text describes the error."""


def review_json(review: Review) -> Json:
    """Return a review as ``schemas/json-v1.json`` describes it."""
    return {
        "command": review.command,
        "summary": review.summary,
        "compared": [*review.compared],
        "version": review.version,
        "units": [{"name": unit.name, "parts": [*map(_part_json, unit.parts)]} for unit in review.units],
        "notes": [*review.notes],
        **({"class": review.change_class.value} if review.change_class else {}),
    }


def _part_json(part: ReviewPart) -> Json:
    return {
        "word": part.word,
        "title": part.title,
        "more": part.more,
        "names": [*part.names],
        **({"hazards": [*part.hazards]} if part.hazards else {}),
        "notes": [*part.notes],
        "diff": [*part.diff],
        "fix": [line for block in part.fixes for line in _all_lines(block)],
        "fixes": [*map(_block_json, part.fixes)],
        "objects": part.objects,
        "isGrave": part.is_grave,
    }


def _block_json(block: FixBlock) -> Json:
    return {
        "title": block.title,
        "lines": [*block.lines],
        "loses": [*block.loses],
        "continues": block.continues,
    }


def _all_lines(block: FixBlock) -> tuple[str, ...]:
    return (f"# {block.title}", *block.lines) if block.title else block.lines


def read_review(report: Json, time: str) -> Review:
    """Return the review in a report of ``-o json``, made at a time; raise ``ReviewFormatError`` for any other value."""
    match report:
        case {
            "review": {
                "command": str(command),
                "summary": str(summary),
                "compared": list(compared),
                "version": str(version),
                "units": list(units),
                "notes": list(notes),
            }
        } if command in REVIEWED:
            read = tuple(map(_unit, units))
            found = text_at(report, "review", "class")
            change = ChangeClass(found) if found in set(ChangeClass) else None
            facts = _facts(report)
            return Review(command, summary, _texts(compared), time, version, read, _texts(notes), change, facts)
        case {"version": "json-v1", "command": str(command)}:
            raise ReviewFormatError(f"a report of {command} cannot be made a comment")
    raise ReviewFormatError("not a report of check or plan")


def _facts(report: Json) -> Facts:
    try:
        return read_facts(report)
    except FactsFormatError as fault:
        raise ReviewFormatError(str(fault)) from None


def _unit(value: Json) -> ReviewUnit:
    match value:
        case {"name": str(name), "parts": list(parts)}:
            return ReviewUnit(name, tuple(map(_part, parts)))
    raise ReviewFormatError("the review has an invalid unit")


def _part(value: Json) -> ReviewPart:
    match value:
        case {
            "word": str(word),
            "title": str(title),
            "more": str(more),
            "names": list(names),
            "notes": list(notes),
            "diff": list(diff),
            "fix": list(fix),
            "objects": int(objects),
            "isGrave": bool(is_grave),
        } if 0 <= objects <= _MOST_OBJECTS:
            # Reports of earlier versions have all alternatives in one list of lines.
            blocks = value.get("fixes", [{"title": "", "lines": fix}] * bool(fix))
            fixes = tuple(map(_block, blocks if isinstance(blocks, list) else [blocks]))
            hazards = _texts(items(value.get("hazards")))
            words = (word, title, more, _texts(names), hazards, _texts(notes), _texts(diff))
            return ReviewPart(*words, fixes, objects, is_grave)
    raise ReviewFormatError("the review has an invalid part")


def _block(value: Json) -> FixBlock:
    match value:
        case {"title": str(title), "lines": list(lines), "loses": list(loses), "continues": bool(continues)}:
            return FixBlock(title, _texts(lines), _texts(loses), continues=continues)
        case {"title": str(title), "lines": list(lines)}:
            return FixBlock(title, _texts(lines))
    raise ReviewFormatError("the review has an invalid fix")


def _texts(values: list[Json]) -> tuple[str, ...]:
    if not all(isinstance(value, str) for value in values):
        raise ReviewFormatError("review: expected a string")
    return tuple(values)
