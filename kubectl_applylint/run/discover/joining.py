"""Functions that the discoveries share: selection of units, and the notes of loaded ones."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from operator import attrgetter

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.run.discover.accepted import with_accepted
from kubectl_applylint.run.discover.discovery import UnknownRootError
from kubectl_applylint.run.discover.unit_tasks import names_release
from kubectl_applylint.run.load.holes import is_about_holes
from kubectl_applylint.run.load.run_input import RunInput
from kubectl_applylint.run.loaded_units import LoadedUnit, LoadedUnits
from kubectl_applylint.run.notes import Gaps, join_gaps
from kubectl_applylint.run.request import Request, extent_of
from kubectl_applylint.run.run_notes import RunNotes, UnitNote
from kubectl_applylint.run.sides import renders
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.sources.text.classify import SkipReason
from kubectl_applylint.units.finder import FoundUnits
from kubectl_applylint.units.model import Unit
from kubectl_applylint.units.reading import matching_names
from kubectl_applylint.units.set_aside import reasons_not_applied


def requested_units(request: Request, units: Iterable[Unit]) -> tuple[Unit, ...]:
    """Return the units whose roots were asked for, with the namespace, the version and the APIs of the request."""
    every = tuple(units)
    chosen = every if names_release(request.roots) else named_units(request.roots, every)
    options = (request.flags.namespace, request.kubernetes_version, request.api_versions)
    return renders.with_render_options(chosen, *options)


def named_units(roots: Sequence[str], units: Iterable[Unit]) -> tuple[Unit, ...]:
    """Return the units with a name that matches one of the patterns ``roots``; without any, all."""
    every = tuple(units)
    names = matching_names(roots, frozenset[str]().union(*(unit.names for unit in every)))
    return tuple(unit for unit in every if not roots or not names.isdisjoint(unit.names))


def reject_unknown_roots(request: Request, units: Sequence[Unit]) -> None:
    """Raise ``UnknownRootError`` if no unit has a root that was asked for: it may be misspelled."""
    if request.roots and not units:
        raise UnknownRootError(f"--unit {' '.join(request.roots)}: no unit has this root; applylint units lists them")


def without_set_aside(
    request: Request, side: Side, units: Sequence[Unit], names: Collection[str]
) -> tuple[tuple[Unit, ...], tuple[str, ...]]:
    """Return the units to examine, and the reason of each skipped unit."""
    reasons = reasons_not_applied(units, side.paths, names) if request.sets_aside else [""] * len(units)
    examined = (unit for unit, reason in zip(units, reasons, strict=True) if not reason)
    return tuple(examined), tuple(filter(None, reasons))


def without_aside(request: Request, side: Side, found: FoundUnits, names: Collection[str]) -> FoundUnits:
    """Return the units of a side without the declarations of other files, and of none, that are not applied."""
    if not request.sets_aside or not (found.missing or found.elsewhere):
        return found
    reasons = zip(found.units, reasons_not_applied(found.units, side.paths, names), strict=True)
    aside = {unit.applied.reason for unit, words in reasons if words}
    missing = tuple(one for one in found.missing if one.applied.reason not in aside)
    return replace(found, missing=missing, elsewhere=tuple(each for each in found.elsewhere if each[0] not in aside))


def problems_without_unit(problems: Sequence[Problem], skipped: Sequence[SkipReason] = ()) -> Iterator[LoadedUnit]:
    """Yield a loaded unit with the problems and skipped files that belong to no unit, if there are any."""
    if problems or skipped:
        yield LoadedUnit(None, RunInput(problems=tuple(problems), gaps=Gaps(tuple(skipped))))


def join(request: Request, runs: Iterable[LoadedUnit], origin: str, is_whole: Callable[[], bool]) -> LoadedUnits:
    """Join loaded units to one run; ``is_whole`` returns whether no other shard has units with objects."""
    found = _without_other_units(request, runs) if names_release(request.roots) else runs
    each = tuple(sorted(with_accepted(found, request.accepted), key=attrgetter("place")))
    if len(each) == 1 and is_whole():
        each = (replace(each[0], input=replace(each[0].input, extent=extent_of(request))),)
    return LoadedUnits(each, _notes(each, origin), origin)


def _without_other_units(request: Request, runs: Iterable[LoadedUnit]) -> Sequence[LoadedUnit]:
    """Return the runs without units that were loaded only for the releases that they declare."""
    every = tuple(runs)
    chosen = frozenset(named_units(request.roots, filter(None, (run.unit for run in every))))
    found = [run for run in every if run.unit is None or run.unit in chosen]
    reject_unknown_roots(request, [run.unit for run in found if run.unit])
    return found


def _notes(each: Sequence[LoadedUnit], origin: str) -> RunNotes:
    compared = [
        UnitNote(run.place, f"{run.unit.shown}: compared with {run.input.origin}")
        for run in each
        if run.unit and run.input.origin not in ("", origin)
    ]
    return RunNotes(
        compared=(*notes_about_run([f"compared with {origin}"] if origin else []), *compared),
        own=tuple(UnitNote(run.place, note) for run in each for note in _own_notes(run.input)),
        holes=tuple(UnitNote(run.place, note) for run in each for note in run.input.notes if is_about_holes(note)),
        gaps=join_gaps([run.input.gaps for run in each]),
    )


def _own_notes(found: RunInput) -> Iterator[str]:
    shared = frozenset(found.gaps.lines)
    return (note for note in found.notes if note not in shared and not is_about_holes(note))


def notes_about_run(lines: Iterable[str]) -> tuple[UnitNote, ...]:
    """Return notes about the run itself."""
    return tuple(UnitNote((), line) for line in lines)


def examined_documents(runs: LoadedUnits) -> list[tuple[Unit, Sequence[Document]]]:
    """Return the units of a run with their documents."""
    return [(run.unit, run.input.documents) for run in runs.each if run.unit]
