"""The objects that declare applies, as the units that declare them render them, cluster by cluster.

A Kustomization of Flux may be patched, renamed or written with variables by the Kustomization that applies it, or
created by a ResourceSet. So they are read from rendered units, beginning with the roots: those that a FluxInstance
creates, those of overlays that apply themselves, and those in files that no other Kustomization applies. If a
FluxInstance is found among rendered objects, the walk begins again with what it creates.
"""

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.state import Identity, Unknown
from kubectl_applylint.core.values import mapping
from kubectl_applylint.run.sides.flux_instances import instance_objects
from kubectl_applylint.run.sides.home_folders import home_folders
from kubectl_applylint.run.sides.named_objects import NamedObjects
from kubectl_applylint.run.sides.overlay_roots import overlay_roots, patched_roots
from kubectl_applylint.run.sides.renders import is_rendered, render_unit
from kubectl_applylint.run.sides.resource_sets import set_objects
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.run.sides.unit_objects import read_folder
from kubectl_applylint.run.sides.variable_sources import VariableSources
from kubectl_applylint.tools.argocd.clusters import declared_clusters
from kubectl_applylint.tools.argocd.declarations import declares_applications
from kubectl_applylint.tools.flux import declarations as flux
from kubectl_applylint.tools.flux.instances import is_instance
from kubectl_applylint.tools.flux.resource_sets import is_resource_set
from kubectl_applylint.units.declared import Declared
from kubectl_applylint.units.finder import NO_CLUSTER, DeclaringObjects, built_unit
from kubectl_applylint.units.model import Unit
from kubectl_applylint.units.remotes import Checkout, locate
from kubectl_applylint.units.tree import Tree

_MOST_WALKS: Final = 4


@dataclass(frozen=True, slots=True)
class _Files:
    """The files of a side; ``written`` are the declaring objects in them, by path."""

    side: Side
    written: Mapping[str, Sequence[Document]]
    found: Tree
    checkout: Checkout
    sources: VariableSources
    objects: NamedObjects
    patched: frozenset[str] = frozenset()
    """The files whose objects only count as overlays that apply themselves render them."""


@dataclass(frozen=True, slots=True)
class _Created:
    """The sources and the root of a cluster that a FluxInstance creates, or that an overlay renders.

    ``home`` is the cluster if its files are elsewhere.
    """

    home: str
    objects: tuple[Document, ...]

    @property
    def key(self) -> str:
        return str([one.object for one in self.objects])


def rendered_declarations(
    side: Side, written: Mapping[str, Sequence[Document]], found: Tree, checkout: Checkout
) -> DeclaringObjects:
    """Return the declaring objects of a side by cluster; ``written`` are those in its files, by path.

    If the unit that applies a file cannot be rendered, its objects are taken as they are written. Objects in files that
    no Kustomization applies are in no cluster.
    """
    written = {**written, **dict(patched_roots(side, written, found))}
    overlays = [*overlay_roots(side, written, found)]
    patched = frozenset().union(*(one.files for one in overlays))
    files = _Files(side, written, found, checkout, VariableSources(side), NamedObjects(side), patched)
    created = [*_written_instances(files), *(_Created(one.folder, one.objects) for one in overlays)]
    for _ in range(_MOST_WALKS):
        graph = _Graph(files, created)
        clusters = graph.clusters()
        if not graph.discovered:
            break
        created += graph.discovered.values()
    return {NO_CLUSTER: graph.loose, **clusters}


def with_variables(sources: VariableSources, unit: Unit, files: Collection[str]) -> Unit:
    """Return a unit with the variables of its Kustomization; ``files`` are those that its cluster applies."""
    item = unit.applied.tool_object
    if item is None or "postBuild" not in mapping(item.get("spec")):
        return unit
    variables = sources.substitutes(item, unit.applied.reason.file, files)
    if unit.may_be_patched and variables.others is None:
        variables = replace(variables, others=Unknown("the Kustomization that applies this one may set it"))
    return replace(unit, applied=replace(unit.applied, variables=variables))


def _written_instances(files: _Files) -> Iterator[_Created]:
    """Yield what the instances in the files create."""
    for path in sorted(files.written):
        for document in files.written[path]:
            objects = instance_objects(document, (), files.objects) if is_instance(document) else ()
            if objects:
                yield _Created(path.rpartition("/")[0], objects)


class _Graph:
    """Walks from the roots to the declarations that they render. An object, because all steps read the same files."""

    def __init__(self, files: _Files, created: Sequence[_Created]) -> None:
        self._files = files
        self.discovered: dict[str, _Created] = {}
        """What instances create that were found among rendered objects."""
        self._known = {one.key for one in created}
        self._configs: dict[Identity, Document] = {}
        written = files.written
        documents = [(path, one) for path in sorted(written.keys() - files.patched) for one in written[path]]
        self._created = [(one, self._unit(one.objects[-1], one.objects)) for one in created]
        # If a FluxInstance names this repository by an old name, its Kustomizations still belong to these files.
        here = chain.from_iterable(one.objects for one, unit in self._created if unit)
        self._kustomizations = [(path, one) for path, one in documents if flux.is_kustomization(one)]
        self._sources = tuple(filter(flux.makes_source, (*here, *(one for _, one in documents))))
        units = [(one, self._unit(one, self._sources)) for _, one in self._kustomizations]
        units += [(one.objects[-1], unit) for one, unit in self._created]
        self._units = [(one, unit) for one, unit in units if unit]
        self._appliers = {path: [one for one, unit in units if unit and path in unit.files] for path in written}
        unapplied = [(path, one) for path, one in documents if not self._appliers[path]]
        sets = [(path, one) for path, one in unapplied if is_resource_set(one)]
        made = [(path, one) for path, each in sets for one in self._made_by(each, ())]
        self._kustomizations += [(path, one) for path, one in made if flux.is_kustomization(one)]
        self._kustomizations = [each for each in self._kustomizations if not self._is_unlisted(*each)]
        loose = [(path, one) for path, one in (*unapplied, *made) if not flux.is_kustomization(one)]
        roots = {path for path, _ in self._kustomizations}
        # The source in the file of a root is that of its cluster alone.
        is_beside = [flux.makes_source(one) and path in roots for path, one in loose]
        self._beside = [one for (_, one), is_own in zip(loose, is_beside, strict=True) if is_own]
        self.loose = tuple(one for (_, one), is_own in zip(loose, is_beside, strict=True) if not is_own)
        self._loose_sources = tuple(filter(flux.makes_source, self.loose))

    def clusters(self) -> DeclaringObjects:
        """Return the declaring objects of each cluster."""
        known: dict[str, list[Document]] = {}
        reached: set[str] = set()
        for one, unit in self._created:
            cluster = (unit.root if unit else one.home) or "."
            self._follow(one.objects, cluster, known.setdefault(cluster, []), reached)
        clusters, created = self._roots(), frozenset(reached)
        for cluster, roots in clusters.items():
            # Another cluster may apply the folder of a root that applies itself.
            left = [one for path, one in roots if path not in (created if self._own_cluster(path, one) else reached)]
            self._follow(left, cluster, known.setdefault(cluster, []), reached)
        followed = {id(root) for roots in clusters.values() for _, root in roots}
        for path, root in self._kustomizations:
            if path not in reached and id(root) not in followed:
                cluster = self._own_cluster(path, root) or path.rpartition("/")[0] or "."
                self._follow([root], cluster, known.setdefault(cluster, []), reached)
        return known

    def _roots(self) -> Mapping[str, Sequence[tuple[str, Document]]]:
        """Return the root Kustomizations by cluster: no Kustomization applies them, except one of the same name."""
        roots = [(path, root) for path, root in self._kustomizations if self._is_root(path, root)]
        own = [self._own_cluster(*each) for each in roots]
        unapplied = [each for each, cluster in zip(roots, own, strict=True) if not cluster]
        homes = home_folders((path.rpartition("/")[0], one.ref.identity) for path, one in unapplied)
        found: dict[str, list[tuple[str, Document]]] = {}
        for each, cluster in zip(roots, own, strict=True):
            found.setdefault(cluster or homes[each[0].rpartition("/")[0]] or ".", []).append(each)
        return found

    def _is_root(self, path: str, document: Document) -> bool:
        others = [one for one in self._appliers[path] if one is not document]
        is_same_name = all(one.ref.identity == document.ref.identity for one in others)
        return not others or (is_same_name and bool(self._own_cluster(path, document)))

    def _is_unlisted(self, path: str, document: Document) -> bool:
        """Return whether a file is in a folder whose kustomization is applied by another object and leaves it out."""
        graph = self._files.found.layout.graph
        home = next((one for one in _folders_of(path) if one in graph.kustomizations), None)
        if home is None or self._appliers[path]:
            return False
        file = graph.file_of[home]
        return any(file in unit.files and one is not document for one, unit in self._units)

    def _own_cluster(self, path: str, root: Document) -> str:
        """Return the path of a root that applies its own file, which is the name of its cluster, else ``""``."""
        unit = self._unit(root, self._sources)
        return unit.root or "." if unit and path in unit.files else ""

    def _follow(self, roots: Sequence[Document], cluster: str, known: list[Document], reached: set[str]) -> None:
        """Add the declaring objects below roots to ``known``, and the files that they are from to ``reached``."""
        seen = {one.ref.identity for one in known}
        files: frozenset[str] = frozenset()
        sources = [*filter(flux.makes_source, known), *self._loose_sources]
        queue, waiting = deque(roots), deque[Document]()
        queue.extend(one for one in self._beside if any(one.file == root.file for root in roots))
        while queue or waiting:
            # A source may be declared after the Kustomizations that read it.
            is_last = not queue
            document = (queue or waiting).popleft()
            if document.ref.identity in seen:
                continue
            declared = _declaration(document, sources)
            if not is_last and declared and _lacks_source(declared):
                waiting.append(document)
                continue
            seen.add(document.ref.identity)
            known.append(document)
            if flux.makes_source(document):
                sources.append(document)
            self._discover(document, cluster)
            queue.extend(self._made_by(document, known))
            unit = self._built_unit(declared) if declared else None
            if unit:
                files |= unit.files
                queue.extend(self._declared_by(with_variables(self._files.sources, unit, files), reached))

    def _discover(self, document: Document, cluster: str) -> None:
        """Remember what an instance among rendered objects creates."""
        if is_instance(document):
            objects = instance_objects(document, self._configs.values(), self._files.objects)
            created = _Created(cluster, objects)
            if objects and created.key not in self._known:
                self.discovered[created.key] = created

    def _made_by(self, document: Document, known: Sequence[Document]) -> Iterator[Document]:
        """Yield the declaring objects that a ResourceSet creates."""
        if is_resource_set(document):
            made = set_objects(document, known, self._files.objects)
            yield from (one for one in made if flux.is_declaring(one))

    def _declared_by(self, unit: Unit, reached: set[str]) -> Iterator[Document]:
        """Yield the declaring objects that a unit renders."""
        written, side = self._files.written, self._files.side
        paths = sorted(unit.files & written.keys())
        declaring = [path for path in paths if any(map(_declares_others, written[path]))]
        reached.update(declaring)
        if not declaring:
            # Kustomizations of other files may name them.
            every = (one for path in paths for one in written[path])
            yield from (one for one in every if flux.makes_source(one) or flux.is_source(one))
            return
        kinds = {(one.ref.group, one.ref.kind) for path in paths for one in written[path]}
        rendered = render_unit(side, unit) if is_rendered(unit) else read_folder(side, unit, paths)
        self._configs |= {one.ref.identity: one for one in rendered.documents if one.ref.kind == "ConfigMap"}
        is_broken = rendered.problems and not rendered.documents
        documents = chain.from_iterable(written[path] for path in paths) if is_broken else rendered.documents
        for one in documents:
            if (one.ref.group, one.ref.kind) in kinds:
                # What a known unit applies unchanged is the source of itself.
                yield one if is_broken else replace(one, source=one.source or one.object)

    def _unit(self, document: Document, others: Iterable[Document]) -> Unit | None:
        """Return the unit that a Kustomization applies, or ``None`` if it is of other files."""
        declared = _declaration(document, others)
        return self._built_unit(declared) if declared else None

    def _built_unit(self, declared: Declared) -> Unit | None:
        """Return the unit of a declaration, or ``None`` if it is of other files."""
        located = locate(declared, self._files.checkout, self._files.found)
        return None if located.elsewhere else built_unit(self._files.found, located)


def _declaration(document: Document, others: Iterable[Document]) -> Declared | None:
    """Return what a Kustomization declares; its doubts say whether its source is not among other objects."""
    if not flux.is_kustomization(document):
        return None
    return next(flux.declarations([document], others), None)


def _lacks_source(declared: Declared) -> bool:
    """Return whether the source of a Kustomization is not among the known objects, or is assumed."""
    return bool(declared.applied.doubts) or bool(declared.other_source and not declared.source)


def _folders_of(path: str) -> Iterator[str]:
    """Yield the folder of a file and those above it, the nearest one first."""
    while path:
        path = path.rpartition("/")[0]
        yield path


def _declares_others(document: Document) -> bool:
    """Return whether an object may make others that declare applies, or applies a chart of the repository.

    Applications of Argo CD also depend on the Secrets of clusters.
    """
    is_maker = flux.is_kustomization(document) or is_resource_set(document) or is_instance(document)
    is_of_argo_cd = declares_applications(document.ref) or bool(declared_clusters([document]))
    return is_maker or is_of_argo_cd or flux.may_have_chart_in_git(document)
