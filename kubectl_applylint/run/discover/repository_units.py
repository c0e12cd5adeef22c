"""Discovers the units of a repository in one state of its files: all are compared with the same source."""

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import filterfalse

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.run.cache.result_cache import NOTHING_CACHED, CachedResults, read_results
from kubectl_applylint.run.compare.live_source import LiveSource, LiveSources
from kubectl_applylint.run.discover.applier_notes import (
    assumed_helm_notes,
    elsewhere_notes,
    gap_notes,
    installation_notes,
    jsonnet_notes,
    kubectl_fallback_notes,
    missing_path_notes,
    source_notes,
    undeclared_chart_notes,
    undeclared_notes,
    unlisted_notes,
    unpredicted_notes,
)
from kubectl_applylint.run.discover.circles import circle_notes
from kubectl_applylint.run.discover.declaring_units import declaring_units
from kubectl_applylint.run.discover.discovery import DiscoveredUnits
from kubectl_applylint.run.discover.joining import (
    examined_documents,
    join,
    named_units,
    notes_about_run,
    problems_without_unit,
    reject_unknown_roots,
    requested_units,
    without_aside,
    without_set_aside,
)
from kubectl_applylint.run.discover.other_secrets import secrets_in
from kubectl_applylint.run.discover.shared_target import TargetUnits
from kubectl_applylint.run.discover.unit_changes import has_objects
from kubectl_applylint.run.discover.unit_tasks import (
    UnitTask,
    choose_units,
    filter_by_root,
    select_units,
    split_folders,
    task_maker,
)
from kubectl_applylint.run.execute import Executor
from kubectl_applylint.run.load.load_unit import load_unit
from kubectl_applylint.run.load.unit_tools import require_one_app
from kubectl_applylint.run.loaded_units import LoadedUnit, LoadedUnits
from kubectl_applylint.run.request import Request
from kubectl_applylint.run.sides import renders
from kubectl_applylint.run.sides.named_objects import NamedObjects
from kubectl_applylint.run.sides.places import Place, place_of
from kubectl_applylint.run.sides.release_units import may_declare_units, nested_release_units, release_units
from kubectl_applylint.run.sides.rounds import Rounds, endless_problems
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.run.unit_workers import loaded_from_cache
from kubectl_applylint.sources.text.classify import SkipReason
from kubectl_applylint.tools.argocd.special_files import JSONNET
from kubectl_applylint.units.finder import FoundUnits
from kubectl_applylint.units.model import Form, Unit


@dataclass(frozen=True, slots=True)
class UnitListing:
    """The units of files and directories."""

    units: tuple[Unit, ...]
    declaring: tuple[int | None, ...]
    """For each unit, the position of the one that applies its declaring object."""
    notes: tuple[str, ...]
    """The declarations that are not units, each with the reason, and the assumptions about sources."""


def list_units(request: Request) -> UnitListing:
    """Return the units in the named files and directories; without any, those of the repository.

    Directories and files without objects are left out.
    """
    place = place_of(request.files or (os.curdir,), request.units, request.own)
    side = place.side
    discovered = place.found(request.units)
    every = discovered.units
    found = choose_units(side, every, place.paths if request.files else ("",))
    listed = [unit for unit in found if unit.form not in (Form.FOLDER, Form.FILE) or has_objects(side, unit)]
    known, objects = {unit.key for unit in every if unit.applied.declared_by}, NamedObjects(side, every)
    remotes = place.checkout.remotes
    followed = [unit for unit in listed if not unit.applied.gap]
    renders.prepare((side, unit) for unit in followed if renders.is_rendered(unit) and may_declare_units(unit, objects))
    releases: dict[tuple[str, ...], Unit] = {}
    endless: list[Unit] = []
    for unit in followed:
        rounds, documents = Rounds(), _documents(side, unit, objects)
        rounds.add(listed)
        declared = nested_release_units(side, documents, unit.declaring_cluster, objects, remotes, rounds=rounds)
        releases |= {one.key: one for one in declared if one.key not in known}
        endless += rounds.endless
    units = (*listed, *releases.values())
    endless_lines = (f"{one.where}: {one.message}" for one in endless_problems(endless))
    notes = (
        *undeclared_notes(discovered),
        *unlisted_notes(discovered),
        *source_notes(discovered),
        *undeclared_chart_notes(units, units),
        *endless_lines,
        *circle_notes(units, side.label),
    )
    return UnitListing(units, declaring_units(units, side.label), notes)


def _documents(side: Side, unit: Unit, objects: NamedObjects) -> Sequence[Document]:
    """Return the objects of a unit, none if it declares no units."""
    if not may_declare_units(unit, objects):
        return ()
    return (renders.render_unit(side, unit) if renders.is_rendered(unit) else side.read(sorted(unit.files))).documents


def discover(request: Request, sources: LiveSources, executor: Executor) -> DiscoveredUnits[Unit]:
    """Return the units of the files that a request names."""
    is_static = _is_static(request, sources.shared, executor)
    found = _find_units(request, sources, executor, is_static=is_static)
    require_one_app(request.flags, found.units)
    renders.prepare((found.place.side, unit) for unit in found.units)
    return DiscoveredUnits(
        found.units,
        partial(_load, request, found),
        partial(_join, request, sources.shared, found),
        declared_by=partial(_declared_units, request, found),
        cached=tuple(loaded_from_cache(found.cached)),
        static=found.place.side if is_static else None,
    )


def _declared_units(request: Request, found: "_Discovery", runs: Sequence[LoadedUnit]) -> tuple[Unit, ...]:
    """Return the units that loaded units declare and that are not among those of the files."""
    known = {unit.key for unit in found.known.units if unit.applied.declared_by}
    declared = {unit.key: unit for run in runs for unit in run.declares if unit.key not in known}
    chosen = named_units(request.roots, declared.values())
    units = renders.with_render_options(chosen, "", request.kubernetes_version, request.api_versions)
    renders.prepare((found.place.side, unit) for unit in units)
    return units


@dataclass(frozen=True, slots=True)
class _Discovery:
    """The units of a request."""

    place: Place
    known: FoundUnits
    """All units of the repository."""
    meant: tuple[Unit, ...]
    """The units that the named files belong to, and those in the named directories."""
    asked: tuple[Unit, ...]
    """The units of these with a requested root; each part of a folder is a unit."""
    units: tuple[Unit, ...]
    """The units that this shard examines."""
    elsewhere: tuple[Unit, ...]
    """The units that other shards examine."""
    aside: tuple[str, ...]
    """The reason of each skipped unit."""
    cached: CachedResults
    task_of: Callable[[Unit], UnitTask | None]
    objects: NamedObjects


def _find_units(request: Request, sources: LiveSources, executor: Executor, *, is_static: bool) -> _Discovery:
    place = executor.place or place_of(request.files, request.units, request.own)
    side, paths = place.side, place.paths
    known = place.found(request.units)
    meant = select_units(side, known.units, paths)
    is_mine = executor.share.units(meant)
    cached, beside = NOTHING_CACHED, TargetUnits(side, known.units, meant)
    if is_static:
        mine = [*filter(is_mine, meant)]
        cached = _read_cached_results(request, executor, place, mine, beside, is_whole=len(meant) == 1)
    uncached = [unit for unit in filter_by_root(request.roots, meant) if unit not in cached.found]
    asked = split_folders(side, uncached, meant, paths)
    reject_unknown_roots(request, [*requested_units(request, asked), *cached.found])
    units, aside = without_set_aside(request, side, requested_units(request, filter(is_mine, asked)), paths)
    elsewhere, _ = without_set_aside(request, side, requested_units(request, filterfalse(is_mine, asked)), paths)
    task_of = task_maker(side, paths, sources.of, beside.same_target)
    return _Discovery(
        place, known, meant, asked, units, elsewhere, aside, cached, task_of, NamedObjects(side, known.units)
    )


def _is_static(request: Request, source: LiveSource, executor: Executor) -> bool:
    """Return whether the results of units depend on files and the program alone."""
    is_alone = not source.origin and not source.problems and not request.roots
    return executor.results_depend_on is not None and is_alone


def _read_cached_results(
    request: Request,
    executor: Executor,
    place: Place,
    meant: Sequence[Unit],
    beside: TargetUnits,
    *,
    is_whole: bool,
) -> CachedResults:
    """Return the cached results of units, which also depend on those ``beside`` them.

    ``is_whole`` means that the run has a single unit.
    """
    examined, _ = without_set_aside(request, place.side, meant, place.paths)
    asked = dict(zip(requested_units(request, examined), examined, strict=True))
    whole = (
        request.flags,
        request.kubernetes_version,
        request.api_versions,
        request.sets_aside,
        request.is_listed,
        request.accepted,
        request.units,
        request.own,
        is_whole,
    )
    depends_on = (*(executor.results_depend_on or ()), *whole)
    cached = read_results(place.side, asked, place.paths, depends_on, beside.others)
    return replace(cached, found=frozenset(asked[unit] for unit in cached.found))


def _load(request: Request, found: _Discovery, unit: Unit) -> LoadedUnit | None:
    task = found.task_of(unit)
    if task is None:
        return None
    run = load_unit(request, task, found.cached.key(task.unit))
    remotes = found.place.checkout.remotes
    declared = release_units(run.input.documents, unit.declaring_cluster, found.objects, remotes)
    return replace(run, declares=declared)


def _join(request: Request, source: LiveSource, found: _Discovery, loaded: Sequence[LoadedUnit]) -> LoadedUnits:
    """Return the loaded units and the cached ones as one run."""
    side = found.place.side
    here = [
        *problems_without_unit(side.problems, _skipped_submodules(side, found.place.paths)),
        *loaded,
        *loaded_from_cache(found.cached),
    ]
    runs = join(request, here, str(source), lambda: not any(map(found.task_of, found.elsewhere)))
    notes = replace(
        runs.run_notes, assumed=notes_about_run(_assumptions(request, source, found, runs)), aside=found.aside
    )
    is_unchanged = not found.elsewhere and all(run.key for run in loaded)
    return replace(
        runs,
        run_notes=notes,
        division=tuple(sorted((unit.key, len(unit.files)) for unit in found.meant)),
        elsewhere=tuple(secrets_in(side, found.elsewhere)),
        content_key=found.cached.content_key if is_unchanged else "",
    )


def _assumptions(request: Request, source: LiveSource, found: _Discovery, runs: LoadedUnits) -> Iterator[str]:
    # Not the uncached ones alone: a second run has the same notes.
    meant = requested_units(request, found.meant)
    yield from kubectl_fallback_notes(request.flags, meant, found.known.units)
    yield from unpredicted_notes(request.flags, examined_documents(runs), source)
    applied = without_aside(request, found.place.side, found.known, found.place.paths)
    yield from missing_path_notes(request.flags, applied)
    yield from elsewhere_notes(applied)
    if any(unit.applied.gap for unit in meant):
        yield from gap_notes(found.known, without_set_aside(request, found.place.side, meant, found.place.paths)[0])
    made = (path for path in found.place.side.paths if path.endswith(JSONNET))
    yield from jsonnet_notes(made, found.place.paths, found.known, found.place.side.paths)
    yield from unlisted_notes(found.known)
    yield from source_notes(found.known)
    yield from undeclared_chart_notes(meant, found.known.units)
    yield from installation_notes(found.known.units)
    yield from assumed_helm_notes(found.place.side, meant)
    yield from circle_notes(found.known.units, found.place.side.label, runs.each)


def _skipped_submodules(side: Side, paths: Sequence[str]) -> list[SkipReason]:
    """Return a reason for each submodule below the directories that were named."""
    starts = tuple(f"{path}/" if path else "" for path in paths)
    return [SkipReason.SUBMODULE for one in side.submodules if f"{one}/".startswith(starts)]
