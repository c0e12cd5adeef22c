"""Finds the units of a repository. Configuration overrides declaring objects, which override the layout."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Final, TypeAlias

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.state import ObjectRef, ref_of
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.tools.argocd import declarations as argocd
from kubectl_applylint.tools.flux import declarations as flux
from kubectl_applylint.units import fleet, skaffold
from kubectl_applylint.units.declared import Declared
from kubectl_applylint.units.layout import with_values
from kubectl_applylint.units.model import Applied, Form, IncludedSource, Reason, ReleaseInputs, Unit, object_root
from kubectl_applylint.units.reading import matching_names
from kubectl_applylint.units.remotes import (
    OTHER_REVISION,
    OTHER_SOURCE,
    Checkout,
    is_revision_assumed,
    is_revision_here,
    locate,
    unused_revisions,
)
from kubectl_applylint.units.tree import Root, Tree

_NO_REASON: Final = Reason("")
_PLAIN: Final = (Form.FOLDER, Form.FILE)
_UNKNOWN: Final = Checkout()
DeclaringObjects: TypeAlias = Mapping[str, Sequence[Document]]
"""The objects that may declare applies by their cluster, as ``Applied.cluster``."""
NO_CLUSTER: Final = ""
"""The cluster of objects in files that no declared unit renders."""
_NO_DOCUMENTS: Final[DeclaringObjects] = {}


@dataclass(frozen=True, slots=True)
class FoundUnits:
    """The units of a revision, sorted by their roots, and the declarations for other files."""

    units: tuple[Unit, ...] = ()
    elsewhere: tuple[tuple[Reason, str], ...] = ()
    """Declarations for other revisions or repositories, each with the reason."""
    missing: tuple[Declared, ...] = ()
    """Declarations whose path does not exist."""
    assumed: tuple[tuple[str, str], ...] = ()
    """Sources that are taken to be the repository, each with the reason of its first declaration."""
    unused_revisions: tuple[str, ...] = ()
    """The revisions that count as the examined one, and that no declaration applies."""
    generated: tuple[tuple[ObjectRef, JsonObject], ...] = field(default=(), repr=False)
    """The Applications that ApplicationSets generate, each with its set; one may occur several times."""
    unlisted: tuple[Reason, ...] = ()
    """Kustomizations of Flux that nothing applies, as the kustomization in or above their folder leaves them out."""


def find(
    found: Tree,
    read_file: Callable[[str], bytes],
    documents: DeclaringObjects = _NO_DOCUMENTS,
    configured: Iterable[Declared] = (),
    *,
    checkout: Checkout = _UNKNOWN,
    undeclared: Collection[str] = (),
) -> FoundUnits:
    """Return the units of a revision, and the declarations of other revisions and repositories.

    ``found`` is the tree of its files, ``read_file`` returns their contents, ``documents`` are the objects that may
    declare applies, ``checkout`` is the repository. A declaration applies to the kustomization, the chart, the folder
    of manifests or the file at its path. A recursive one applies to every root of the layout below its path without a
    nearer declaration; in the configuration, to all plain manifests below it, as one unit. The configuration has
    precedence over all of these. The objects of ``undeclared`` clusters are rendered with assumed values.
    """
    declared = [*declarations(found.files, read_file, documents, checkout, undeclared)]
    located = (locate(one, checkout, found) for one in declared)
    every = [one for one in located if not _has_chart_elsewhere(one, found, checkout)]
    here = [one for one in every if not one.elsewhere]
    missing = tuple(one for one in here if one.applied.tool_object is not None and not _has_path(found, one))
    configured_roots = _nearest_declarations(configured, partial(_configured_roots, found))
    files = _configured_files(found, configured_roots)
    taken = frozenset().union(*files.values())
    own = (
        replace(unit, files=files.get(root, unit.files))
        for root in configured_roots
        for unit in _units(found, root, configured_roots)
    )
    rest = _declared_units(found, here, configured_roots)
    left = (replace(unit, files=unit.files - taken) if taken and unit.form is Form.FOLDER else unit for unit in rest)
    units = sorted((*filter(_has_content, (*own, *left)), *_units_elsewhere(found, every, missing)), key=_order)
    elsewhere = dict.fromkeys((one.applied.reason, one.elsewhere) for one in every if one.elsewhere)
    assumed = {one.source_object: one.assumed for one in reversed(here) if one.assumed}
    unused = unused_revisions(checkout, (one.revision for one in declared))
    return FoundUnits(
        tuple(units), tuple(elsewhere), missing, tuple(assumed.items()), unused, tuple(_generated_objects(declared))
    )


def _units_elsewhere(found: Tree, every: Iterable[Declared], missing: Iterable[Declared]) -> Iterator[Unit]:
    """Yield the units of objects that apply other files, or whose path does not exist."""
    other = [(one, one.elsewhere) for one in every if one.elsewhere]
    other += [(one, missing_path_words(one)) for one in missing if not one.root]
    yield from filter(None, (_unit_elsewhere(found, one, why) for one, why in other))


def _has_path(found: Tree, one: Declared) -> bool:
    """Return whether the path of a declaration exists, or may exist in files that its source includes."""
    return found.exists(one.path) or bool(one.applied.includes)


def _generated_objects(declared: Iterable[Declared]) -> Iterator[tuple[ObjectRef, JsonObject]]:
    """Yield the Applications of ApplicationSets, each with its set."""
    for one in declared:
        if one.applied.generated_by and one.applied.tool_object is not None:
            yield one.applied.generated_by, one.applied.tool_object


def _has_content(unit: Unit) -> bool:
    return bool(unit.files or unit.applied.includes) or unit.form is Form.RELEASE


def _declared_units(found: Tree, here: Sequence[Declared], configured: Collection[Root]) -> Iterator[Unit]:
    """Yield the units that objects declare, and the other ones of the layout, without the configured roots."""
    built = [one for one in here if one.is_one_unit and not any(root[0] == one.path for root in configured)]
    yield from (built_unit(found, one) for one in built)
    declared = _nearest_declarations((one for one in here if not one.is_one_unit), partial(_roots, found))
    # The layout finds the objects of a declaration that is not examined.
    known = [one for one in built if not one.applied.gap]
    folders = chain.from_iterable(one.folders if one.root else (one.path,) for one in known)
    used = frozenset(root for folder in folders for root in _roots_replaced(found, folder)) - declared.keys()
    for root in {*found.roots, *declared}.difference(configured, used):
        yield from _units(found, root, declared)


def declarations(
    files: Collection[str],
    read_file: Callable[[str], bytes],
    documents: DeclaringObjects,
    checkout: Checkout = _UNKNOWN,
    undeclared: Collection[str] = (),
) -> Iterator[Declared]:
    """Yield all declarations in the objects and files of a repository, including those for other repositories."""
    for cluster, every in sorted(documents.items()):
        others = documents.get(NO_CLUSTER, ()) if cluster else ()
        chart = cluster if cluster in undeclared else ""
        is_here = partial(is_revision_here, checkout=checkout)
        is_assumed = partial(is_revision_assumed, checkout=checkout)
        applications = argocd.declarations(
            *(every, files, read_file, checkout.remotes), chart=chart, is_here=is_here, is_assumed=is_assumed
        )
        declared = chain(flux.declarations(every, others), applications)
        has_assumed_values = bool(chart)
        yield from (
            replace(one, applied=replace(one.applied, cluster=cluster, has_assumed_values=has_assumed_values))
            for one in declared
        )
    for path in files:
        name = path.rpartition("/")[2]
        if name == fleet.FILE:
            yield from fleet.declarations(path, read_file(path))
        elif name in skaffold.FILES:
            yield from skaffold.declarations(path, read_file(path), files)


def _has_chart_elsewhere(one: Declared, found: Tree, checkout: Checkout) -> bool:
    """Return whether this is a HelmRelease with a chart in another repository, which is a release as any other.

    If its source or the remotes are not known, the repository has the chart if it has the path.
    """
    if not _is_release(one):
        return False
    is_unknown = not one.elsewhere and not (one.source and checkout.remotes)
    return one.elsewhere.startswith(OTHER_SOURCE) or (is_unknown and not found.exists(one.path))


def _is_release(one: Declared) -> bool:
    return one.applied.declared_by is not None and one.applied.declared_by.kind == "HelmRelease"


def _unit_elsewhere(found: Tree, one: Declared, why: str) -> Unit | None:
    """Return the unit of an object that applies other files than those of the repository."""
    item = one.applied.tool_object
    ref = one.applied.declared_by or (ref_of(item) if item else None)
    is_other = why.startswith(OTHER_SOURCE)
    source = one.fetched_source if is_other and not one.applied.gap else None
    why = f"{why}; {one.obstacle}" if is_other and one.obstacle else why
    applied = replace(
        one.applied,
        declared_by=ref,
        gap=why,
        source=one.other_source or one.source,
        fetched_source=source,
        revision=one.revision if why.startswith(OTHER_REVISION) else "",
    )
    form = Form.RELEASE if one.applied.tool == argocd.ARGO_TOOL else Form.KUSTOMIZATION
    return Unit(object_root(ref), form, frozenset(_included_files(found, applied.includes)), applied) if ref else None


def missing_path_words(one: Declared) -> str:
    """Return why nothing is examined of a declaration whose path does not exist."""
    return f"the files have nothing in its path {one.path}"


def built_unit(found: Tree, one: Declared) -> Unit:
    """Return the unit of a declaration whose tool makes one unit of all objects below a path."""
    if one.root:
        files = frozenset() if one.applied.gap else frozenset(_files_read(found, one))
        inputs = replace(one.applied.release, folder=one.path) if _is_release(one) else ReleaseInputs()
        return Unit(one.root, Form.RELEASE, files, replace(one.applied, release=inputs))
    folders = [path for path in (one.path, *one.folders) if path in found.layout.graph.kustomizations]
    included = _included_files(found, one.applied.includes)
    files = frozenset(included).union(*map(found.layout.graph.closure, folders))
    if one.applied.includes and one.applied.declared_by and not found.exists(one.path):
        return Unit(object_root(one.applied.declared_by), Form.KUSTOMIZATION, files, one.applied)
    if one.path in folders:
        return Unit(one.path, Form.KUSTOMIZATION, files, one.applied)
    below = _used_roots(found, one.path)
    files = files.union(*(found.unit(root).files for root in below))
    is_plain = all(form is Form.FOLDER for _, form in below) and not (one.is_built or one.applied.includes)
    return Unit(one.path, Form.FOLDER if is_plain else Form.KUSTOMIZATION, files, one.applied)


def _files_read(found: Tree, one: Declared) -> Iterator[str]:
    """Yield the files that the objects of a declaration are built from."""
    graph = found.layout.graph
    for folder in one.folders:
        start = f"{folder}/" if folder else ""
        yield from (path for path in found.files if path.startswith(start))
        yield from graph.closure(folder) if folder in graph.kustomizations else ()
        yield from found.unit((folder, Form.CHART)).files if folder in found.layout.charts else ()
    yield from matching_names(one.read_files, found.files)


def _included_files(found: Tree, includes: Iterable[IncludedSource]) -> Iterator[str]:
    """Yield the files of the repository that a source includes."""
    for one in includes:
        if one.source is None and not one.reason:
            start = f"{one.from_path}/" if one.from_path else ""
            yield from (path for path in found.files if path.startswith(start) or path == one.from_path)
        yield from _included_files(found, one.includes)


def _roots_replaced(found: Tree, folder: str) -> Sequence[Root]:
    """Return the roots of the layout that a declaration of a folder replaces; a chart may be beside a kustomization."""
    if folder not in found.layout.charts:
        return _used_roots(found, folder)
    beside = [(folder, Form.KUSTOMIZATION)] if folder in found.layout.graph.kustomizations else []
    return [(folder, Form.CHART), *beside]


def _used_roots(found: Tree, path: str) -> Sequence[Root]:
    """Return the roots of the layout whose objects are those of a path: its kustomization, or all below it.

    Nothing below a kustomization is a root of its own, as in Flux's ``kustomize.Generator``.
    """
    graph = found.layout.graph
    if path in graph.kustomizations:
        return [(path, Form.KUSTOMIZATION)]
    start = f"{path}/" if path else ""
    nested = [
        (folder, Form.KUSTOMIZATION)
        for folder in sorted(graph.kustomizations)
        if folder.startswith(start) and not _is_in_kustomization(found, folder, path)
    ]
    folders = (root for root in found.below(path) if root[1] is Form.FOLDER)
    return [*nested, *(root for root in folders if not _is_in_kustomization(found, root[0], path))]


def _nearest_declarations(
    declared: Iterable[Declared], roots: Callable[[Declared], Iterable[Root]]
) -> Mapping[Root, Sequence[Declared]]:
    """Return for each root the declarations whose path is nearest to it."""
    found: dict[Root, list[Declared]] = {}
    for one in declared:
        for root in roots(one):
            found.setdefault(root, []).append(one)
    return {root: _longest_paths(claims) for root, claims in found.items()}


def _longest_paths(claims: Sequence[Declared]) -> Sequence[Declared]:
    """Return the declarations with the longest path; all paths are the root or parents of it."""
    longest = max(len(one.path) for one in claims)
    return [one for one in claims if len(one.path) == longest]


def _roots(found: Tree, one: Declared) -> Sequence[Root]:
    """Return the roots that a declaration covers: the folder itself, or all in it if the tool is recursive.

    A subfolder with a kustomization is one root, without anything below it, as in Flux's ``kustomize.Generator``.
    """
    root = found.root(one.path)
    form = root[1] if root else Form.FOLDER
    if one.is_recursive and form is Form.FOLDER:
        return [each for each in found.below(one.path) if not _is_in_kustomization(found, each[0], one.path)]
    return [root] if root and form is not Form.FILE else []


def _is_in_kustomization(found: Tree, path: str, above: str) -> bool:
    """Return whether a folder between ``above`` (exclusive) and a path has a kustomization."""
    while path != above:
        path = path.rpartition("/")[0]
        if path in found.layout.graph.kustomizations:
            return True
    return False


def _configured_roots(found: Tree, one: Declared) -> Sequence[Root]:
    """Return the root that the configuration names, if it contains anything to apply."""
    if one.is_recursive and any(form is Form.FOLDER for _, form in found.below(one.path)):
        return [found.root(one.path) or (one.path, Form.FOLDER)]
    root = found.root(one.path)
    return [root] if root else []


def _configured_files(found: Tree, configured: Mapping[Root, Sequence[Declared]]) -> Mapping[Root, frozenset[str]]:
    """Return the plain manifests of the configured roots; each file belongs only to the nearest one."""
    files: dict[Root, frozenset[str]] = {}
    taken: frozenset[str] = frozenset()
    for root in sorted((root for root in configured if root[1] in _PLAIN), key=lambda root: len(root[0]), reverse=True):
        files[root] = _plain(found, root, configured[root]) - taken
        taken |= files[root]
    return files


def _plain(found: Tree, root: Root, claims: Iterable[Declared]) -> frozenset[str]:
    if not any(one.is_recursive for one in claims):
        return found.unit(root).files
    folders = (one for one in found.below(root[0]) if one[1] is Form.FOLDER)
    return frozenset(file for folder in folders for file in found.unit(folder).files)


def _units(found: Tree, root: Root, claims: Mapping[Root, Sequence[Declared]]) -> Iterator[Unit]:
    """Yield the units of one root: one for each way in which it is applied, or that of the layout."""
    if root not in claims:
        yield from with_values(found.unit(root))
        return
    whole = found.unit(root)
    is_chart = whole.form is Form.CHART
    ways = [*_distinct_applies([one.applied if is_chart else replace(one.applied, helm=None) for one in claims[root]])]
    yield from (_with_tool_values(whole, applied, found.files) for applied in ways if applied.helm)
    others = [applied for applied in ways if not applied.helm]
    yield from (replace(unit, applied=applied) for unit in with_values(whole) for applied in others)


def _with_tool_values(chart: Unit, applied: Applied, files: Collection[str]) -> Unit:
    """Return a chart with the values that a tool renders it with, without files that the repository does not have."""
    values = tuple(file for file in (applied.helm.files if applied.helm else ()) if file in files)
    plain = next(with_values(chart)).files
    return replace(chart, files=plain.union(values), values=values, applied=applied)


def _distinct_applies(every: Iterable[Applied]) -> Iterator[Applied]:
    """Yield the distinct ways of applying a root, ignoring the target; each has all its targets."""
    same: dict[Applied, list[Applied]] = {}
    for one in every:
        same.setdefault(replace(one, target="", reason=_NO_REASON), []).append(one)
    for ones in same.values():
        targets = sorted({one.target for one in ones if one.target})
        yield replace(min(ones, key=_place), target=", ".join(targets))


def _place(applied: Applied) -> tuple[str, int, str]:
    return applied.reason.file, applied.reason.line, applied.reason.text


def _order(unit: Unit) -> tuple[str, ...]:
    applied = unit.applied
    how = (applied.namespace, applied.tool, applied.target, f"{applied.prune} {applied.options}")
    return unit.root, unit.form, *how, *unit.values
