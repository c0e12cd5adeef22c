"""Loads and evaluates units in worker processes: each returns cacheable results.

The objects of a unit stay in the worker that has read them, so that they are not sent.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Protocol

from kubectl_applylint.core.deferred import Deferred
from kubectl_applylint.core.documents import Document, InCluster
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.run.cache.cached_result import CachedResult
from kubectl_applylint.run.cache.result_cache import CachedResults, with_sources
from kubectl_applylint.run.load.run_input import RunInput
from kubectl_applylint.run.loaded_units import LoadedUnit
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.secrets.names_and_credentials import has_credentials
from kubectl_applylint.sources.system.timing import measure
from kubectl_applylint.units.model import Unit


@dataclass(frozen=True, slots=True)
class WorkerResult:
    """The result of a unit, its cache key, and the seconds that it took."""

    result: CachedResult
    key: str
    seconds: float
    masking: tuple[Document, ...] = ()
    """The objects with credentials in the files of ``CachedResult.masking``, without positions; so the parent process
    does not read these files again.
    """


class ParallelUnitMap(Protocol):
    """Calls a function for each unit, as ``map`` does, in several processes."""

    def __call__(
        self, work: Callable[[Unit], "tuple[WorkerResult, ...] | None"], units: Sequence[Unit], /, *, applies: int
    ) -> "Iterable[tuple[WorkerResult, ...] | None]":
        """Return the result of ``work`` for each unit, in their order; ``applies`` is the amount of work."""


def load_and_evaluate(
    side: Side,
    units: Sequence[Unit],
    load: Callable[[Unit], LoadedUnit | None],
    result_of: Callable[[LoadedUnit], CachedResult | None],
    *,
    spread: ParallelUnitMap,
    pays: Callable[[int], bool],
) -> Iterator[LoadedUnit]:
    """Yield the loaded units, already evaluated if worker processes did that.

    ``load`` returns ``None`` for a unit without objects; ``result_of`` returns ``None`` if a report needs more of a
    unit than its cacheable result. No workers are used if there is little to do, or if one unit has at least half of
    the text: then its objects are divided instead.
    """
    done, left = _in_workers(side, units, partial(_result_in_worker, load, result_of), spread, pays)
    # The only unit of a run is evaluated like an apply that was named.
    if len(done) == 1 and not left:
        done, left = [], units
    cached = with_sources(side, [one.result for one in done])
    for one, run in zip(done, loaded_from_cache(cached), strict=True):
        with_masking = replace(run.input, documents=one.masking)
        yield replace(run, input=with_masking, key=one.key, seconds=one.seconds)
    yield from filter(None, map(load, left))


def _in_workers(
    side: Side,
    units: Sequence[Unit],
    work: Callable[[Unit], "tuple[WorkerResult, ...] | None"],
    spread: ParallelUnitMap,
    pays: Callable[[int], bool],
) -> tuple[list[WorkerResult], Sequence[Unit]]:
    """Return the results of the workers, and the units that this process has to evaluate."""
    files = sum(len(unit.files) for unit in units)
    if not pays(files):
        return [], units
    sizes = [sum(map(len, side.contents(unit.files).values())) for unit in units]
    if 2 * max(sizes) >= sum(sizes):
        return [], units
    largest_first = sorted(range(len(units)), key=lambda place: -sizes[place])
    made = [*spread(work, [units[place] for place in largest_first], applies=files)]
    done = [one for each in made if each for one in each]
    left = sorted(place for place, each in zip(largest_first, made, strict=True) if each is None)
    return done, [units[place] for place in left]


def _result_in_worker(
    load: Callable[[Unit], LoadedUnit | None], result_of: Callable[[LoadedUnit], CachedResult | None], unit: Unit
) -> tuple[WorkerResult, ...] | None:
    """Return the result of a unit, ``()`` if it has no objects, ``None`` if the parent process has to evaluate it."""
    run, loading = measure(partial(load, unit))
    if run is None:
        return ()
    result, evaluating = measure(partial(result_of, run))
    if result is None:
        return None
    bare = (_picklable(one) for one in run.input.documents if one.file in result.masking)
    masking = tuple(one for one in bare if has_credentials(one.object))
    return (WorkerResult(result, run.key, loading + evaluating, masking),)


def _picklable(document: Document) -> Document:
    """Return a document with the object as written in its file, which can be pickled."""
    written = document.object if document.source is None else document.source
    return Document(document.file, document.index, written, document.ref, InCluster())


def loaded_from_cache(cached: CachedResults) -> Iterator[LoadedUnit]:
    """Yield the units with cached results, in their order."""
    for one in cached.results:
        yield LoadedUnit(one.unit, _cached_input(one, cached), declares=one.declares, cached=one, place=one.unit.place)


def _cached_input(one: CachedResult, cached: CachedResults) -> RunInput:
    documents = Deferred(lambda: [document for document in cached.documents if document.file in one.masking])
    texts = cached.texts.of({finding.location.file for finding in one.report.findings})
    return RunInput(
        documents=documents, problems=one.problems, notes=one.notes, gaps=one.gaps, texts=texts, is_unit=True
    )
