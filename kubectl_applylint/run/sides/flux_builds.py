"""Builds the Kustomizations of Flux from the files of a side."""

from collections.abc import Callable
from functools import cache, partial

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.values import mapping, text_at
from kubectl_applylint.run.sides.line_positions import declaring_document
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.run.sides.source_trees import SourceError, composed_tree, own_tree, packed_tree, stored_tree
from kubectl_applylint.sources.text.manifests import Input
from kubectl_applylint.tools.flux.build import SourceTree, build
from kubectl_applylint.tools.flux.substitution import Variables
from kubectl_applylint.units.model import Unit


def builder(side: Side) -> Callable[[Unit], Input]:
    """Return a function that builds the unit of a Kustomization; each unit is built once."""
    trees, composed = cache(partial(_source_tree, side)), cache(partial(composed_tree, side))

    def build_unit(unit: Unit) -> Input:
        if unit.applied.includes:
            return _build_composed(unit, composed)
        return _build_stored(unit) if unit.applied.fetched_source else _build(unit, trees(unit.applied.source_ignore))

    return cache(build_unit)


def _build_composed(unit: Unit, composed: Callable[..., SourceTree]) -> Input:
    """Return the objects of a unit whose source includes other git repositories.

    Without the files of one of them, nothing of the unit is rendered: they may be in any folder.
    """
    applied = unit.applied
    try:
        tree = composed(applied.fetched_source, applied.includes, applied.source_ignore)
    except SourceError as error:
        message = f"{unit.root} is not rendered: {error}"
        return Input(problems=(Problem(applied.reason.place, message, error.advice, is_refused=error.is_certain),))
    return _build(unit, tree, path=text_at(applied.tool_object or {}, "spec", "path"))


def _build_stored(unit: Unit) -> Input:
    """Return the objects of a unit whose files are in another git repository or an OCI artifact."""
    applied, source = unit.applied, unit.applied.fetched_source
    try:
        tree = packed_tree(stored_tree(source), applied.source_ignore)
    except SourceError as error:
        message = f"{unit.root} is not rendered: {error}"
        return Input(problems=(Problem(applied.reason.place, message, error.advice),))
    return _build(unit, tree, path=text_at(applied.tool_object or {}, "spec", "path"))


def _source_tree(side: Side, ignore: str) -> SourceTree:
    return packed_tree(own_tree(side), ignore)


def _build(unit: Unit, tree: SourceTree, path: str | None = None) -> Input:
    """Return the objects of a unit; ``path`` is that in the source, by default the root of the unit."""
    declared, known = declaring_document(unit), unit.applied.variables
    # The path inside an artifact that is copied from the repository is another one than that of the repository.
    spec = {**mapping(declared.object.get("spec")), "path": unit.root if path is None else path}
    declared = replace(declared, object={**declared.object, "spec": spec})
    variables = Variables(dict(known.values), known.others, known.fault)
    built = build(declared, tree, variables, is_strict=known.is_strict, is_rendered=not unit.may_be_patched)
    has_holes = any(built.holes)
    return replace(built.input, holes=(*built.input.holes, *(known.holes if has_holes else ())))
