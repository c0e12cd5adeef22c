"""Objects that declare Applications among those that Applications and charts render, found in rounds."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.state import Identity
from kubectl_applylint.run.sides.named_objects import NamedObjects
from kubectl_applylint.run.sides.renders import is_rendered, prepare, render_unit
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.tools.argocd.declarations import ARGO_TOOL, declares_applications
from kubectl_applylint.units.finder import NO_CLUSTER, DeclaringObjects, declarations
from kubectl_applylint.units.model import Form, Unit
from kubectl_applylint.units.remotes import Checkout, locate
from kubectl_applylint.units.tree import Tree

_SIGNS: Final = ("argoproj.io", "targetRevision")
"""The words in a chart that renders Applications: their group, or a field of them in its values."""
_MAKING: Final = regex(rb"""targetRevision|kind["']?[ \t]*:[ \t]*["']?(?:Application|ApplicationSet|\{\{)""")
_TEMPLATES: Final = "/templates/"


@dataclass(frozen=True, slots=True)
class DeclaredApplications:
    """The objects of a side that declare applies, by cluster.

    ``undeclared`` are the clusters of charts that nothing declares, each with the objects that it was rendered with
    and that no Application has rendered since.
    """

    objects: DeclaringObjects
    undeclared: Mapping[str, frozenset[Identity]] = field(default_factory=dict)


_Rendered = tuple[Unit, Sequence[Document]]


def with_rendered_applications(
    side: Side, found: Tree, units: Sequence[Unit], known: DeclaredApplications, checkout: Checkout
) -> DeclaredApplications:
    """Return the ``known`` objects with those that units render; charts that nothing declares come last.

    Such a chart is the root of a cluster if no other one has an Application for it. What an Application renders counts
    more than what its chart renders without it. ``known`` is returned if no unit renders others.
    """
    objects = NamedObjects(side)
    now = _with_objects(side, found, known, [*_rendered_by_applications(side, units, objects)])
    if now is not known:
        return now
    roots = [*_undeclared_roots(side, found, units, known, checkout)]
    made = _with_objects(side, found, known, roots)
    new = {unit.declaring_cluster: frozenset(one.ref.identity for one in documents) for unit, documents in roots}
    return replace(made, undeclared={**known.undeclared, **new}) if new else known


def _rendered_by_applications(side: Side, units: Iterable[Unit], objects: NamedObjects) -> Iterator[_Rendered]:
    """Yield the Applications that may declare others, each with those among its objects."""
    parents = [one for one in units if one.applied.tool == ARGO_TOOL and one.applied.applies_objects]
    parents = [one for one in parents if is_rendered(one)]
    if not parents:
        return
    from kubectl_applylint.run.sides.release_units import may_declare_units  # noqa: PLC0415  30 ms, for such units only

    for unit in parents:
        if may_declare_units(unit, objects):
            yield unit, _declaring(side, unit)


def _undeclared_roots(
    side: Side, found: Tree, units: Iterable[Unit], known: DeclaredApplications, checkout: Checkout
) -> Iterator[_Rendered]:
    """Yield the charts that neither an object nor another chart applies, each with its objects that declare applies."""
    charts = [one for one in units if one.form is Form.CHART and one.declaring_cluster != one.applied.cluster]
    charts = [one for one in charts if one.declaring_cluster not in known.undeclared]
    making = [*_making_applications(side, charts)] if charts else []
    prepare((side, unit) for unit in making)
    rendered = [(unit, documents) for unit in making if (documents := _declaring(side, unit))]
    left_out: set[str] = set()
    for unit, documents in rendered:
        others = (each for one, each in rendered if one.root != unit.root and one.root not in left_out)
        if any(unit.root in _folders(side, found, each, checkout) for each in others):
            left_out.add(unit.root)
        else:
            yield unit, documents


def _making_applications(side: Side, charts: Iterable[Unit]) -> Iterator[Unit]:
    """Yield the charts that may render Applications, by their texts."""
    mentioning = side.mentioning(_SIGNS)
    for unit in charts if mentioning else ():
        texts = side.contents([path for path in unit.files if path in mentioning or path.endswith(".tpl")])
        if any(map(_MAKING.search, texts.values())):
            yield unit


def _folders(side: Side, found: Tree, documents: Sequence[Document], checkout: Checkout) -> frozenset[str]:
    """Return the folders of the repository that objects apply."""
    declared = declarations(found.files, side.content, {"chart": documents}, checkout.remotes, ["chart"])
    located = (locate(one, checkout, found) for one in declared if not one.applied.gap)
    return frozenset(path for one in located if not one.elsewhere for path in (one.path, *one.folders))


def _declaring(side: Side, unit: Unit) -> Sequence[Document]:
    return [one for one in render_unit(side, unit).documents if declares_applications(one.ref)]


def _with_objects(
    side: Side, found: Tree, known: DeclaredApplications, rendered: Sequence[_Rendered]
) -> DeclaredApplications:
    """Return the ``known`` objects with rendered ones, without those in the templates that these are from."""
    for unit, documents in rendered:
        known = _with_unit(known, unit.declaring_cluster, documents, _templates(side, found, unit))
    return known


def _with_unit(
    known: DeclaredApplications, cluster: str, documents: Sequence[Document], templates: frozenset[str]
) -> DeclaredApplications:
    """Return the ``known`` objects with those that a unit of a cluster renders."""
    made = {one.ref.identity: one for one in documents}
    assumed = known.undeclared.get(cluster, frozenset()) & made.keys()
    written = [one for one in known.objects.get(NO_CLUSTER, ()) if one.is_templated or one.file not in templates]
    objects = {**known.objects, NO_CLUSTER: written} if made else known.objects
    kept = [one for one in objects.get(cluster, ()) if one.ref.identity not in assumed]
    new = [one for name, one in made.items() if name not in {one.ref.identity for one in kept}]
    if not new:
        return known
    undeclared = {**known.undeclared, cluster: known.undeclared[cluster] - assumed} if assumed else known.undeclared
    return DeclaredApplications({**objects, cluster: [*kept, *new]}, undeclared)


def _templates(side: Side, found: Tree, unit: Unit) -> frozenset[str]:
    """Return the displayed names of the templates among the files of a unit."""
    paths = (path for path in unit.files if _TEMPLATES in f"/{path}")
    charts = found.layout.with_chart
    return frozenset(side.label(path) for path in paths if f"/{path}".partition(_TEMPLATES)[0][1:] in charts)
