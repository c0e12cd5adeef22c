"""Discovers the units that a change touches, between two revisions of a repository or two directories."""

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain

from kubectl_applylint.core.problem import Problem, UnreadableError
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.run.cache.unit_cache import cached_units, content_of_change
from kubectl_applylint.run.compare.against import AgainstKind
from kubectl_applylint.run.compare.base import not_of_kind
from kubectl_applylint.run.compare.live_source import LiveSources
from kubectl_applylint.run.discover.applier_notes import (
    assumed_helm_notes,
    assumption_notes,
    changed_set_notes,
    elsewhere_notes,
    gap_notes,
    ineffective_chart_notes,
    installation_notes,
    jsonnet_notes,
    kubectl_fallback_notes,
    missing_path_notes,
    source_notes,
    undeclared_chart_notes,
    unpredicted_notes,
)
from kubectl_applylint.run.discover.changed_releases import changed_releases, reached_pairs
from kubectl_applylint.run.discover.circles import circle_notes
from kubectl_applylint.run.discover.discovery import DiscoveredUnits, UnknownPathError
from kubectl_applylint.run.discover.joining import (
    examined_documents,
    join,
    named_units,
    notes_about_run,
    reject_unknown_roots,
    requested_units,
    without_aside,
    without_set_aside,
)
from kubectl_applylint.run.discover.other_secrets import secrets_of_pairs
from kubectl_applylint.run.discover.revisions import Revisions
from kubectl_applylint.run.discover.set_units import sets_without_changes
from kubectl_applylint.run.discover.unexamined_sets import (
    runs_with_problems,
    set_problems,
    without_uncertain_applications,
)
from kubectl_applylint.run.discover.unit_changes import changed_pairs, pair_moved_units
from kubectl_applylint.run.discover.unit_tasks import UnitTask, tasks_of_change
from kubectl_applylint.run.execute import Executor
from kubectl_applylint.run.load.load_unit import load_unit
from kubectl_applylint.run.loaded_units import LoadedUnit, LoadedUnits
from kubectl_applylint.run.request import Request
from kubectl_applylint.run.sides import renders, sides
from kubectl_applylint.run.sides.failed_renders import FoundSide, Keep, find_units, units_of_both
from kubectl_applylint.run.sides.places import Place, checkout_of
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.run.sides.units_of import Declarations, declarations, units_of
from kubectl_applylint.run.sides.work_tree import not_checked_out, touched_submodules, uncompared_submodules
from kubectl_applylint.sources.git import git, revision
from kubectl_applylint.sources.git.git import Repository
from kubectl_applylint.sources.git.revision import RevisionPair
from kubectl_applylint.sources.system.displayed_path import displayed_path
from kubectl_applylint.units.accepted import AcceptedGap, without_new_entries
from kubectl_applylint.units.finder import FoundUnits
from kubectl_applylint.units.model import Unit
from kubectl_applylint.units.pairs import Pair
from kubectl_applylint.units.remotes import Checkout


@dataclass(frozen=True, slots=True)
class _ChangedUnits:
    """The units that a change touches."""

    revisions: Revisions
    order: tuple[Pair, ...]
    """The pairs of all shards."""
    pairs: tuple[Pair, ...]
    """The pairs that this shard examines."""
    problems: tuple[Problem, ...]
    """The problems of reading both sides."""

    @property
    def elsewhere(self) -> tuple[Pair, ...]:
        """The pairs that other shards examine."""
        mine = frozenset(self.pairs)
        return tuple(pair for pair in self.order if pair not in mine)

    @property
    def changed(self) -> list[Unit]:
        """The units of both sides."""
        return list(filter(None, chain.from_iterable(self.order)))


def discover(request: Request, sources: LiveSources, executor: Executor) -> DiscoveredUnits[UnitTask]:
    """Return the units that differ between the sides of a change; ``sources`` are not read."""
    revisions, problems = revisions_of(request, executor.place)
    accepted = without_new_entries(request.accepted, _accepted_before(request, revisions.before))
    request = replace(request, accepted=accepted)
    reject_unknown_roots(request, [*chain.from_iterable(revisions.units)])
    before, after = (
        without_set_aside(request, side, units, revisions.names)[0]
        for side, units in zip(revisions.sides, revisions.units, strict=True)
    )
    revisions = replace(revisions, units=(before, after), is_whole=request.renders)
    pairs = without_uncertain_applications(changed_pairs(revisions), before, after)
    order = tuple(pair_moved_units(revisions, tuple(pairs)))
    changed = [*filter(None, chain.from_iterable(order))]
    unknown = set_problems(revisions, changed)
    found = _ChangedUnits(revisions, order, executor.share.pairs(order), (*problems, *unknown))
    return DiscoveredUnits(
        tasks_of_change(revisions, found.pairs, order),
        partial(load_unit, request),
        partial(_join, request, found),
        declared_by=partial(_declared_tasks, request, found),
    )


def revisions_of(request: Request, place: Place | None = None) -> tuple[Revisions, tuple[Problem, ...]]:
    """Return the two sides of a request with all their units, and the problems of reading them.

    ``place`` is the work tree, if it is known.
    """
    return _directories(request) if request.against.kind is AgainstKind.DIR else _revisions(request, place)


def _declared_tasks(request: Request, found: _ChangedUnits, runs: Sequence[LoadedUnit]) -> Iterator[UnitTask]:
    """Yield the changed releases among the objects of loaded units."""
    units = {run.unit for run in runs}
    loaded = [pair for pair in found.pairs if not units.isdisjoint(pair)]
    reached = reached_pairs(found.revisions, frozenset(found.order)) if loaded else ()
    changed = changed_releases(found.revisions, [*loaded, *reached])
    pairs = [_with_render_options(request, pair) for pair in changed if _is_named(request, pair)]
    yield from tasks_of_change(found.revisions, pairs, pairs, found.order)


def _is_named(request: Request, pair: Pair) -> bool:
    return bool(named_units(request.roots, filter(None, pair)))


def _with_render_options(request: Request, pair: Pair) -> Pair:
    before, after = (
        renders.with_render_options([unit], "", request.kubernetes_version, request.api_versions)[0] if unit else None
        for unit in pair
    )
    return before, after


def _accepted_before(request: Request, before: Side) -> Iterator[AcceptedGap]:
    """Yield the accepted gaps in the configuration of the earlier revision."""
    names = sorted({one.file for one in request.accepted if one.file})
    top = git.repository(os.curdir) if names else None
    for file in names:
        path = top.path_of(file) if isinstance(top, Repository) else None
        if path in before.paths:
            yield from request.accepted_in(before.content(path), file)


def _directories(request: Request) -> tuple[Revisions, tuple[Problem, ...]]:
    """Return the two directories of a request, and the problems of reading them."""
    argument = request.against.argument
    if not os.path.isdir(argument):
        raise UnreadableError(not_of_kind("directory", argument))
    before, after = sides.of_folder(argument), sides.of_folder(request.files[0])
    differ = sides.differing(before, after)
    find = partial(units_of, entries=request.units, checkout=Checkout(own=request.own))
    earlier, later = units_of_both(find_units(before, find), find_units(after, find), differ)
    units = (requested_units(request, earlier.units), requested_units(request, later.units))
    problems = (*before.problems, *after.problems)
    return Revisions(before, after, differ, units, later=later, earlier=earlier), problems


def _revisions(request: Request, place: Place | None) -> tuple[Revisions, tuple[Problem, ...]]:
    """Return the two revisions of a request, and the submodules that are not compared."""
    repo = place.repository if place and place.repository else git.repository(os.curdir)
    if isinstance(repo, Problem):
        raise UnreadableError(repo)
    found = revision.revision_pair(repo, revision.parse(request.against.argument))
    if isinstance(found, Problem):
        raise UnreadableError(found)
    names = [repo.path_of(os.path.realpath(one) if os.path.isdir(one) else one) for one in request.files or [os.curdir]]
    inside = tuple(name for name in names if name is not None)
    read = partial(_earlier_revision, request, repo, found, inside)
    earlier = place.once((found, inside), read) if place and not (found.head or found.base.is_index) else read()
    before, modes = earlier.side, earlier.modes
    if found.head:
        after = sides.of_revision(repo, found.head, partial(displayed_path, repo.root))
    else:
        after = place.side if place else sides.of_work_tree(repo, absent=not_checked_out(repo, {*modes, *inside}))
    _reject_unknown_paths(request.files, names, before.paths | after.paths, found.base.short)
    new = (after.paths - before.paths) if found.head is None else frozenset()
    differ = _with_links(_with_edited(frozenset(modes) | new, before, after), (before, after))

    def find(side: Side) -> FoundUnits:
        same = {path: documents for path, documents in earlier.declared().items() if path not in differ}
        return units_of(side, request.units, earlier.checkout, repo.path_of, declarations(side, same))

    if found.head:
        content: Iterable[object] = filter(None, [found.head.id])
    else:
        content = content_of_change(found.base.id, before, after, differ)
    cached = _find_or_load(content, _dependencies(request, earlier.checkout))
    was, now = units_of_both(earlier.found, find_units(after, find, cached), differ)
    units = (requested_units(request, was.units), requested_units(request, now.units))
    both = Revisions(
        *(before, after, differ, units, earlier.checkout, now, was),
        names=inside,
        side_of=before.find_revision,
    )
    return both, uncompared_submodules(earlier.submodules)


@dataclass(frozen=True, slots=True)
class _EarlierRevision:
    """The earlier side of a change with its units, and what git reports about the change."""

    side: Side
    declared: Callable[[], Declarations] = field(repr=False)
    """Returns the declarations in its files, by path."""
    found: FoundSide
    """Its units."""
    checkout: Checkout
    modes: Mapping[str, frozenset[str]] = field(repr=False)
    """The old and new modes of the files that may differ, by path."""
    submodules: tuple[str, ...]
    """The changed submodules."""


def _earlier_revision(
    request: Request, repo: Repository, pair: RevisionPair, inside: Sequence[str]
) -> _EarlierRevision:
    """Return the earlier side of a change; ``inside`` are the examined paths."""
    before = sides.of_revision(repo, pair.base, partial(_revision_label, pair.base.short))
    modes = git.changed_paths(repo, pair.base, pair.head)
    moved = touched_submodules(repo, git.tree(repo, pair.base).entries, inside) if pair.head is None else ()
    modules = sorted({path for path, kinds in modes.items() if git.SUBMODULE in kinds}.union(moved))
    checkout = checkout_of(repo, *request.against.argument.split(".."), own=request.own)
    known: list[Declarations] = []

    def find(side: Side) -> FoundUnits:
        known.append(declarations(side))
        return units_of(side, request.units, checkout, repo.path_of, known[0])

    def earlier_declarations() -> Declarations:
        if not known:
            known.append(declarations(before))
        return known[0]

    cached = _find_or_load(filter(None, [pair.base.id]), _dependencies(request, checkout))
    found = find_units(before, find, cached)
    return _EarlierRevision(before, earlier_declarations, found, checkout, modes, tuple(modules))


def _find_or_load(content: Iterable[object], depends_on: Iterable[object]) -> Keep:
    """Return a function that finds units or returns cached ones; see ``cached_units``."""
    return lambda side, find: cached_units(side, content, depends_on, find)


def _dependencies(request: Request, checkout: Checkout) -> Iterator[object]:
    """Yield the values that the units of a revision depend on, besides its files."""
    yield from (request.units, checkout.remotes, checkout.own, frozenset(checkout.branches()))


def _with_edited(differ: frozenset[str], before: Side, after: Side) -> frozenset[str]:
    """Return paths that differ on the disk, with the edited files that differ, and without the others."""
    edited = frozenset(path for path in after.edited if before.content(path) != after.content(path))
    return (differ - after.edited) | edited


def _with_links(differ: frozenset[str], both: Iterable[Side]) -> frozenset[str]:
    """Return paths that differ, with the symlinks that lead to one of them."""
    return differ.union(path for side in both for path, end in side.link_ends.items() if end in differ)


def _reject_unknown_paths(files: Sequence[str], names: Sequence[str | None], paths: Collection[str], base: str) -> None:
    """Raise ``UnknownPathError`` for a path that exists in no revision and not on disk: it may be misspelled."""
    for file, name in zip(files, names, strict=False):
        if name and not os.path.lexists(file) and not any(f"{path}/".startswith(f"{name}/") for path in paths):
            raise UnknownPathError(f'the path "{file}" exists neither here nor in {base}: check the spelling')


def _revision_label(name: str, path: str) -> str:
    return f"{name}:{path}"


def _join(request: Request, found: _ChangedUnits, loaded: Sequence[LoadedUnit]) -> LoadedUnits:
    """Return the loaded units as one run."""
    revisions, order = found.revisions, found.order
    others = (task for pair in found.elsewhere for task in tasks_of_change(revisions, [pair], order))
    problems = [*runs_with_problems(found.problems, loaded, revisions.units[1])]
    here = [*problems, *loaded, *sets_without_changes((*problems, *loaded), found.changed)]
    runs = join(request, here, revisions.before.name, lambda: next(others, None) is None)
    notes = replace(runs.run_notes, assumed=notes_about_run(_assumptions(request, found, runs)))
    division = _division(request, found)
    secrets = tuple(secrets_of_pairs(revisions, found.elsewhere))
    return replace(runs, run_notes=notes, division=division, elsewhere=secrets)


def _assumptions(request: Request, found: _ChangedUnits, runs: LoadedUnits) -> Iterator[str]:
    revisions = found.revisions
    known = None if request.roots else chain.from_iterable(revisions.units)
    yield from assumption_notes(request.flags, found.changed)
    yield from kubectl_fallback_notes(request.flags, found.changed, known)
    yield from unpredicted_notes(request.flags, examined_documents(runs))
    applied = without_aside(request, revisions.after, revisions.later, revisions.names)
    yield from missing_path_notes(request.flags, applied)
    yield from elsewhere_notes(applied)
    yield from _unknown_applies(request, found, applied)
    yield from jsonnet_notes(revisions.differ, revisions.names, revisions.later, revisions.after.paths)
    yield from source_notes(revisions.later)
    yield from undeclared_chart_notes(found.changed, revisions.later.units)
    with_objects = {run.unit for run in runs.each}
    rest = (later for _, later in found.pairs if later and later not in with_objects)
    yield from ineffective_chart_notes(rest, revisions.differ)
    yield from installation_notes(revisions.later.units)
    yield from assumed_helm_notes(revisions.after, found.changed)
    yield from circle_notes(revisions.later.units, revisions.after.label, runs.each)
    yield from changed_set_notes(revisions.earlier, revisions.later)


def _unknown_applies(request: Request, found: _ChangedUnits, applied: FoundUnits) -> Iterator[str]:
    """Yield a line with the unchanged objects whose applies are not known: the change may edit what they apply."""
    changed = {unit.key for unit in found.changed}
    if all(unit.key in changed for unit in applied.units if unit.applied.gap):
        return
    examined, _ = without_set_aside(request, found.revisions.after, applied.units, found.revisions.names)
    yield from gap_notes(applied, (unit for unit in examined if unit.key not in changed))


def _division(request: Request, found: _ChangedUnits) -> tuple[object, ...]:
    """Return the values that must be equal in all shards: the revisions, the units, and the files that differ."""
    # Directories may have another path on each machine; names of revisions contain their commits.
    is_git = request.against.kind is AgainstKind.GIT
    names = [side.name for side in found.revisions.sides] if is_git else []
    keys = [tuple(unit and unit.key for unit in pair) for pair in found.order]
    files = frozenset(chain.from_iterable(unit.files for unit in found.changed))
    return (*names, *keys, *sorted(found.revisions.differ & files))
