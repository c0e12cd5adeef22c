"""The notes of a run, kept apart by subject so that the notes of several shards can be joined."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from operator import attrgetter
from typing import Final, TypeAlias

from kubectl_applylint.core.name_lists import first_names
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.run.notes import NO_GAPS, Gaps, join_gaps

UnitPlace: TypeAlias = tuple[str, ...]
"""The sort key of a unit of a run; ``()`` is the run itself, which comes first."""


_MOST_WITH_HOLES: Final = 3
"""The most units with parts that were not rendered that have a line each."""
_MOST_SAME: Final = 3
"""The most files or objects with a note in the same words that have a line each."""
_MOST_NAMES: Final = 3
"""The most further files or objects that are named in one line."""
_FILE: Final = regex(r"(?P<name>\S+): ")
_OBJECT: Final = regex(r"[A-Z]\w+ (?P<name>[^\s:]+): ")
_UNREAD: Final = regex(r"(?P<words>.* could not be read completely): (?P<name>\S+): ")
_VALUES: Final = regex(r"\[\d+\]|\([^()]*\)")
"""The parts of a note that differ between files: positions in lists, and names in parentheses."""


@dataclass(frozen=True, slots=True)
class UnitNote:
    """A line about one unit of a run, or about the run itself."""

    place: UnitPlace
    text: str


@dataclass(frozen=True, slots=True)
class RunNotes:
    """All notes of a run. Shards of a run have the same notes about the run, and notes about their own units."""

    assumed: tuple[UnitNote, ...] = ()
    """The assumptions of the predictions."""
    compared: tuple[UnitNote, ...] = ()
    """The states that the manifests were compared with."""
    own: tuple[UnitNote, ...] = ()
    gaps: Gaps = NO_GAPS
    aside: tuple[str, ...] = ()
    """The reason of each skipped unit."""
    last: tuple[UnitNote, ...] = ()
    holes: tuple[UnitNote, ...] = ()
    """The parts of each unit that were not rendered."""

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines of all notes, in the order in which they are printed."""
        assumed = _join_same_words(dict.fromkeys(_texts(self.assumed)), _OBJECT, "for")
        unread = _join_same_words(dict.fromkeys(_texts(self.own)), _UNREAD, "for")
        own = _join_same_words(dict.fromkeys(unread), _FILE, "in")
        shared = dict.fromkeys((*_texts(self.compared), *own, *self.gaps.lines))
        rest = (*_lines_about_holes(self.holes), *self._skipped_units_line(), *dict.fromkeys(_texts(self.last)))
        return (*assumed, *shared, *rest)

    def _skipped_units_line(self) -> Iterator[str]:
        numbers = sorted(Counter(self.aside).items())
        if numbers:
            words = ", ".join(f"{number} × {reason}" for reason, number in numbers)
            yield f"skipped units: {words}; name a directory to check it"

    def with_first_line(self, text: str) -> "RunNotes":
        """Return the notes with a line about the run before all others."""
        return replace(self, assumed=(UnitNote((), text), *self.assumed))


def join_notes(notes: Sequence[RunNotes]) -> RunNotes:
    """Return the notes of several shards as the notes of one run."""
    return RunNotes(
        assumed=tuple(chain.from_iterable(one.assumed for one in notes)),
        compared=tuple(chain.from_iterable(one.compared for one in notes)),
        own=tuple(chain.from_iterable(one.own for one in notes)),
        gaps=join_gaps([one.gaps for one in notes]),
        aside=tuple(chain.from_iterable(one.aside for one in notes)),
        last=tuple(chain.from_iterable(one.last for one in notes)),
        holes=tuple(chain.from_iterable(one.holes for one in notes)),
    )


def _lines_about_holes(holes: Iterable[UnitNote]) -> Sequence[str]:
    """Return the lines about parts that were not rendered, one line for many units."""
    # Several units may have the same base with the same part.
    every = [*_texts(holes)]
    lines = [*dict.fromkeys(every)]
    if len(lines) <= _MOST_WITH_HOLES:
        return lines
    return [f"{len(every)} units have resources that were not rendered (-o json lists them): {lines[0]}; and others"]


def _join_same_words(lines: Iterable[str], subject: re.Pattern[str], preposition: str) -> Iterator[str]:
    """Yield the notes; those in the same words are one line with the first subject and the names of others.

    These are the ``words`` of the pattern, by default all but the subject.
    """
    groups: dict[str, list[tuple[str, str]]] = {}
    for line in lines:
        found = subject.match(line)
        name = found["name"] if found else ""
        words = _shared_words(found, line) if found else line
        groups.setdefault(words, []).append((name, line))
    for (_, first), *others in groups.values():
        names = [*dict.fromkeys(name for name, _ in others)]
        if len(others) < _MOST_SAME:
            yield from (first, *(line for _, line in others))
            continue
        yield f"{first}; the same {preposition} {first_names(names, _MOST_NAMES)}"


def _shared_words(found: re.Match[str], line: str) -> str:
    return found.groupdict().get("words") or _VALUES.sub("", line.replace(found["name"], "", 1))


def _texts(notes: Iterable[UnitNote]) -> Iterator[str]:
    return (one.text for one in dict.fromkeys(sorted(notes, key=attrgetter("place"))))
