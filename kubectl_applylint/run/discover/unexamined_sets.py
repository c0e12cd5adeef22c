"""ApplicationSets of Argo CD whose Applications are not known, or not all of them."""

import json
import posixpath
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache, partial
from typing import Final

from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.core.name_lists import first_names
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.run.discover.revisions import Revisions
from kubectl_applylint.run.discover.set_units import name_of_set, unit_of_set
from kubectl_applylint.run.discover.unit_changes import has_objects
from kubectl_applylint.run.load.run_input import RunInput
from kubectl_applylint.run.loaded_units import LoadedUnit
from kubectl_applylint.run.sides.side import UNEXAMINED_ADVICE, Side
from kubectl_applylint.sources.render.chart_files import CHART
from kubectl_applylint.sources.text.classify import KUSTOMIZATION_FILES
from kubectl_applylint.tools.argocd.application_sets import REJECTED_SET
from kubectl_applylint.tools.argocd.application_sources import sources_of
from kubectl_applylint.tools.argocd.generators import TOO_MANY
from kubectl_applylint.units.kustomizations import resolve_reference
from kubectl_applylint.units.model import Form, Unit, object_root
from kubectl_applylint.units.pairs import Pair
from kubectl_applylint.units.reading import boolean_at, matching

_ACCEPT: Final = "accept it with incomplete: in the configuration"
_MOST_NAMED: Final = 3
_NO_SOURCE: Final = ".md"
_REJECTED_ADVICE: Final = "argocd appset generate FILE shows the error of Argo CD"


def rejected_problem(unit: Unit) -> Problem | None:
    """Return the problem of an ApplicationSet that Argo CD rejects, ``None`` for other units."""
    applied = unit.applied
    if not applied.gap.startswith(REJECTED_SET):
        return None
    return Problem(applied.reason.place, f"{unit.root}: {applied.gap}", _REJECTED_ADVICE, reason=applied.gap)


def set_problems(found: Revisions, changed: Collection[Unit]) -> Iterator[Problem]:
    """Yield the problems of a change with ApplicationSets that are not evaluated; ``changed`` are its units."""
    yield from unknown_applications(changed, found.units[1])
    yield from changed_generators(*found.units)
    yield from changed_files_of_sets(found, changed)


def runs_with_problems(
    problems: Iterable[Problem], loaded: Iterable[LoadedUnit], units: Iterable[Unit]
) -> Iterator[LoadedUnit]:
    """Yield runs with the problems of a change: those of an ApplicationSet are of one unit, all others of none.

    ``units`` are those after the change; the sets among the ``loaded`` ones are not loaded again, and what these say
    is not repeated.
    """
    runs = [(run.unit, run.input) for run in loaded if run.unit]
    known = {unit.key for unit, _ in runs}
    reported = {(unit.root, one.reason) for unit, given in runs for one in given.problems if one.reason}
    every = {object_root(name): unit_of_set(unit, name) for unit in units if (name := name_of_set(unit))}
    sets = {root: unit for root, unit in every.items() if unit.key not in known}
    groups: dict[str, list[Problem]] = defaultdict(list)
    for problem in problems:
        if (problem.subject, problem.reason) not in reported:
            groups[problem.subject if problem.subject in sets else ""].append(problem)
    for root, found in groups.items():
        place = sets[root].place if root else ()
        yield LoadedUnit(sets.get(root), RunInput(problems=tuple(found)), place=place)


def unknown_applications(changed: Iterable[Unit], units: Iterable[Unit]) -> Iterator[Problem]:
    """Yield a problem for each ApplicationSet of ``changed`` units that generates more Applications than are known."""
    applied = [unit.applied for unit in changed]
    generators = {(one.cluster, one.generated_by) for one in applied if one.generated_by}
    for one in (unit.applied for unit in units):
        if one.gap == TOO_MANY and (one.cluster, one.declared_by) in generators:
            message = f"{one.reason.text} may change other Applications, which are not rendered: {one.gap}"
            subject = object_root(one.declared_by) if one.declared_by else ""
            yield Problem(one.reason.place, message, UNEXAMINED_ADVICE, reason=one.gap, subject=subject)


def changed_generators(before: Iterable[Unit], after: Iterable[Unit]) -> Iterator[Problem]:
    """Yield a problem for each ApplicationSet with other settings of a generator that is not evaluated."""
    earlier_units, later_units = tuple(before), tuple(after)
    yield from _changed_revisions(earlier_units, later_units)
    was, now = (_generators_of_sets(units) for units in (earlier_units, later_units))
    for name in was.keys() & now.keys():
        (earlier, _), (later, unit) = was[name], now[name]
        # One that is only in one revision has Applications of its own.
        if earlier - later and later - earlier:
            names = ", ".join(sorted({kind for each in earlier ^ later for kind, _ in json.loads(each)}))
            message = f"{unit.applied.reason.text}: a generator changed that is not evaluated ({names})"
            advice = f"check which Applications it generates, or {_ACCEPT}"
            yield Problem(unit.applied.reason.place, message, advice, subject=object_root(name[1]))


def _changed_revisions(before: Iterable[Unit], after: Iterable[Unit]) -> Iterator[Problem]:
    """Yield a problem for each ApplicationSet whose git generators read another branch, which may have other files."""
    was, now = ({_set_of(unit): unit for unit in units if _set_of(unit)} for units in (before, after))
    for name in was.keys() & now.keys():
        earlier, later = (unit.applied for unit in (was[name], now[name]))
        if earlier.generator_revisions != later.generator_revisions:
            both = (", ".join(one.generator_revisions) or "this revision" for one in (earlier, later))
            message = f"{later.reason.text}: its generators read {' instead of '.join(reversed([*both]))}"
            message += ", and only the files here are examined"
            advice = f"check which Applications it generates, or {_ACCEPT}"
            subject = object_root(later.generated_by) if later.generated_by else ""
            yield Problem(later.reason.place, message, advice, subject=subject)


def _generators_of_sets(units: Iterable[Unit]) -> Mapping[tuple[str, ObjectRef], tuple[set[str], Unit]]:
    """Return the generators of each set whose parameters are not known, and a unit of it."""
    found: dict[tuple[str, ObjectRef], tuple[set[str], Unit]] = {}
    for unit in units:
        if name := name_of_set(unit):
            generators, _ = found.setdefault((unit.applied.cluster, name), (set(), unit))
            generators.update(filter(None, [unit.applied.unknown_generators]))
    return found


def changed_files_of_sets(found: Revisions, changed: Collection[Unit]) -> Iterator[Problem]:
    """Yield a problem for each ApplicationSet that is not evaluated, and that changed files may be for.

    Files that a unit applies are examined with that. Sets that are among the ``changed`` units have a problem anyway.
    """
    keys = {unit.key for unit in changed}
    paths = [path for path in sorted(found.differ) if not path.endswith(_NO_SOURCE) and _is_in(path, found.names)]
    is_examined = cache(partial(_is_examined, found))
    for unit in found.units[1]:
        if not unit.applied.unknown_files or unit.key in keys:
            continue
        every = frozenset().union(*(matching(pattern, paths) for pattern in unit.applied.unknown_files))
        named = sorted(path for path in every if not is_examined(path))
        if named:
            applied = unit.applied
            files = f"may apply changed files ({first_names(named, _MOST_NAMED)})"
            message = f"{applied.reason.text} {files}, and its Applications are not known: {applied.gap}"
            yield Problem(applied.reason.place, message, UNEXAMINED_ADVICE, subject=unit.root)


def _is_in(path: str, names: Collection[str]) -> bool:
    return any(not name or path == name or path.startswith(f"{name}/") for name in names)


def _is_examined(found: Revisions, path: str) -> bool:
    """Return whether a unit is rendered from a file, or the file has an object of a unit."""
    return any(
        path in unit.files and unit.applied.applies_objects and _is_read(side, unit, path)
        for side, units in zip(found.sides, found.units, strict=True)
        for unit in units
    )


def _is_read(side: Side, unit: Unit, path: str) -> bool:
    if unit.form in (Form.FOLDER, Form.FILE):
        return has_objects(side, replace(unit, files=frozenset((path,))))
    if unit.applied.tool != Applier.ARGOCD or unit.form is not Form.RELEASE:
        return True
    sources = [one for one in sources_of(unit.applied.tool_object or {}) if one.path]
    folders = {resolve_reference("", one.path): boolean_at(one.options, "directory", "recurse") for one in sources}
    above = [folder for folder in folders if folder is not None and f"{path}/".startswith(f"{folder}/".lstrip("/"))]
    # Argo CD reads no subfolders of plain manifests.
    return not above or any(
        folders[folder] or posixpath.dirname(path) == folder or not side.paths.isdisjoint(_roots_in(folder))
        for folder in above
    )


def _roots_in(folder: str) -> Iterator[str]:
    """Yield the paths of files that make a folder more than plain manifests."""
    yield from (posixpath.join(folder, name) for name in (CHART, *KUSTOMIZATION_FILES))


def without_uncertain_applications(
    pairs: Iterable[Pair], before: Iterable[Unit], after: Iterable[Unit]
) -> Iterator[Pair]:
    """Yield pairs, without Applications of sets that are only in one revision, and that the other one may have.

    That is so if generators are not evaluated there which are evaluated in the revision with the Application, or which
    it does not have. The unit of such a generator is a problem of the change.
    """
    unknown = (_unknown_generators(before), _unknown_generators(after))
    for pair in pairs:
        one = next((unit for unit in pair if unit), None)
        own, other = unknown if pair[0] else reversed(unknown)
        name = _set_of(one) if one and None in pair and not one.applied.gap else None
        if not name or other[name] <= own[name]:
            yield pair


def _set_of(unit: Unit) -> object:
    """Return the set that generates an Application, ``None`` for other units."""
    applied = unit.applied
    return (applied.cluster, applied.generated_by) if applied.generated_by else None


def _unknown_generators(units: Iterable[Unit]) -> Mapping[object, set[str]]:
    """Return why Applications of sets are not known."""
    found: dict[object, set[str]] = defaultdict(set)
    for unit in units:
        applied = unit.applied
        if applied.gap and (name := name_of_set(unit)):
            found[applied.cluster, name].add(applied.gap)
    return found
