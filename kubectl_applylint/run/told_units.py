"""Units that copies of this process read and judge: what comes back of each is what is kept for later runs.

What a unit is made of stays in the copy that has read it, so that neither is sent, and nobody waits until all is read.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Protocol

from kubectl_applylint.core.deferred import Deferred
from kubectl_applylint.core.documents import Document, InCluster
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.run.files import RunInput
from kubectl_applylint.run.kept_results import KeptResult, KeptResults, shown_of
from kubectl_applylint.run.sides import Side
from kubectl_applylint.run.unit_run import UnitRun
from kubectl_applylint.secrets.names_and_credentials import has_credentials
from kubectl_applylint.sources.system.timing import timed
from kubectl_applylint.units.model import Unit


@dataclass(frozen=True, slots=True)
class ToldUnit:
    """What is told of a unit, by which key it is to be kept, and how many seconds it took to read and judge it."""

    result: KeptResult
    key: str
    seconds: float
    masking: tuple[Document, ...] = ()
    """What has credentials in the files of ``KeptResult.masking``, without positions, so that nobody reads these files
    once more.
    """


class SpreadTold(Protocol):
    """Does what ``map`` does, for so many ``applies``."""

    def __call__(
        self,
        work: Callable[[Unit], "tuple[ToldUnit, ...] | None"],
        units: Sequence[Unit],
        /,
        *,
        applies: int,
    ) -> "Iterable[tuple[ToldUnit, ...] | None]":
        """Return what ``work`` makes of each unit, in their order."""


@dataclass(frozen=True, slots=True)
class Sharing:
    """How units are judged as soon as they are read, by several processes."""

    tell: Callable[[UnitRun], KeptResult | None]
    """Judges a unit; ``None`` where a report needs more of it than what is kept."""
    spread: SpreadTold
    pays: Callable[[int], bool]
    """Tells whether so many applies are worth several processes."""


def runs_over(
    side: Side, units: Sequence[Unit], run_of: Callable[[Unit], UnitRun | None], sharing: Sharing | None
) -> Iterator[UnitRun]:
    """Yield the units that have something to look at, judged already where that is shared.

    ``run_of`` reads one, ``None`` where there is nothing to look at. Nothing is shared where that does not pay: where
    there is little to do, and where one has so much that its objects are better shared.
    """
    told, left = _shared(side, units, run_of, sharing) if sharing else ([], units)
    # The only unit of a run is judged as all that was named.
    if len(told) == 1 and not left:
        told, left = [], units
    yield from _runs(side, told)
    yield from filter(None, map(run_of, left))


def _shared(
    side: Side, units: Sequence[Unit], run_of: Callable[[Unit], UnitRun | None], sharing: Sharing
) -> tuple[list[ToldUnit], Sequence[Unit]]:
    """Return what copies tell of units, and which units are left to be read here."""
    files = sum(len(unit.files) for unit in units)
    if not sharing.pays(files):
        return [], units
    sizes = [sum(map(len, side.contents(unit.files).values())) for unit in units]
    if 2 * max(sizes) >= sum(sizes):
        return [], units
    largest_first = sorted(range(len(units)), key=lambda place: -sizes[place])
    work = partial(_told, run_of, sharing.tell)
    made = [*sharing.spread(work, [units[place] for place in largest_first], applies=files)]
    told = [one for each in made if each for one in each]
    left = sorted(place for place, each in zip(largest_first, made, strict=True) if each is None)
    return told, [units[place] for place in left]


def _told(
    run_of: Callable[[Unit], UnitRun | None], tell: Callable[[UnitRun], KeptResult | None], unit: Unit
) -> tuple[ToldUnit, ...] | None:
    """Return what is told of a unit, nothing of one without objects; ``None`` if that is not enough."""
    run, reading = timed(partial(run_of, unit))
    if run is None:
        return ()
    result, judging = timed(partial(tell, run))
    if result is None:
        return None
    bare = (_bare(one) for one in run.found.documents if one.file in result.masking)
    masking = tuple(one for one in bare if has_credentials(one.object))
    return (ToldUnit(result, run.key, reading + judging, masking),)


def _bare(document: Document) -> Document:
    """Return an object as its file has it, which can be sent."""
    written = document.object if document.source is None else document.source
    return Document(document.file, document.index, written, document.ref, InCluster())


def _runs(side: Side, told: Sequence[ToldUnit]) -> Iterator[UnitRun]:
    shown = shown_of(side, [one.result for one in told])
    for one, run in zip(told, kept_runs(shown), strict=True):
        found = replace(run.found, documents=one.masking)
        yield replace(run, found=found, key=one.key, seconds=one.seconds)


def kept_runs(kept: KeptResults) -> Iterator[UnitRun]:
    """Yield the units of which results are kept, in their order."""
    for one in kept.results:
        yield UnitRun(one.unit, _input_of(one, kept), kept=one, place=one.unit.place)


def _input_of(one: KeptResult, kept: KeptResults) -> RunInput:
    documents = Deferred(lambda: [document for document in kept.documents if document.file in one.masking])
    texts = kept.texts.of({finding.location.file for finding in one.report.findings})
    return RunInput(
        documents=documents, problems=one.problems, notes=one.notes, gaps=one.gaps, texts=texts, is_unit=True
    )
