"""The objects that declare applies, as the units that declare them render them, cluster by cluster.

A Kustomization of Flux may be patched, renamed or written with variables by the Kustomization that applies it. So they
are read from rendered units, beginning with the roots: those that a FluxInstance creates, and those in files that no
other Kustomization applies.
"""

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.values import mapping
from kubectl_applylint.run.sides.renders import is_rendered, render_unit
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.run.sides.variable_sources import VariableSources
from kubectl_applylint.tools.flux import declarations as flux
from kubectl_applylint.tools.flux.instances import created_objects
from kubectl_applylint.units.finder import NO_CLUSTER, DeclaringObjects, built_unit
from kubectl_applylint.units.model import Unit
from kubectl_applylint.units.remotes import Checkout, locate
from kubectl_applylint.units.tree import Tree


def rendered_declarations(
    side: Side, written: Mapping[str, Sequence[Document]], found: Tree, checkout: Checkout
) -> DeclaringObjects:
    """Return the declaring objects of a side by cluster; ``written`` are those in its files, by path.

    If the unit that applies a file cannot be rendered, its objects are taken as they are written. Objects in files that
    no Kustomization applies are in no cluster.
    """
    graph = _Graph(side, written, found, checkout)
    return {NO_CLUSTER: graph.loose, **graph.clusters()}


def with_variables(sources: VariableSources, unit: Unit, files: Collection[str]) -> Unit:
    """Return a unit with the variables of its Kustomization; ``files`` are those that its cluster applies."""
    item = unit.applied.tool_object
    if item is None or "postBuild" not in mapping(item.get("spec")):
        return unit
    variables = sources.substitutes(item, unit.applied.reason.file, files)
    return replace(unit, applied=replace(unit.applied, variables=variables))


class _Graph:
    """Walks from the roots to the declarations that they render. An object, because all steps read the same files."""

    def __init__(self, side: Side, written: Mapping[str, Sequence[Document]], found: Tree, checkout: Checkout) -> None:
        self._side, self._written, self._found, self._checkout = side, written, found, checkout
        self.sources = VariableSources(side)
        documents = [(path, one) for path in sorted(written) for one in written[path]]
        created = ((path, created_objects(one)) for path, one in documents)
        self._created = [(path, objects, self._unit(objects[-1], objects)) for path, objects in created if objects]
        # If a FluxInstance names this repository by an old name, its Kustomizations still belong to these files.
        here = chain.from_iterable(objects for _, objects, unit in self._created if unit)
        self.documents = (*here, *(one for _, one in documents))
        self._kustomizations = [(path, one) for path, one in documents if flux.is_kustomization(one)]
        self._sources = tuple(filter(flux.makes_source, self.documents))
        units = [(one, self._unit(one, self._sources)) for _, one in self._kustomizations]
        units += [(objects[-1], unit) for _, objects, unit in self._created]
        self._appliers = {path: [one for one, unit in units if unit and path in unit.files] for path in written}
        loose = (path for path in sorted(written) if not self._appliers[path])
        self.loose = tuple(one for path in loose for one in written[path] if not flux.is_kustomization(one))
        self._loose_sources = tuple(filter(flux.makes_source, self.loose))

    def clusters(self) -> DeclaringObjects:
        """Return the declaring objects of each cluster."""
        known: dict[str, list[Document]] = {}
        reached: set[str] = set()
        for path, objects, unit in self._created:
            cluster = (unit.root if unit else path.rpartition("/")[0]) or "."
            self._follow(objects, cluster, known.setdefault(cluster, []), reached)
        for path, root in self._roots_first():
            if path not in reached:
                cluster = self._cluster(path, root)
                self._follow([root], cluster, known.setdefault(cluster, []), reached)
        return known

    def _roots_first(self) -> list[tuple[str, Document]]:
        """Return the Kustomizations; those that only they themselves apply come first."""
        return sorted(self._kustomizations, key=lambda each: any(one is not each[1] for one in self._appliers[each[0]]))

    def _cluster(self, path: str, root: Document) -> str:
        """Return the name of the cluster of a root: its own path if it applies itself, else its folder."""
        unit = self._unit(root, self._sources)
        return (unit.root if unit and path in unit.files else path.rpartition("/")[0]) or "."

    def _follow(self, roots: Iterable[Document], cluster: str, known: list[Document], reached: set[str]) -> None:
        """Add the declaring objects below roots to ``known``, and the files that they are from to ``reached``."""
        seen = {one.ref.identity for one in known}
        files: frozenset[str] = frozenset()
        sources = [*filter(flux.makes_source, known), *self._loose_sources]
        queue = deque(roots)
        while queue:
            document = queue.popleft()
            if document.ref.identity in seen:
                continue
            seen.add(document.ref.identity)
            known.append(document)
            if flux.makes_source(document):
                sources.append(document)
            unit = self._unit(document, sources) if flux.is_kustomization(document) else None
            if unit:
                files |= unit.files
                queue.extend(self._declared_by(with_variables(self.sources, unit, files), reached))

    def _declared_by(self, unit: Unit, reached: set[str]) -> Iterator[Document]:
        """Yield the declaring objects that a unit renders."""
        paths = sorted(unit.files & self._written.keys())
        declaring = [path for path in paths if any(map(flux.is_kustomization, self._written[path]))]
        reached.update(declaring)
        if not declaring:
            return
        kinds = {(one.ref.group, one.ref.kind) for path in paths for one in self._written[path]}
        rendered = render_unit(self._side, unit) if is_rendered(unit) else self._side.read(paths)
        is_broken = rendered.problems and not rendered.documents
        documents = chain.from_iterable(self._written[path] for path in paths) if is_broken else rendered.documents
        yield from (one for one in documents if (one.ref.group, one.ref.kind) in kinds)

    def _unit(self, document: Document, others: Iterable[Document]) -> Unit | None:
        """Return the unit that a Kustomization applies, or ``None`` if it is of other files."""
        for declared in flux.declarations([document], others):
            located = locate(declared, self._checkout, self._found.exists)
            return None if located.elsewhere else built_unit(self._found, located)
        return None
