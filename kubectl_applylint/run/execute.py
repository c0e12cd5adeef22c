"""Executes a run: loads and evaluates its units, in this process or in several, with the results of earlier runs."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from operator import itemgetter
from typing import Any, Final, Protocol, TypeVar

from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.lint.model import Report
from kubectl_applylint.run import progress
from kubectl_applylint.run.cache.result_cache import cacheable_result, write_results
from kubectl_applylint.run.discover.discovery import DiscoveredUnits
from kubectl_applylint.run.discover.joining import problems_without_unit
from kubectl_applylint.run.discover.share import WHOLE, Share
from kubectl_applylint.run.evaluate import EvaluateObjects, Evaluation
from kubectl_applylint.run.loaded_units import LoadedUnit, LoadedUnits
from kubectl_applylint.run.report_transfer import SentReport, restore_report, strip_documents
from kubectl_applylint.run.sides.places import Place
from kubectl_applylint.run.sides.rounds import Rounds, endless_problems
from kubectl_applylint.run.unit_workers import load_and_evaluate
from kubectl_applylint.sources.system.timing import measure
from kubectl_applylint.units.model import Unit

T = TypeVar("T")
R = TypeVar("R")


class ParallelMap(Protocol):
    """Applies a function to items, in several processes if that pays."""

    def __call__(self, work: Callable[[T], R], items: Sequence[T], words: str, *, applies: int) -> Sequence[R]:
        """Return the results in the order of the items; ``words`` name the work in the progress line."""


class WatchLoop(Protocol):
    """Shows the progress of a loop."""

    def __call__(self, items: Sequence[T], words: str) -> Iterable[T]:
        """Return the items; ``words`` name the work in the progress line."""


def _map_serially(work: Callable[[T], R], items: Sequence[T], words: str, *, applies: int) -> Sequence[R]:
    return [work(item) for item in items]


def _without_progress(items: Sequence[T], words: str) -> Iterable[T]:
    return items


def _never_pays(applies: int) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Executor:
    """How a run is executed; the report does not depend on it."""

    share: Share = WHOLE
    """The units of the run that this machine executes."""
    place: Place | None = None
    """The files of the run if they are known; files that were read are not read again."""
    results_depend_on: tuple[object, ...] | None = None
    """The values that results depend on besides the request and the files; ``None`` if results are not cached."""
    spread: ParallelMap = field(default=_map_serially, repr=False)
    watch: WatchLoop = field(default=_without_progress, repr=False)
    pays: Callable[[int], bool] = field(default=_never_pays, repr=False)
    """Returns whether several processes are faster for a number of applies."""

    def load(self, discovery: DiscoveredUnits[Any], evaluation: Evaluation) -> list[LoadedUnit]:
        """Return the loaded units of a discovery, and in rounds those that their objects declare.

        If the results depend on files alone, worker processes load and evaluate the units.
        """
        units: Iterable[Any] = discovery.units
        loaded: list[LoadedUnit] = []
        rounds, cached = Rounds(), discovery.cached
        while runs := [*cached, *self._load_round(discovery, units, evaluation)]:
            loaded.extend(runs[len(cached) :])
            cached = ()
            # Applications may declare each other in a circle.
            rounds.add(one.unit for one in runs if one.unit)
            units = rounds.following(discovery.declared_by(runs), _unit_of)
        return [*loaded, *problems_without_unit([*endless_problems(rounds.endless)])]

    def _load_round(
        self, discovery: DiscoveredUnits[Any], units: Iterable[Any], evaluation: Evaluation
    ) -> Iterator[LoadedUnit]:
        if discovery.static is None:
            return filter(None, map(discovery.load, units))
        result_of = partial(_cacheable_result, evaluation)
        spread = partial(self.spread, words=f"{evaluation.verb} unit")
        return load_and_evaluate(
            discovery.static, tuple(units), discovery.load, result_of, spread=spread, pays=self.pays
        )

    def evaluate(self, runs: LoadedUnits, evaluation: Evaluation) -> list[tuple[Report, float]]:
        """Return the report of each loaded unit, and the seconds that it took; cache those that can be cached."""
        progress.begin(f"checking {len(runs.subjects)} objects")
        applies = sum(1 + len(subject.alternatives) for subject in runs.subjects)
        if _has_one_large_unit(runs):
            evaluate_objects = self._objects(evaluation, applies)
            turns = progress.with_progress(f"{evaluation.verb} unit", runs.each, _root)
            reports = [measure(partial(evaluation, run, evaluate_objects)) for run in turns]
        else:
            reports = self._by_units(runs.each, evaluation, applies)
        write_results((run, report) for run, (report, _) in zip(runs.each, reports, strict=True))
        return reports

    def _objects(self, evaluation: Evaluation, applies: int) -> EvaluateObjects:
        words = f"{evaluation.verb} object"
        if evaluation.divides_objects:
            return partial(self.spread, words=words, applies=applies)
        return lambda work, subjects: map(work, self.watch(subjects, words))

    def _by_units(self, runs: Sequence[LoadedUnit], evaluation: Evaluation, applies: int) -> list[tuple[Report, float]]:
        """Return the reports of units that are divided among processes, the largest unit first."""
        largest_first = sorted(range(len(runs)), key=lambda place: -len(runs[place].input.subjects))
        work = partial(_timed_report, evaluation)
        ordered = [runs[place] for place in largest_first]
        made = self.spread(work, ordered, f"{evaluation.verb} unit", applies=applies)
        found = sorted(zip(largest_first, made, strict=True), key=itemgetter(0))
        return [(restore_report(runs[place].input, one), seconds) for place, (one, seconds) in found]


SERIAL: Final = Executor()
"""Executes everything in this process, without a cache."""


def _unit_of(item: Any) -> Unit:
    """Return the unit of an item of a discovery, which is a unit or a task with one."""
    return item if isinstance(item, Unit) else item.unit


def _cacheable_result(evaluation: Evaluation, run: LoadedUnit) -> Any:
    return cacheable_result(run, evaluation(run))


def _timed_report(evaluation: Evaluation, run: LoadedUnit) -> tuple[SentReport, float]:
    report, seconds = measure(partial(evaluation, run))
    return strip_documents(run.input, report), seconds


def _has_one_large_unit(runs: LoadedUnits) -> bool:
    """Return whether one unit has at least half of the objects, so that its objects are divided instead of units."""
    numbers = [len(run.input.subjects) for run in runs.each]
    return 2 * max(numbers, default=0) >= sum(numbers)


def _root(run: LoadedUnit) -> str:
    return run.unit.shown if run.unit else ""
