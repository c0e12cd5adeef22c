"""Builds the Kustomizations of Flux from the files of a side."""

from collections.abc import Callable
from functools import cache, partial

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.values import mapping, text_at
from kubectl_applylint.run.sides.line_positions import declaring_document
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.run.sides.source_trees import SourceError, composed_tree
from kubectl_applylint.sources.text.manifests import Input
from kubectl_applylint.tools.flux.build import SourceTree, build
from kubectl_applylint.tools.flux.declarations import applied_folder
from kubectl_applylint.tools.flux.substitution import Variables
from kubectl_applylint.units.model import Unit


def builder(side: Side) -> Callable[[Unit], Input]:
    """Return a function that builds the unit of a Kustomization; each unit is built once."""
    return cache(partial(_build_unit, cache(partial(composed_tree, side))))


def _build_unit(tree_of: Callable[..., SourceTree], unit: Unit) -> Input:
    """Return the objects of a unit.

    Without the files of a repository that its source includes, nothing is rendered: they may be in any folder.
    """
    applied = unit.applied
    path = applied_folder(text_at(applied.tool_object or {}, "spec", "path"))
    try:
        tree = tree_of(applied.fetched_source, applied.includes, applied.source_filter)
    except SourceError as error:
        message = f"{unit.root} is not rendered: {error}"
        return Input(problems=(Problem(applied.reason.place, message, error.advice, is_refused=error.is_certain),))
    return _build(unit, tree, path if applied.fetched_source or applied.includes else unit.root)


def _build(unit: Unit, tree: SourceTree, path: str) -> Input:
    """Return the objects of a unit; ``path`` is that in its source."""
    if unit.applied.source_filter.sparse and not any(one.startswith(f"{path}/".lstrip("/")) for one in tree.files):
        message = f"Flux cannot build it: sparseCheckout of its source leaves out its path {path or '.'}"
        advice = "add it to spec.sparseCheckout"
        return Input(problems=(Problem(unit.applied.reason.place, message, advice, is_refused=True),))
    declared, known = declaring_document(unit), unit.applied.variables
    # The path inside an artifact that is copied from the repository is another one than that of the repository.
    spec = {**mapping(declared.object.get("spec")), "path": path}
    declared = replace(declared, object={**declared.object, "spec": spec})
    variables = Variables(dict(known.values), known.others, known.fault)
    built = build(declared, tree, variables, is_strict=known.is_strict, is_rendered=not unit.may_be_patched)
    used = built.unknown_variables
    place = unit.applied.reason.place
    values = (replace(hole, path=place) for name, hole in known.secrets if used and (not name or name in used))
    return replace(built.input, holes=(*built.input.holes, *values))
