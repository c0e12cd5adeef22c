"""The applies of a request: one for what the caller names as kubectl does, or else one for each unit."""

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, filterfalse
from operator import attrgetter
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.problem import Problem, Unreadable
from kubectl_applylint.core.records import replace
from kubectl_applylint.run import assemble, renders, sides
from kubectl_applylint.run.accepted import with_accepted
from kubectl_applylint.run.against import AgainstKind
from kubectl_applylint.run.assemble import RunRequest
from kubectl_applylint.run.base import not_of_kind
from kubectl_applylint.run.files import RunInput
from kubectl_applylint.run.kept_results import NOTHING_KEPT, KeptResults, kept_results
from kubectl_applylint.run.live_source import LiveSource
from kubectl_applylint.run.notes import Gaps, joined
from kubectl_applylint.run.places import Place, checkout_of, place_of
from kubectl_applylint.run.same_target import has_beside
from kubectl_applylint.run.sides import Side
from kubectl_applylint.run.told_units import Sharing, kept_runs, runs_over
from kubectl_applylint.run.unit_appliers import applied_elsewhere, assumed, astray, edited, left_out, left_to_kubectl
from kubectl_applylint.run.unit_changes import Revisions, holds_objects, touched, with_moved
from kubectl_applylint.run.unit_inputs import earlier_input_of, input_of
from kubectl_applylint.run.unit_notes import RunNotes, UnitNote
from kubectl_applylint.run.unit_run import Runs, UnitRun
from kubectl_applylint.run.unit_shards import mine_of, pairs_in_shard, secrets_in, secrets_of
from kubectl_applylint.run.unit_tasks import (
    UnitTask,
    asked_of,
    chosen,
    meeting,
    of_change,
    parts,
    selected,
    task_maker,
)
from kubectl_applylint.run.unit_tools import one_app
from kubectl_applylint.run.units_of import declarations, units_of
from kubectl_applylint.run.worktree import not_checked_out, touched_submodules, uncompared_submodules
from kubectl_applylint.sources.git import git, revision
from kubectl_applylint.sources.git.git import Repository
from kubectl_applylint.sources.render import network
from kubectl_applylint.sources.system.contents import CHART, STDIN
from kubectl_applylint.sources.system.timing import timed
from kubectl_applylint.sources.text.classify import SkipReason
from kubectl_applylint.units.accepted import AcceptedGap, without_new_entries
from kubectl_applylint.units.model import Form, Unit
from kubectl_applylint.units.reading import named_by
from kubectl_applylint.units.set_aside import set_aside

COMPARED: Final = (AgainstKind.GIT, AgainstKind.DIR)
"""What is compared unit by unit; everything else is one state that all units meet."""


class UnknownRoot(ValueError):
    """No unit has a root that was asked for; the text says which."""


class UnknownPath(ValueError):
    """Neither revision of a change has a path that was named; the text says which."""


def is_by_units(request: RunRequest) -> bool:
    """Tell whether a request is about the units that a repository means, and not about one apply that it names.

    ``-f`` and ``-k`` name what kubectl applies. So do flags that make no sense but for one apply, and what is no file
    or folder: standard input, a chart, a pattern, an address.
    """
    if request.is_one_apply or request.named or request.flags.policy or request.flags.selector or request.flags.sync:
        return False
    if request.against.kind is AgainstKind.DIR:
        return len(request.files) == 1 and os.path.isdir(request.files[0])
    if request.against.kind is AgainstKind.GIT:
        return ":" not in request.against.argument and all(map(_is_path, request.files))
    is_asked = request.against.kind not in (AgainstKind.FILE, AgainstKind.LAST_APPLIED)
    return is_asked and bool(request.files) and all(map(_is_there, request.files))


def _is_path(name: str) -> bool:
    return name != STDIN and not name.startswith(CHART) and "://" not in name


def _is_there(name: str) -> bool:
    return _is_path(name) and os.path.lexists(name)


def runs_of(request: RunRequest, source: LiveSource, sharing: Sharing | None = None) -> Runs:
    """Return the applies of a request; ``sharing`` is how units may be judged at once, if a report needs no more.

    Raises ``Unreadable`` where what they are compared with cannot be read, ``UnknownPath`` for a path that no side
    has, ``UnknownRoot`` where no unit has a root that was asked for.
    """
    if not is_by_units(request):
        found = assemble.assemble(request, source)
        return Runs((UnitRun(None, found),), RunNotes(own=_about_run(found.notes)), found.origin)
    try:
        return _compared(request) if request.against.kind in COMPARED else _met(request, source, sharing)
    except git.GitError as fault:
        raise Unreadable(fault.problem) from fault


def _met(request: RunRequest, source: LiveSource, sharing: Sharing | None) -> Runs:
    """Return the applies that all meet the same state."""
    place = request.place or place_of(request.files, request.units)
    side, paths = place.side, place.paths
    found = place.found(request.units)
    known = found.units
    meant = selected(side, known, paths)
    mine = mine_of(request.shard, request.keys, meant, request.timings)
    is_static = _is_static(request, source)
    asked = list(filter(mine, meant))
    kept = _kept(request, place, asked, known, is_alone=len(meant) == 1) if is_static else NOTHING_KEPT
    rest = parts(side, [unit for unit in asked_of(request.roots, meant) if unit not in kept.found], meant, paths)
    every = _as_asked(request, filter(mine, rest))
    _refuse_unknown_roots(request, [*_as_asked(request, rest), *kept.found])
    units, aside = _parted(request, side, every, paths)
    one_app(request.flags, units)
    source_of = partial(_source_of, request, source)
    task_of = task_maker(side, paths, source_of, meeting(side, known, meant))
    elsewhere = _parted(request, side, _as_asked(request, filterfalse(mine, rest)), paths)[0]
    renders.prepare((side, unit) for unit in units)
    run_of = partial(_run_of_unit, request, task_of, kept)
    examined = runs_over(side, units, run_of, sharing if is_static else None)
    new = list(examined)
    here = [*_of_no_unit(side.problems, _submodules(side, paths)), *new, *kept_runs(kept)]
    runs = _joined(request, here, filter(None, map(task_of, elsewhere)), str(source))
    plain = left_to_kubectl(request.flags, rest, known)
    lost = (*astray(request.flags, side, place.checkout), *applied_elsewhere(found))
    goes_by = _about_run([*plain, *left_out(request.flags, _examined(runs), source), *lost])
    said = replace(runs.said, assumed=goes_by, aside=aside)
    division = tuple(sorted((unit.key, len(unit.files)) for unit in meant))
    content_key = kept.content_key if not elsewhere and all(run.key for run in new) else ""
    secrets = tuple(secrets_in(side, elsewhere))
    return replace(runs, said=said, division=division, elsewhere=secrets, content_key=content_key)


def _source_of(request: RunRequest, source: LiveSource, unit: Unit) -> LiveSource:
    return request.source_of(dict(unit.applied.options), source)


def _is_static(request: RunRequest, source: LiveSource) -> bool:
    """Tell whether the results of units depend on nothing but files and the program."""
    is_alone = not source.origin and not source.problems and not request.roots and not network.is_allowed()
    return request.results_depend_on is not None and is_alone


def _kept(
    request: RunRequest, place: Place, units: Sequence[Unit], known: Sequence[Unit], *, is_alone: bool
) -> KeptResults:
    """Return the results of units that are kept; those of units that meet others depend on these."""
    alone = [unit for unit in units if not has_beside(unit, known)]
    asked, _ = _parted(request, place.side, _as_asked(request, alone), place.paths)
    whole = (
        request.flags,
        request.kubernetes_version,
        request.sets_aside,
        request.is_listed,
        request.accepted,
        request.units,
        is_alone,
    )
    return kept_results(place.side, asked, place.paths, (*(request.results_depend_on or ()), *whole))


def _run_of_unit(
    request: RunRequest, task_of: Callable[[Unit], UnitTask | None], kept: KeptResults, unit: Unit
) -> UnitRun | None:
    task = task_of(unit)
    return _run_of(request, task, kept.key(task.unit)) if task else None


def _parted(
    request: RunRequest, side: Side, units: Sequence[Unit], names: Collection[str]
) -> tuple[tuple[Unit, ...], tuple[str, ...]]:
    """Return the units to look at, and why each of the others is passed over."""
    reasons = set_aside(units, side.paths, names) if request.sets_aside else [""] * len(units)
    kept = (unit for unit, reason in zip(units, reasons, strict=True) if not reason)
    return tuple(kept), tuple(filter(None, reasons))


def listed(request: RunRequest) -> tuple[Unit, ...]:
    """Return the units that files and folders stand for; without any, those of the repository.

    Folders and files that name no object are left out.
    """
    place = place_of(request.files or (os.curdir,), request.units)
    side = place.side
    found = chosen(side, place.units(request.units), place.paths if request.files else ("",))
    return tuple(unit for unit in found if unit.form not in (Form.FOLDER, Form.FILE) or holds_objects(side, unit))


def _compared(request: RunRequest) -> Runs:
    """Return the applies that a change touches."""
    found, unread = _in_folders(request) if request.against.kind is AgainstKind.DIR else _in_git(request)
    request = replace(request, accepted=without_new_entries(request.accepted, _accepted_before(request, found.before)))
    _refuse_unknown_roots(request, [*chain.from_iterable(found.units)])
    both = zip(found.sides, found.units, strict=True)
    before, after = (_parted(request, side, units, found.names)[0] for side, units in both)
    found = replace(found, units=(before, after))
    order = tuple(with_moved(found, tuple(touched(found))))
    pairs = pairs_in_shard(request.shard, order, request.timings)
    mine = frozenset(pairs)
    rest = [pair for pair in order if pair not in mine]
    others = chain.from_iterable(of_change(found, [pair], order) for pair in rest)
    examined = (_run_of(request, task) for task in of_change(found, pairs, order))
    runs = _joined(request, [*_of_no_unit(unread), *examined], others, found.before.name)
    every = list(filter(None, chain.from_iterable(order)))
    lost = (
        *astray(request.flags, found.after, found.checkout),
        *edited(request.flags, *found.units),
        *applied_elsewhere(found.later),
    )
    known = None if request.roots else chain.from_iterable(found.units)
    told = (assumed(request.flags, every), left_to_kubectl(request.flags, every, known))
    goes_by = _about_run([*chain.from_iterable(told), *left_out(request.flags, _examined(runs)), *lost])
    notes_of_run = replace(runs.said, assumed=goes_by)
    # Directories may lie elsewhere on each machine; names of revisions have their commits.
    names = [side.name for side in found.sides if request.against.kind is AgainstKind.GIT]
    keys = [tuple(unit and unit.key for unit in pair) for pair in order]
    files = frozenset(chain.from_iterable(unit.files for pair in order for unit in pair if unit))
    division = (*names, *keys, *sorted(found.differ & files))
    return replace(runs, said=notes_of_run, division=division, elsewhere=tuple(secrets_of(found, rest)))


def _accepted_before(request: RunRequest, before: Side) -> Iterator[AcceptedGap]:
    """Yield what the untrusted configuration of the earlier revision accepts."""
    top = git.repository(os.curdir)
    for file in sorted({one.file for one in request.accepted if one.file}):
        path = top.path_of(file) if isinstance(top, Repository) else None
        if path in before.paths:
            yield from request.accepted_in(before.content(path), file)


def _of_no_unit(problems: Sequence[Problem], skipped: Sequence[SkipReason] = ()) -> Iterator[UnitRun]:
    """Yield a run of no unit with the problems and excuses that are about none, if there are any."""
    if problems or skipped:
        yield UnitRun(None, RunInput(problems=tuple(problems), gaps=Gaps(tuple(skipped))))


def _submodules(side: Side, paths: Sequence[str]) -> list[SkipReason]:
    """Return an excuse for each submodule below the folders that were named."""
    starts = tuple(f"{path}/" if path else "" for path in paths)
    return [SkipReason.SUBMODULE for one in side.submodules if f"{one}/".startswith(starts)]


def _about_run(lines: Iterable[str]) -> tuple[UnitNote, ...]:
    return tuple(UnitNote((), line) for line in lines)


def _examined(runs: Runs) -> list[tuple[Unit, Sequence[Document]]]:
    return [(run.unit, run.found.documents) for run in runs.each if run.unit]


def _in_folders(request: RunRequest) -> tuple[Revisions, tuple[Problem, ...]]:
    argument = request.against.argument
    if not os.path.isdir(argument):
        raise Unreadable(not_of_kind("directory", argument))
    before, after = sides.of_folder(argument), sides.of_folder(request.files[0])
    every = [units_of(side, request.units) for side in (before, after)]
    units = tuple(_as_asked(request, found.units) for found in every)
    differ = sides.differing(before, after)
    problems = (*before.problems, *after.problems)
    return Revisions(before, after, differ, (units[0], units[1]), later=every[1]), problems


def _as_asked(request: RunRequest, units: Iterable[Unit]) -> tuple[Unit, ...]:
    """Return the units whose roots were asked for, with the namespace and the version of the caller."""
    every = tuple(units)
    chosen_roots = named_by(request.roots, {unit.shown for unit in every})
    kept = every if not request.roots else (unit for unit in every if unit.shown in chosen_roots)
    return renders.as_asked(kept, request.flags.namespace, request.kubernetes_version)


def _refuse_unknown_roots(request: RunRequest, units: Sequence[Unit]) -> None:
    """Raise ``UnknownRoot`` where nothing has a root that was asked for: a misspelled one must not pass."""
    if request.roots and not units:
        raise UnknownRoot(f"--unit {' '.join(request.roots)}: no unit has this root; applylint units lists them")


def _in_git(request: RunRequest) -> tuple[Revisions, tuple[Problem, ...]]:
    repo = git.repository(os.curdir)
    if isinstance(repo, Problem):
        raise Unreadable(repo)
    found = revision.sides(repo, revision.parse(request.against.argument))
    if isinstance(found, Problem):
        raise Unreadable(found)
    names = [repo.path_of(os.path.realpath(one) if os.path.isdir(one) else one) for one in request.files or [os.curdir]]
    inside = tuple(name for name in names if name is not None)
    before = sides.of_revision(repo, found.base, partial(_label, found.base.short))
    modes = git.changed(repo, found.base, found.head)
    if found.head:
        after = sides.of_revision(repo, found.head, partial(_shown, repo))
    else:
        after = sides.of_work_tree(repo, absent=not_checked_out(repo, {*modes, *inside}))
    _refuse_unknown_paths(request.files, names, before.paths | after.paths, found.base.short)
    new = (after.paths - before.paths) if found.head is None else frozenset()
    touched = touched_submodules(repo, git.tree(repo, found.base).entries, inside) if found.head is None else ()
    modules = sorted({path for path, kinds in modes.items() if git.SUBMODULE in kinds}.union(touched))
    checkout = checkout_of(repo, *request.against.argument.split(".."))
    differ = _with_links(frozenset(modes) | new, (before, after))
    told = declarations(before)
    same = {path: documents for path, documents in told.items() if path not in differ}
    earlier = units_of(before, request.units, checkout, repo.path_of, told)
    later = units_of(after, request.units, checkout, repo.path_of, declarations(after, same))
    units = (_as_asked(request, earlier.units), _as_asked(request, later.units))
    return Revisions(before, after, differ, units, checkout, later, inside), uncompared_submodules(modules)


def _with_links(differ: frozenset[str], both: Iterable[Side]) -> frozenset[str]:
    """Return paths that differ, with the symlinks that lead to one of them."""
    return differ.union(path for side in both for path, end in side.ends.items() if end in differ)


def _refuse_unknown_paths(files: Sequence[str], names: Sequence[str | None], paths: Collection[str], base: str) -> None:
    """Raise ``UnknownPath`` where neither a revision nor the disk has a path: a misspelled one must not pass."""
    for file, name in zip(files, names, strict=False):
        if name and not os.path.lexists(file) and not any(f"{path}/".startswith(f"{name}/") for path in paths):
            raise UnknownPath(f'the path "{file}" exists neither here nor in {base}: check the spelling')


def _label(name: str, path: str) -> str:
    return f"{name}:{path}"


def _shown(repo: Repository, path: str) -> str:
    return os.path.relpath(os.path.join(repo.root, path))


def _joined(request: RunRequest, runs: Iterable[UnitRun], others: Iterator[UnitTask], origin: str) -> Runs:
    """Return the applies of runs; ``others`` are what other shards look at."""
    each = tuple(sorted(with_accepted(runs, request.accepted), key=attrgetter("place")))
    if len(each) == 1 and next(others, None) is None:
        each = (replace(each[0], found=replace(each[0].found, extent=assemble.extent_of(request))),)
    return Runs(each, _said(each, origin), origin)


def _run_of(request: RunRequest, task: UnitTask, key: str = "") -> UnitRun:
    found, seconds = timed(partial(input_of, request, task))
    earlier = partial(earlier_input_of, request, task)
    return UnitRun(task.unit, found, earlier, key=key, place=task.place, seconds=seconds)


def _said(each: Sequence[UnitRun], origin: str) -> RunNotes:
    compared = [
        UnitNote(run.place, f"{run.unit.shown}: compared with {run.found.origin}")
        for run in each
        if run.unit and run.found.origin not in ("", origin)
    ]
    return RunNotes(
        compared=(*_about_run([f"compared with {origin}"] if origin else []), *compared),
        own=tuple(UnitNote(run.place, note) for run in each for note in _own_notes(run.found)),
        gaps=joined([run.found.gaps for run in each]),
    )


def _own_notes(found: RunInput) -> Iterator[str]:
    shared = frozenset(found.gaps.lines)
    return (note for note in found.notes if note not in shared)
