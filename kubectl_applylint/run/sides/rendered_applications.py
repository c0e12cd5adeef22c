"""Objects that declare Applications among those that Applications, charts and kustomizations render, in rounds."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.state import Identity
from kubectl_applylint.core.values import equal
from kubectl_applylint.run.sides.named_objects import NamedObjects
from kubectl_applylint.run.sides.renders import has_kustomize_charts, is_rendered, prepare, render_unit
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.tools.argocd.declarations import ARGO_TOOL, declares_applications
from kubectl_applylint.tools.flux import declarations as flux
from kubectl_applylint.units.finder import NO_CLUSTER, DeclaringObjects, declarations
from kubectl_applylint.units.model import Applied, Form, Unit
from kubectl_applylint.units.remotes import Checkout, locate
from kubectl_applylint.units.tree import Tree

_SIGNS: Final = ("argoproj.io", "targetRevision", "kustomize.toolkit.fluxcd.io")
"""The words in a chart that renders Applications or Kustomizations: their group, or a field in its values."""
_MAKING: Final = regex(
    rb"""targetRevision|kustomize\.toolkit\.fluxcd\.io|kind["']?[ \t]*:[ \t]*["']?(?:Application|ApplicationSet|\{\{)"""
)
_TEMPLATES: Final = "/templates/"
_BY_HAND: Final = Applied().tool
"""The tool of units that no object declares."""


@dataclass(frozen=True, slots=True)
class DeclaredApplications:
    """The objects of a side that declare applies, by cluster.

    ``undeclared`` are the clusters of charts that nothing declares, each with the objects that it was rendered with
    and that no Application has rendered since. ``changed`` are the objects of files that units render in another way
    than they are written, with their files.
    """

    objects: DeclaringObjects
    undeclared: Mapping[str, frozenset[Identity]] = field(default_factory=dict)
    changed: frozenset[tuple[Identity, str]] = frozenset()


_Rendered = tuple[Unit, Sequence[Document]]


def with_rendered_applications(
    side: Side, found: Tree, units: Sequence[Unit], known: DeclaredApplications, checkout: Checkout
) -> DeclaredApplications:
    """Return the ``known`` objects with those that units render; charts that nothing declares come last.

    Such a chart is the root of a cluster if no other one has an Application for it. What an Application renders counts
    more than what its chart renders without it. ``known`` is returned if no unit renders others.
    """
    objects = NamedObjects(side)
    rendered = [*_rendered_by_applications(side, units, objects), *_rendered_by_charts(side, units)]
    now = _with_objects(side, found, known, rendered)
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


def _rendered_by_charts(side: Side, units: Iterable[Unit]) -> Iterator[_Rendered]:
    """Yield the HelmReleases, and the kustomizations that are built by hand, with charts that render Applications."""
    every = list(units)
    releases = [one for one in every if one.form is Form.RELEASE and one.applied.tool == Applier.FLUX]
    kustomizations = [one for one in every if one.form is Form.KUSTOMIZATION and one.applied.tool == _BY_HAND]
    made = [one for one in _making_applications(side, kustomizations) if has_kustomize_charts(side, one.files)]
    making = [*_making_applications(side, releases), *made]
    prepare((side, unit) for unit in making)
    yield from ((unit, _declaring(side, unit)) for unit in making)


def _undeclared_roots(
    side: Side, found: Tree, units: Iterable[Unit], known: DeclaredApplications, checkout: Checkout
) -> Iterator[_Rendered]:
    """Yield the charts that neither an object nor another chart applies, each with its objects that declare applies."""
    charts = [one for one in units if one.form is Form.CHART and one.declaring_cluster != one.applied.cluster]
    charts = [one for one in charts if one.declaring_cluster not in known.undeclared]
    making = [*_making_applications(side, charts)] if charts else []
    prepare((side, unit) for unit in making)
    clusters = NamedObjects(side).clusters if making else ()
    rendered = [(unit, _with_clusters(documents, clusters)) for unit in making if (documents := _declaring(side, unit))]
    left_out: set[str] = set()
    for unit, documents in rendered:
        others = (each for one, each in rendered if one.root != unit.root and one.root not in left_out)
        if any(unit.root in _folders(side, found, each, checkout) for each in others):
            left_out.add(unit.root)
        else:
            yield unit, documents


def _making_applications(side: Side, units: Iterable[Unit]) -> Iterator[Unit]:
    """Yield the units that may render Applications, by the texts of their charts and values."""
    mentioning = side.mentioning(_SIGNS)
    for unit in units if mentioning else ():
        declaring = unit.applied.reason.file
        names = (path for path in unit.files if side.label(path) != declaring)
        texts = side.contents([path for path in names if path in mentioning or path.endswith(".tpl")])
        spec = json.dumps((unit.applied.tool_object or {}).get("spec"), default=str).encode()
        if any(map(_MAKING.search, (spec, *texts.values()))):
            yield unit


def _folders(side: Side, found: Tree, documents: Sequence[Document], checkout: Checkout) -> frozenset[str]:
    """Return the folders of the repository that objects apply."""
    declared = declarations(found.files, side.content, {"chart": documents}, checkout, ["chart"])
    located = (locate(one, checkout, found) for one in declared if not one.applied.gap)
    return frozenset(path for one in located if not one.elsewhere for path in (one.path, *one.folders))


def _declaring(side: Side, unit: Unit) -> Sequence[Document]:
    return [one for one in render_unit(side, unit).documents if declares_applications(one.ref) or _is_of_flux(one)]


def _is_of_flux(document: Document) -> bool:
    """Return whether an object is a Kustomization of Flux or a source; HelmReleases are units wherever they are."""
    return flux.is_kustomization(document) or flux.makes_source(document)


def _with_clusters(documents: Sequence[Document], clusters: Sequence[Document]) -> Sequence[Document]:
    """Return objects with the Secrets of clusters, if one of them may generate Applications for these."""
    return [*documents, *clusters] if any(one.ref.kind == "ApplicationSet" for one in documents) else documents


def _with_objects(
    side: Side, found: Tree, known: DeclaredApplications, rendered: Sequence[_Rendered]
) -> DeclaredApplications:
    """Return the ``known`` objects with rendered ones, without those in the templates that these are from.

    If two units of a cluster render different objects of one name, they apply to two clusters.
    """
    for unit, documents in rendered:
        made = {one.ref.identity: one for one in documents}
        known = _without_assumed(known, unit.declaring_cluster, made.keys())
        known = _without_written(known, _templates(side, found, unit)) if made else known
        others, own = _divide(known, unit.declaring_cluster, made)
        known = _without_changed(known, own)
        known = _with_new(_with_new(known, unit.declaring_cluster, own), unit.shown, others)
    return known


def _without_assumed(known: DeclaredApplications, cluster: str, names: Collection[Identity]) -> DeclaredApplications:
    """Return the ``known`` objects without those of names that only a chart has rendered that nothing declares."""
    assumed = known.undeclared.get(cluster, frozenset()).intersection(names)
    if not assumed:
        return known
    kept = [one for one in known.objects.get(cluster, ()) if one.ref.identity not in assumed]
    undeclared = {**known.undeclared, cluster: known.undeclared[cluster] - assumed}
    return replace(known, objects={**known.objects, cluster: kept}, undeclared=undeclared)


def _without_written(known: DeclaredApplications, templates: Collection[str]) -> DeclaredApplications:
    """Return the ``known`` objects without those that are written in templates."""
    every = known.objects.get(NO_CLUSTER, ())
    written = [one for one in every if one.is_templated or one.file not in templates]
    return known if len(written) == len(every) else replace(known, objects={**known.objects, NO_CLUSTER: written})


def _without_changed(known: DeclaredApplications, made: Iterable[Document]) -> DeclaredApplications:
    """Return the ``known`` objects without those that are written in a file and that a unit renders in another way."""
    objects = {_place(one): one.object for one in made if not one.is_templated}
    every = known.objects.get(NO_CLUSTER, ())
    changed = {_place(one) for one in every if not equal(objects.get(_place(one), one.object), one.object)}
    if not changed:
        return known
    kept = [one for one in every if _place(one) not in changed]
    return replace(known, objects={**known.objects, NO_CLUSTER: kept}, changed=known.changed | changed)


def _place(document: Document) -> tuple[Identity, str]:
    return document.ref.identity, document.file


def _divide(
    known: DeclaredApplications, cluster: str, made: Mapping[Identity, Document]
) -> tuple[Sequence[Document], Sequence[Document]]:
    """Return the objects that differ from rendered ones of the same name, as in another cluster, and all others."""
    every = known.objects.get(cluster, ())
    objects = {one.ref.identity: one.object for one in every if one.is_templated or _place(one) in known.changed}
    differing = {name for name, one in made.items() if not equal(objects.get(name, one.object), one.object)}
    others, own = ([one for name, one in made.items() if (name in differing) is is_other] for is_other in (True, False))
    return others, own


def _with_new(known: DeclaredApplications, cluster: str, documents: Iterable[Document]) -> DeclaredApplications:
    """Return the ``known`` objects with those of a cluster that are new."""
    every = known.objects.get(cluster, ())
    names = {one.ref.identity for one in every}
    new = [one for one in documents if one.ref.identity not in names]
    return replace(known, objects={**known.objects, cluster: [*every, *new]}) if new else known


def _templates(side: Side, found: Tree, unit: Unit) -> frozenset[str]:
    """Return the displayed names of the templates among the files of a unit."""
    paths = (path for path in unit.files if _TEMPLATES in f"/{path}")
    charts = found.layout.with_chart
    return frozenset(side.label(path) for path in paths if f"/{path}".partition(_TEMPLATES)[0][1:] in charts)
