"""What a run says of itself, kept apart by what it is about, so that what several machines say can be joined."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from operator import attrgetter
from typing import TypeAlias

from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.run.notes import NO_GAPS, Gaps, join_gaps

UnitPlace: TypeAlias = tuple[str, ...]
"""What the units of a run are sorted by; ``()`` is the run itself, which comes first."""


@dataclass(frozen=True, slots=True)
class UnitNote:
    """A line about one unit of a run, or about the run itself."""

    place: UnitPlace
    text: str


@dataclass(frozen=True, slots=True)
class RunNotes:
    """All that a run says of itself; machines that share a run say the same of the run, and each of its own units."""

    assumed: tuple[UnitNote, ...] = ()
    """What the predictions go by."""
    compared: tuple[UnitNote, ...] = ()
    """What the manifests were compared with."""
    own: tuple[UnitNote, ...] = ()
    gaps: Gaps = NO_GAPS
    aside: tuple[str, ...] = ()
    """For each unit that is passed over, why."""
    last: tuple[UnitNote, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """All of it in words for people."""
        shared = dict.fromkeys((*_texts(self.compared), *_texts(self.own), *self.gaps.lines))
        rest = (*self._passed_over(), *_texts(self.last))
        return (*_texts(self.assumed), *shared, *rest)

    def _passed_over(self) -> Iterator[str]:
        numbers = sorted(Counter(self.aside).items())
        if numbers:
            words = ", ".join(f"{number} × {reason}" for reason, number in numbers)
            yield f"skipped units: {words}; name a directory to check it"

    def with_first_line(self, text: str) -> "RunNotes":
        """Return the notes with a line about the run in front of all."""
        return replace(self, assumed=(UnitNote((), text), *self.assumed))


def join_notes(notes: Sequence[RunNotes]) -> RunNotes:
    """Return what several machines say, each of its units, as one run says it of all."""
    return RunNotes(
        assumed=tuple(chain.from_iterable(one.assumed for one in notes)),
        compared=tuple(chain.from_iterable(one.compared for one in notes)),
        own=tuple(chain.from_iterable(one.own for one in notes)),
        gaps=join_gaps([one.gaps for one in notes]),
        aside=tuple(chain.from_iterable(one.aside for one in notes)),
        last=tuple(chain.from_iterable(one.last for one in notes)),
    )


def _texts(notes: Iterable[UnitNote]) -> Iterator[str]:
    return (one.text for one in dict.fromkeys(sorted(notes, key=attrgetter("place"))))
