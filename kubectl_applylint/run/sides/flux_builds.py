"""Builds the Kustomizations of Flux from the files of a side."""

from collections.abc import Callable, Collection, Mapping
from functools import cache, partial

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import mapping
from kubectl_applylint.run.sides.line_positions import LinePositions
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.sources.text.classify import KUSTOMIZATION_FILES
from kubectl_applylint.sources.text.manifests import Input
from kubectl_applylint.tools.flux.build import SourceTree, build
from kubectl_applylint.tools.flux.source_files import packed_files
from kubectl_applylint.tools.flux.substitution import Variables
from kubectl_applylint.units.model import Unit


def builder(side: Side) -> Callable[[Unit], Input]:
    """Return a function that builds the unit of a Kustomization; each unit is built once."""
    trees = cache(partial(_source_tree, side))
    return cache(lambda unit: _build(unit, trees(unit.applied.source_ignore)))


def _source_tree(side: Side, ignore: str) -> SourceTree:
    paths = side.paths.difference(side.link_ends)
    return SourceTree(packed_files(paths, side.content, ignore), partial(_contents, side), side.label, side.fault)


def _contents(side: Side, paths: Collection[str]) -> Mapping[str, bytes]:
    """Return the contents of files; kustomizations come from the cache of the side, as each is read several times."""
    named = (path for path in paths if path.rpartition("/")[2] in KUSTOMIZATION_FILES)
    known = {path: text for path in named if (text := side.content(path))}
    others = [path for path in paths if path not in known]
    return {**known, **side.contents(others)} if others else known


def _build(unit: Unit, tree: SourceTree) -> Input:
    applied, why = unit.applied, unit.applied.reason
    # The path inside an artifact that is copied from the repository is another one than that of the repository.
    item = applied.tool_object or {}
    item = {**item, "spec": {**mapping(item.get("spec")), "path": unit.root}}
    declared = Document(why.file, 0, item, ref_of(item), LinePositions(why.line))
    known = applied.variables
    built = build(declared, tree, Variables(dict(known.values), known.others, known.fault))
    has_holes = any(built.holes)
    return replace(built.input, holes=(*built.input.holes, *(known.holes if has_holes else ())))
