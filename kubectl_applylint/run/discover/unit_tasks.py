"""The units of a run to load, each with its manifests, the state to compare with, and its context."""

import posixpath
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Final

from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import text_at
from kubectl_applylint.lint.relations import IndexQuery
from kubectl_applylint.run.compare.live_source import LiveSource, SameTarget, no_units, source_of_base
from kubectl_applylint.run.discover.cluster_units import cluster_units_finder
from kubectl_applylint.run.discover.deleted_declarations import deletion_finder
from kubectl_applylint.run.discover.former_units import former_unit_finder
from kubectl_applylint.run.discover.new_namespaces import namespace_finder
from kubectl_applylint.run.discover.revisions import Revisions, is_in
from kubectl_applylint.run.discover.shared_target import TargetUnits
from kubectl_applylint.run.discover.unexamined_sets import rejected_problem
from kubectl_applylint.run.discover.unit_changes import changes, matches_query
from kubectl_applylint.run.run_notes import UnitPlace
from kubectl_applylint.run.sides import renders
from kubectl_applylint.run.sides.absent_sources import absent_source_finder
from kubectl_applylint.run.sides.definitions import Definitions, definition_finder
from kubectl_applylint.run.sides.files_apart import files_apart, split_folder
from kubectl_applylint.run.sides.installed_kinds import kind_finder
from kubectl_applylint.run.sides.mutating_webhooks import mutated_group_finder
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.run.sides.unit_objects import read_folder
from kubectl_applylint.sources.cluster.read_results import Objects
from kubectl_applylint.sources.text.classify import is_kustomization
from kubectl_applylint.sources.text.encrypted import with_unknown_values
from kubectl_applylint.sources.text.manifests import Input
from kubectl_applylint.units.layout import EXTENSIONS, layout
from kubectl_applylint.units.model import Applied, Form, Reason, Unit
from kubectl_applylint.units.pairs import Pair
from kubectl_applylint.units.reading import matching_names

_OBJECT_FOLDERS: Final = frozenset({"templates", "crds"})
"""The folders of a chart that contain objects."""
_LINE_SUFFIX: Final = regex(r"(?::\d+)+$")
_NAMED = Applied(reason=Reason("named by the caller"))


@dataclass(frozen=True, slots=True)
class UnitTask:
    """One unit to examine; ``given`` are its manifests, ``None`` if they are in the base of the source."""

    unit: Unit
    source: LiveSource = field(repr=False)
    given: Input | None = field(repr=False, default=None)
    earlier: Unit | None = None
    """The unit before a change, ``None`` if it did not exist or nothing is compared."""
    is_new: bool = False
    """Whether the unit did not exist before a change."""
    is_gone: bool = False
    """Whether the unit does not exist after a change."""
    is_deleted: bool = False
    """Whether another unit that prunes deletes the tool's object that applied the unit."""
    place: UnitPlace = ()
    """The sort key of the unit in the run, the same in all shards."""
    may_be_pruned: bool = False
    """Whether a Kustomization of Flux may apply the unit, or nothing does: it is only known by the layout."""


def tasks_of_change(
    found: Revisions, pairs: Sequence[Pair], order: Sequence[Pair], former: Sequence[Pair] = ()
) -> Iterator[UnitTask]:
    """Yield the units that a change touches (``pair_moved_units``); ``order`` are the pairs of all shards.

    ``former`` are other pairs of the change, which objects may have left.
    """
    definitions, mutated = definition_finder(found.after), mutated_group_finder(found.after)
    beside = TargetUnits(found.after, found.units[1], [later or earlier for earlier, later in order])
    shows_kind, cluster_units = kind_finder(found.before), cluster_units_finder(found)
    former_unit = former_unit_finder(found, (*former, *order))
    absent_sources = absent_source_finder(found.after)
    is_of_flux, with_namespace = _flux_finder(found), namespace_finder(found)
    places, is_deleted = places_of_change(order), deletion_finder(found)
    for change in changes(found, pairs):
        own = change.base.later([], False, bytes).documents
        same = beside.same_target(change.unit)
        known = _other_definitions(definitions, own)
        source = replace(
            source_of_base(change.base),
            definitions=known,
            same_target=same,
            cluster_units=cluster_units(change.unit),
            former_unit=former_unit(change.unit),
            absent_sources=absent_sources,
            mutated_groups=mutated,
            shows_kind=shows_kind,
        )
        yield UnitTask(
            change.unit if change.is_gone else with_namespace(change.unit),
            source,
            earlier=change.earlier,
            is_new=change.earlier is None,
            is_gone=change.is_gone,
            is_deleted=change.is_gone and is_deleted(change.unit),
            place=places[change.unit],
            may_be_pruned=is_of_flux(change.unit),
        )


def _flux_finder(found: Revisions) -> Callable[[Unit], bool]:
    """Return a function that returns whether Flux may apply a unit that nothing declares."""
    every = [*chain.from_iterable(found.units)]
    others = frozenset(path for unit in every if (path := _path_elsewhere(unit)))
    declared = [unit for unit in every if _is_kustomization_of_flux(unit)]
    # Flux also applies the folder with the first Kustomizations of a cluster, which flux bootstrap declares.
    homes = {f"{unit.applied.cluster}/" for unit in declared}
    folders = tuple({f"{unit.root}/".lstrip("/") for unit in declared} | homes)
    return lambda unit: _is_of_flux(unit, others, folders)


def _path_elsewhere(unit: Unit) -> str:
    """Return the path of a Kustomization with another source, which may be an artifact of this repository."""
    applied = unit.applied
    path = text_at(applied.tool_object or {}, "spec", "path") if applied.gap and not applied.program else ""
    return posixpath.normpath(f"/{path}").strip("/")


def _is_kustomization_of_flux(unit: Unit) -> bool:
    applied = unit.applied
    return applied.tool == Applier.FLUX and applied.tool_object is not None and not (applied.program or applied.gap)


def _is_of_flux(unit: Unit, paths: Collection[str], folders: tuple[str, ...]) -> bool:
    """Return whether nothing declares a unit, and one of the ``paths`` ends its root, or it is in one of the folders.

    The kustomizations in a folder that Flux applies list what it consists of.
    """
    ends = unit.root.split("/")
    is_at_path = any("/".join(ends[start:]) in paths for start in range(len(ends)))
    return not unit.applied.reason.file and (is_at_path or f"{unit.root}/".startswith(folders))


def places_of_change(order: Sequence[Pair]) -> Mapping[Unit, UnitPlace]:
    """Return the sort keys of the units of a change, which keep their order."""
    units = [later or earlier for earlier, later in order]
    return {unit: (f"{number:09}",) for number, unit in enumerate(units) if unit}


def task_maker(
    side: Side,
    paths: Sequence[str],
    source_of: Callable[[Unit], LiveSource],
    beside: Callable[[Unit], SameTarget] = lambda unit: no_units,
) -> Callable[[Unit], UnitTask | None]:
    """Return a function that returns the task of a unit; if files of it are named, its other files are context.

    It returns ``None`` for a unit without objects that nothing declares, such as a folder of values files.
    ``source_of`` returns the state to compare a unit with, ``beside`` the other units of its target.
    """
    definitions, mutated = definition_finder(side), mutated_group_finder(side)
    absent_sources = absent_source_finder(side)
    files = frozenset(path for path in paths if path in side.paths)

    def task_of(unit: Unit) -> UnitTask | None:
        whole = _objects(side, unit, files)
        if whole == Input() and unit.applied.applies_objects and unit.applied.declared_by is None:
            return None
        is_part = not unit.files.isdisjoint(files) and not _affects_all_objects(unit, files, side, whole)
        given, rest = _split_by_files(whole, side, unit, files) if is_part else (whole, ())
        source = source_of(unit)
        context = partial(_related_documents, rest, source)
        own = source.definitions if source.origin else _other_definitions(definitions, given.documents)
        source = replace(source, definitions=own, context_of=context, same_target=beside(unit), mutated_groups=mutated)
        source = replace(source, absent_sources=absent_sources)
        return UnitTask(unit, source, given, place=unit.place)

    return task_of


def _objects(side: Side, unit: Unit, named: Collection[str]) -> Input:
    """Return the objects of a unit, none if it applies other files or nothing at present."""
    if not unit.applied.applies_objects:
        rejected = rejected_problem(unit)
        return Input(problems=(rejected,)) if rejected else Input()
    if renders.is_rendered(unit):
        return renders.render_unit(side, unit)
    return with_unknown_values(read_folder(side, unit, _sort_paths(unit.files), named))


def _affects_all_objects(unit: Unit, files: Collection[str], side: Side, whole: Input) -> bool:
    """Return whether some of the files may change each object of a unit: values, helpers, patches, generators."""
    own = unit.files.intersection(files)
    if unit.form is Form.KUSTOMIZATION:
        sources = {document.file for document in whole.documents}
        return any(is_kustomization(path) or side.label(path) not in sources for path in own)
    is_chart = unit.form is Form.CHART
    return unit.form is Form.RELEASE or (is_chart and any(not _is_template(path) for path in own))


def _is_template(path: str) -> bool:
    folder, _, name = path.rpartition("/")
    is_below = not _OBJECT_FOLDERS.isdisjoint(folder.split("/"))
    return is_below and path.endswith(EXTENSIONS) and not name.startswith("_")


def choose_units(side: Side, units: Iterable[Unit], paths: Sequence[str]) -> tuple[Unit, ...]:
    """Return the units of the named files, and the units below the named folders, sorted by root.

    A named folder that is not a unit, such as the base of others, becomes one; so does a file outside of all units.
    """
    found = select_units(side, units, paths)
    return split_folders(side, found, found, paths)


def select_units(side: Side, units: Iterable[Unit], paths: Sequence[str]) -> tuple[Unit, ...]:
    """Return the units of a repository for the named files and folders, with alternatives in a folder as one unit."""
    folders = [path for path in paths if path not in side.paths]
    found: dict[tuple[object, ...], Unit] = {}
    for unit in units:
        if _is_named(unit, folders, paths):
            applied = unit.applied
            own = unit.key if applied.declared_by else (applied.namespace, unit.values, applied.helm)
            found.setdefault((unit.root, unit.is_beside_chart, own), unit)
    return tuple(found.values())


def names_release(roots: Iterable[str]) -> bool:
    """Return whether a root may be that of a HelmRelease or an Application, which other units may declare."""
    return any("HelmRelease/" in root or "Application/" in root for root in roots)


def filter_by_root(roots: Collection[str], meant: Iterable[Unit]) -> tuple[Unit, ...]:
    """Return the units whose root, or the root of a part, matches one of the patterns ``roots``; without any, all."""
    every = tuple(meant)
    if names_release(roots):
        return every
    names = {unit: unit.names | (unit.files if unit.form is Form.FOLDER else frozenset()) for unit in every}
    asked = matching_names(roots, frozenset[str]().union(*names.values())) if roots else frozenset()
    return tuple(unit for unit in every if not roots or not asked.isdisjoint(names[unit]))


def split_folders(side: Side, units: Iterable[Unit], every: Sequence[Unit], paths: Sequence[str]) -> tuple[Unit, ...]:
    """Return units of ``select_units`` with folders split into alternatives, and named files outside of ``every``."""
    folders = [path for path in paths if path not in side.paths]
    found = [unit for unit in _split_alternatives(side, units) if _is_named(unit, folders, paths)]
    return tuple(sorted((*found, *_named_units(side, every, paths)), key=lambda unit: unit.place))


def _is_named(unit: Unit, folders: Iterable[str], paths: Sequence[str]) -> bool:
    return any(is_in(unit, folder) for folder in folders) or not unit.files.isdisjoint(paths)


def _named_units(side: Side, found: Sequence[Unit], paths: Sequence[str]) -> Iterator[Unit]:
    """Yield as units the named files and folders that are not units themselves."""
    known = frozenset[str]().union(*(unit.files for unit in found))
    for path in dict.fromkeys(paths):
        if path in side.paths:
            yield from () if path in known else (Unit(path, Form.FILE, frozenset((path,)), _NAMED),)
        elif not any(unit.root == path or is_in(unit, path) for unit in found):
            yield from _unit_of_folder(side, path)


def _unit_of_folder(side: Side, path: str) -> Iterator[Unit]:
    start = f"{path}/" if path else ""
    inside = [one for one in side.paths if one.startswith(start)]
    direct = frozenset(one for one in inside if "/" not in one[len(start) :] and one.endswith(EXTENSIONS))
    laid_out = layout(side.paths, side.content)
    if path in laid_out.graph.kustomizations:
        yield laid_out.kustomization(path, _NAMED)
    elif direct:
        yield Unit(path, Form.FOLDER, direct, _NAMED)


def _split_alternatives(side: Side, units: Iterable[Unit]) -> Iterator[Unit]:
    for unit in units:
        if unit.form is Form.FOLDER:
            yield from split_folder(side, unit, side.apart(unit) if side.apart else files_apart([(side, unit)])[0])
        else:
            yield unit


def _sort_paths(paths: Iterable[str]) -> list[str]:
    return sorted(paths, key=lambda path: [part.encode("utf-8", "surrogateescape") for part in path.split("/")])


def _split_by_files(whole: Input, side: Side, unit: Unit, files: Collection[str]) -> tuple[Input, tuple[Document, ...]]:
    """Return the input of some files of a unit, and the other objects of the unit.

    Problems of other files are left out, unless a program renders the unit or applies nothing because of them.
    """
    shown = {side.label(path) for path in files}
    own = tuple(one for one in whole.documents if one.file in shown)
    rest = tuple(one for one in whole.documents if one.file not in shown)
    if renders.is_rendered(unit):
        return replace(whole, documents=own), rest
    others = {side.label(path) for path in unit.files.difference(files)}
    problems = tuple(one for one in whole.problems if one.is_fatal or _file_of_problem(one) not in others)
    skipped = tuple(one for one in whole.skipped if one.file not in others)
    return replace(whole, documents=own, problems=problems, skipped=skipped), rest


def _file_of_problem(problem: Problem) -> str:
    """Return the file of a problem: its place without line and column."""
    return _LINE_SUFFIX.sub("", problem.where)


def _related_documents(rest: Sequence[Document], source: LiveSource, index_query: IndexQuery) -> Iterator[Document]:
    yield from (document for document in rest if matches_query(document, index_query))
    yield from source.context_of(index_query)


def _other_definitions(definitions: Definitions, own: Iterable[Document]) -> "partial[Objects]":
    return partial(_definitions_except, definitions, frozenset(document.ref.identity for document in own))


def _definitions_except(
    definitions: Definitions, own: Collection[object], kinds: Collection[tuple[str, str]]
) -> Objects:
    """Return the definitions of kinds that the unit itself does not contain."""
    return Objects(tuple(definition for name, definition in definitions(kinds) if name not in own), ())
