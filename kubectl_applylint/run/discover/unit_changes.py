"""Finds the units that a change touches, and builds the comparison of each.

A comparison has the earlier objects of a unit, the later ones, and the unchanged objects as context.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.holes import HoleChange, compare_holes
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.state import Identity
from kubectl_applylint.core.values import JsonObject, equal
from kubectl_applylint.lint.relations import IndexQuery, kind_of
from kubectl_applylint.run.compare.base import Base, problems_hiding_objects
from kubectl_applylint.run.discover.declared_changes import (
    by_identity,
    followed_sources,
    is_read_by_release,
    reported_sources,
    unexamined_applies,
)
from kubectl_applylint.run.discover.deleted_declarations import deletion_finder, is_replaced
from kubectl_applylint.run.discover.differing_files import differing_files
from kubectl_applylint.run.discover.moved_applications import (
    affects_all_objects,
    has_harmless_change,
    has_other_settings,
    is_in_other_cluster,
    is_in_other_namespace,
    objects_in_namespace,
    with_moved_applications,
)
from kubectl_applylint.run.discover.nested_kustomizations import nested_kustomization
from kubectl_applylint.run.discover.other_revisions import advice_for_gap, revision_note, unread_problem, with_revisions
from kubectl_applylint.run.discover.revisions import Revisions
from kubectl_applylint.run.discover.same_problems import compare_failures, problems_only_before
from kubectl_applylint.run.discover.secret_variables import with_shared_secrets
from kubectl_applylint.run.discover.unknown_parameters import ineffective_templates
from kubectl_applylint.run.sides import renders
from kubectl_applylint.run.sides.files_apart import files_apart, split_folder
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.run.sides.unit_objects import folder_failures, manifests, read_folder
from kubectl_applylint.sources.text.classify import KAPP
from kubectl_applylint.sources.text.encrypted import with_unknown_values
from kubectl_applylint.sources.text.manifests import Input, Skipped, stops_reading
from kubectl_applylint.tools.flux.declarations import is_release, release_unit
from kubectl_applylint.units import object_names
from kubectl_applylint.units.model import Form, Unit
from kubectl_applylint.units.pairs import Pair, paired_units


@dataclass(frozen=True, slots=True)
class UnitChange:
    """One unit that a change touches, with the earlier state to compare with."""

    unit: Unit
    base: Base = field(repr=False)
    earlier: Unit | None = None
    """The unit before the change, ``None`` if it did not exist."""
    is_gone: bool = False
    """Whether the unit no longer exists."""


def changes(found: Revisions, pairs: Sequence[Pair]) -> Iterator[UnitChange]:
    """Yield the units that a change touches (``pair_moved_units``), by their roots."""
    rendered = (pair for pair in pairs if not _has_same_objects(found, *pair))
    renders.prepare(both for pair in rendered for both in zip(found.sides_of(pair), pair, strict=True))
    for earlier, later in pairs:
        unit = later or earlier
        if unit is None:
            continue
        if _has_same_objects(found, earlier, later):
            yield UnitChange(unit, Base(found.before.name, Input(), later=lambda *_: Input()), earlier)
            continue
        if later and not later.applied.applies_objects:
            yield UnitChange(later, _unexamined_base(found, earlier, later), earlier)
            continue
        is_whole = affects_all_objects(earlier, later)
        whole = replace(found, differ=found.before.paths | found.after.paths) if is_whole else found
        base = _base_of_unit(whole, earlier, later, keeps_unchanged=is_whole)
        has_objects = any(replace(one, remarks=()) != Input() for one in (base.given, base.later([], False, bytes)))
        is_changed = has_harmless_change(earlier, later) or has_other_settings(earlier, later)
        if has_objects or (unit.applied.declared_by and is_changed):
            base = _whole_base_of_unit(found, earlier, later) if found.is_whole else base
            yield UnitChange(unit, base, earlier, is_gone=later is None)
        elif problems := tuple(ineffective_templates(found, later)):
            yield UnitChange(unit, replace(base, lacking=(*base.lacking, *problems)), earlier)


def _unexamined_base(found: Revisions, earlier: Unit | None, later: Unit) -> Base:
    """Return the comparison of a changed unit that is suspended or applies other files: without objects.

    That other files are applied than before is a problem of the change.
    """
    applied = later.applied
    is_problem = applied.gap and not applied.is_suspended and has_other_settings(earlier, later)
    message = f"{later.root} changed, and the objects that it applies are not rendered: {applied.gap}"
    advice = advice_for_gap(applied)
    problems = (Problem(applied.reason.place, message, advice, reason=applied.gap),) if is_problem else ()
    return Base(found.before.name, Input(), later=lambda names, recursive, stdin: Input(problems=problems))


def pair_moved_units(found: Revisions, pairs: Sequence[Pair]) -> Iterator[Pair]:
    """Yield the pairs of ``changed_pairs``, with a removed and a new unit as one if most of their objects are the same.

    Both must have the same target, since copies of an environment also have the same objects.
    """
    moved = _former_units(found, pairs)
    origins = frozenset(moved.values())
    for earlier, later in pairs:
        if later in moved:
            yield (moved[later], later)
        elif later or earlier not in origins:
            yield (earlier, later)


def _former_units(found: Revisions, pairs: Sequence[Pair]) -> Mapping[Unit | None, Unit]:
    """Return the removed unit that each new unit was moved from."""
    gone = {
        earlier: names
        for earlier, later in pairs
        if not later and earlier and (names := _identities(found, earlier, 0))
    }
    moved: dict[Unit | None, Unit] = {}
    is_deleted = deletion_finder(found)
    for earlier, later in pairs:
        if later is None or not gone or (earlier and (earlier.form is later.form or _identities(found, earlier, 0))):
            continue
        names = _identities(found, later, 1)
        alike = [one for one in gone if _is_moved(one, later) and _are_mostly_equal(names, gone[one])]
        alike = [one for one in alike if not is_replaced(one, later, is_deleted)]
        if alike:
            moved[later] = max(alike, key=lambda one: len(names & gone[one]))
            del gone[moved[later]]
    return moved


def _identities(found: Revisions, unit: Unit, side: int) -> frozenset[Identity]:
    return frozenset(one.ref.identity for one in _objects(found.sides[side], unit, found.differ).documents)


def _is_moved(was: Unit, now: Unit) -> bool:
    return len({(one.form, one.applied.tool, one.applied.namespace, one.applied.target) for one in (was, now)}) == 1


def _are_mostly_equal(names: frozenset[Identity], others: frozenset[Identity]) -> bool:
    return 2 * len(names & others) > max(len(names), len(others))


def changed_pairs(found: Revisions) -> Iterator[Pair]:
    """Yield the units with changed files or another declaring object, sorted by root."""
    is_deleted = deletion_finder(found)
    for before, after in with_moved_applications([*paired_units(*found.units)]):
        earlier = before or (after and nested_kustomization(after, found.before, found.units[0]))
        later = after or (before and nested_kustomization(before, found.after, found.units[1]))
        both = [unit for unit in (earlier, later) if unit]
        is_apart = before is not None and after is not None and is_replaced(before, after, is_deleted)
        is_other = has_other_settings(earlier, later)
        is_same = not is_apart and _has_same_files(found, earlier, later) and not is_other
        is_examined = any(map(found.has, both)) or ((is_other or is_apart) and found.declares((earlier, later)))
        if (is_same and not has_harmless_change(earlier, later)) or not is_examined:
            continue
        if is_same:
            yield (earlier, later)
            continue
        earlier, later = with_revisions((earlier, later), found.side_of)
        if is_apart or (earlier and later and is_in_other_cluster(earlier, later)):
            yield from ((earlier, None), (None, later))
        elif any(unit and unit.form is Form.FOLDER for unit in (earlier, later)) and not affects_all_objects(
            earlier, later
        ):
            yield from _folder_pairs(found, earlier, later)
        else:
            yield (earlier, later)


def _has_same_objects(found: Revisions, earlier: Unit | None, later: Unit | None) -> bool:
    """Return whether the declaring object changed without any effect on the objects, whose files are the same."""
    is_harmless = has_harmless_change(earlier, later) and not has_other_settings(earlier, later)
    return is_harmless and _has_same_files(found, earlier, later)


def _has_same_files(found: Revisions, earlier: Unit | None, later: Unit | None) -> bool:
    both = zip(found.sides_of((earlier, later)), (earlier, later), strict=True)
    return not any(unit and differing_files(side, unit, found.differ) for side, unit in both)


def _folder_pairs(found: Revisions, earlier: Unit | None, later: Unit | None) -> Iterator[Pair]:
    """Yield a folder and those of its files that are separate units, if they differ."""
    units = (earlier, later)
    every = files_apart(tuple(zip(found.sides, units, strict=True)))
    sides = (
        split_folder(side, unit, apart) if unit else ()
        for side, unit, apart in zip(found.sides, units, every, strict=True)
    )
    before, after = ({one.root: one for one in side} for side in sides)
    for root in sorted(before.keys() | after.keys()):
        both = [unit for unit in (before.get(root), after.get(root)) if unit]
        if any(not found.differ.isdisjoint(unit.files) for unit in both):
            yield (before.get(root), after.get(root))


def has_objects(side: Side, unit: Unit) -> bool:
    """Return whether a file of a unit contains an object; templates are ignored."""
    texts = (text.decode("utf-8", "replace") for text in side.contents(unit.files).values())
    return any(object_names.names(text) for text in texts if not object_names.is_template(text))


def _whole_base_of_unit(found: Revisions, earlier: Unit | None, later: Unit | None) -> Base:
    """Return the earlier objects of a unit in all its files, changed or not; nothing is predicted with them."""
    every = replace(found, differ=found.before.paths | found.after.paths)
    return replace(_base_of_unit(every, earlier, later, keeps_unchanged=True), is_applied=False)


def _base_of_unit(found: Revisions, earlier: Unit | None, later: Unit | None, *, keeps_unchanged: bool = False) -> Base:
    sides = found.sides_of((earlier, later))
    before = _objects(sides[0], earlier, found.differ)
    was = _without_broken_files(before)
    names = dict(_later_labels(found, earlier, later)) if earlier else {}
    manifest_files = {names.get(one.file, one.file) for one in before.documents}.union(
        _earlier_manifests_elsewhere(found, earlier, later)
    )
    rendered = _objects(sides[1], later, found.differ, manifest_files)
    now = renders.without_random_values(sides, (earlier, later), was, rendered)
    was, now = _with_unchanged_failures(found, (earlier, later), was, now)
    is_rendered = later is not None and renders.is_rendered(later)
    if any(one.is_fatal for one in now.problems):
        now, is_rendered = replace(now, documents=()), True
    if later and not later.has_own_values_only:
        was, now = compare_failures(was, now, found.before.name, is_rendered=is_rendered)
    if earlier and later and is_in_other_namespace(earlier, later):
        was, now = objects_in_namespace(was, earlier), objects_in_namespace(now, later)
    was = with_shared_secrets(found, (earlier, later), was, now)
    unchanged = frozenset() if keeps_unchanged else _unchanged_identities(was.documents, now.documents)
    given, changed = _without_objects(was, unchanged), _without_objects(now, unchanged)
    same = [document for document in now.documents if document.ref.identity in unchanged]
    return Base(
        origin=found.before.name,
        given=given,
        lacking=(
            *problems_only_before(problems_hiding_objects(given), now, found.before.name),
            *_unexamined_problems(found, (given, changed), (*before.documents, *now.documents)),
        ),
        later=lambda names, recursive, stdin: changed,
        context_of=partial(_related_input, found, later, same),
        configs=partial(_kapp_configurations, found, later),
        is_of_any_age=False,
        is_rendered=is_rendered,
        manifests=frozenset(manifest_files.union(one.file for one in now.documents)),
        later_name=lambda file: names.get(file, file),
        notes=tuple(filter(None, [renders.chart_change(earlier, later), revision_note(earlier, later)])),
        doubts=tuple(_hole_doubts(found, was, now)),
    )


def _hole_doubts(found: Revisions, was: Input, now: Input) -> Iterator[str]:
    """Yield why an object may have existed that is not among the earlier ones: a hole of these is gone or differs."""
    if any(one.change in (HoleChange.GONE, HoleChange.DIFFERENT) for one in compare_holes(was.holes, now.holes)):
        yield f"some resources of {found.before.name} were not rendered"


def _earlier_manifests_elsewhere(found: Revisions, earlier: Unit | None, later: Unit | None) -> Iterator[str]:
    """Yield the later labels of files of a folder that contained objects in another unit of the earlier revision."""
    if later is None or renders.is_rendered(later):
        return
    own = earlier.files if earlier and not renders.is_rendered(earlier) else frozenset()
    paths = sorted((later.files & found.differ & found.before.paths) - own)
    labels = {found.before.label(path): found.after.label(path) for path in paths}
    documents = found.before.read(manifests(found.before, paths)).documents if paths else ()
    yield from (labels[one.file] for one in documents)


def _unexamined_problems(
    found: Revisions, both: tuple[Input, Input], documents: Iterable[Document]
) -> Iterator[Problem]:
    """Yield the problems of changed objects that declare applies which are not examined.

    Sources of releases among the ``documents`` of the unit are examined with these.
    """
    declared = {unit.applied.reason.text for unit in chain.from_iterable(found.units)}
    was, now = (by_identity(each.documents) for each in both)
    problems = [*unexamined_applies(was, now, declared)]
    if not problems:
        return
    used = {release_unit(one, "").applied.source for one in documents if is_release(one)}
    units = chain.from_iterable(with_revisions(pair, found.side_of) for pair in paired_units(*found.units))
    used |= followed_sources([*filter(None, units)])
    used |= {*reported_sources(*found.units)}
    yield from (
        one
        for one in problems
        if one.subject.replace("/", " ", 1) not in used and not is_read_by_release(found.after, one.subject)
    )


def _later_labels(found: Revisions, earlier: Unit, later: Unit | None) -> Iterator[tuple[str, str]]:
    """Yield the earlier and the later label of each file of a unit; the later unit may have another root."""
    for path in earlier.files:
        is_moved = later and later.root != earlier.root and path.startswith(f"{earlier.root}/")
        name = later.root + path.removeprefix(earlier.root) if later and is_moved else path
        yield found.before.label(path), found.after.label(name)


def _objects(side: Side, unit: Unit | None, differ: frozenset[str], held: Collection[str] = ()) -> Input:
    """Return the objects of a unit; of a folder, those of the files that differ.

    ``held`` are the labels of files that contained objects before; these are read in any case.
    """
    if unit is None:
        return Input()
    if unread := unread_problem(unit):
        return Input(problems=(unread,))
    if renders.is_rendered(unit):
        return renders.render_unit(side, unit)
    paths = [path for path in sorted(unit.files) if path in differ]
    wanted = [path for path in paths if held and side.label(path) in held]
    return with_unknown_values(read_folder(side, unit, paths, wanted))


def _with_unchanged_failures(found: Revisions, units: Pair, was: Input, now: Input) -> tuple[Input, Input]:
    """Return the objects before and after, with problems of unchanged files that prevent the apply of their folder."""
    if was == now == Input():
        return was, now
    both = zip(found.sides_of(units), units, strict=True)
    before, after = (folder_failures(side, unit, unit.files - found.differ) if unit else () for side, unit in both)
    return replace(was, problems=(*was.problems, *before)), replace(now, problems=(*now.problems, *after))


def _without_broken_files(given: Input) -> Input:
    """Return the objects without those of files that cannot be parsed to the end: few tools apply any of them."""
    broken = [one.where for one in given.problems if stops_reading(one)]
    kept = (one for one in given.documents if not any(where.startswith(f"{one.file}:") for where in broken))
    return replace(given, documents=tuple(kept)) if broken else given


def _unchanged_identities(was: Iterable[Document], now: Iterable[Document]) -> frozenset[Identity]:
    """Return the objects whose documents are equal on both sides, in the same order."""
    before, after = _by_name(was), _by_name(now)
    both = before.keys() & after.keys()
    return frozenset(name for name in both if equal(before[name], after[name]))


def _by_name(documents: Iterable[Document]) -> Mapping[Identity, list[JsonObject]]:
    found: dict[Identity, list[JsonObject]] = {}
    for document in documents:
        found.setdefault(document.ref.identity, []).append(document.object)
    return found


def _without_objects(given: Input, names: Collection[Identity]) -> Input:
    kept = (document for document in given.documents if document.ref.identity not in names)
    return replace(given, documents=tuple(kept))


def _kapp_configurations(found: Revisions, unit: Unit | None) -> Sequence[Skipped]:
    """Return the kapp configurations in unchanged files of a folder; other units are read as a whole anyway."""
    if unit is None or unit.form is not Form.FOLDER:
        return ()
    own = unit.files - found.differ
    paths = own and found.after.mentioning([KAPP]) & own
    return tuple(one for one in found.after.read(sorted(paths)).skipped if one.value) if paths else ()


def _related_input(found: Revisions, unit: Unit | None, same: Sequence[Document], index_query: IndexQuery) -> Input:
    """Return the unchanged objects of a unit that match a query."""
    if unit is None:
        return Input()
    paths = [path for path in sorted(unit.files) if path not in found.differ] if unit.form is Form.FOLDER else []
    words: frozenset[str] = frozenset().union(*index_query.values())
    matching = [path for path, text in found.after.contents(paths).items() if _mentions(text, words)]
    every = (*same, *found.after.read(matching).documents) if matching else same
    return Input(tuple(document for document in every if matches_query(document, index_query)))


def matches_query(document: Document, index_query: IndexQuery) -> bool:
    """Return whether an object matches a query: its kind is in it, and the object contains a word for that kind."""
    words = index_query.get(kind_of(document), frozenset())
    return bool(words) and _mentions(json.dumps(document.object, default=str).encode(), words)


def _mentions(content: bytes, words: Collection[str]) -> bool:
    return any(word.encode() in content for word in words)
