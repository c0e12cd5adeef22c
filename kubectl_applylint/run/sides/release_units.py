"""The HelmReleases and Applications among the objects of a unit, as units with all that they are rendered from."""

import json
import posixpath
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain
from typing import Final

from kubectl_applylint.core.documents import Document, in_namespace
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.state import namespaced_name
from kubectl_applylint.core.values import Json, dig, mapping, text_at, texts_at
from kubectl_applylint.run.sides.line_positions import declaring_document
from kubectl_applylint.run.sides.named_objects import NamedObjects
from kubectl_applylint.run.sides.renders import render_unit
from kubectl_applylint.run.sides.resource_sets import set_inputs
from kubectl_applylint.run.sides.rounds import Rounds
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.run.sides.stored_source import with_stored_source
from kubectl_applylint.run.sides.variable_sources import SECRET, data_of, value_hole
from kubectl_applylint.sources.text.encrypted import without_sops
from kubectl_applylint.tools.argocd.application_sources import ApplicationSource, sources_of
from kubectl_applylint.tools.argocd.declarations import ARGO_GROUP, ARGO_TOOL, application_units
from kubectl_applylint.tools.flux.chart_sources import release_chart, source_doubts
from kubectl_applylint.tools.flux.declarations import (
    SOURCE_GROUP,
    is_release,
    release_unit,
    resource_set_unit,
)
from kubectl_applylint.tools.flux.release_values import ValuesReference, values_references
from kubectl_applylint.tools.flux.resource_sets import is_resource_set
from kubectl_applylint.tools.flux.substitution import Source
from kubectl_applylint.units.model import Form, ReleaseInputs, Texts, Unit
from kubectl_applylint.units.reading import reason

_CHART: Final = "HelmChart"
_DECLARING: Final = regex(
    rb"""kind[\\"']*[ \t]*:[ \t]*(?:[&!]\S+[ \t]+)?[\\"']*"""
    rb"""(?:(?:HelmRelease|ResourceSet|Application|ApplicationSet)\b|\{\{)"""
)
"""Matches a kind that declares units, or one that a template fills in."""


def release_units(
    documents: Sequence[Document], cluster: str, objects: NamedObjects, remotes: Collection[str] = ()
) -> tuple[Unit, ...]:
    """Return the units of the HelmReleases, ResourceSets and Applications among the objects of a unit of a cluster.

    ``objects`` finds sources and values that other units apply, as they are written; ``remotes`` are the URLs of the
    repository.
    """
    releases = (
        _with_inputs(release_unit(one, cluster), one, documents, objects) for one in documents if is_release(one)
    )
    return (*releases, *_set_units(documents, cluster, objects), *_applications(documents, cluster, objects, remotes))


def _applications(
    documents: Iterable[Document], cluster: str, objects: NamedObjects, remotes: Collection[str]
) -> Iterator[Unit]:
    declaring = [one for one in documents if one.ref.group == ARGO_GROUP]
    if declaring:
        side = objects.side
        declaring += objects.clusters if any(one.ref.kind == "ApplicationSet" for one in declaring) else ()
        for one in map(with_stored_source, application_units(declaring, side.paths, side.content, remotes)):
            installation = objects.installation_of(one.applied.tool_object or {})
            # What is not rendered changes with the generators that are not evaluated.
            generators = one.applied.unknown_generators if one.applied.gap else ""
            applied = replace(one.applied, cluster=cluster, installation=installation, source_identity=generators)
            yield replace(one, applied=applied)


def nested_release_units(
    side: Side,
    documents: Sequence[Document],
    cluster: str,
    objects: NamedObjects,
    remotes: Collection[str] = (),
    *,
    rounds: Rounds | None = None,
) -> tuple[Unit, ...]:
    """Return the units of ``release_units``, and those among the objects of these ResourceSets and Applications.

    ``rounds`` leaves out those that are declared without end.
    """
    rounds, found, queue = rounds or Rounds(), list[Unit](), [documents]
    while queue:
        declared = chain.from_iterable(release_units(one, cluster, objects, remotes) for one in queue)
        units = rounds.following(declared, _itself)
        found += units
        queue = [render_unit(side, one).documents for one in units if may_declare_units(one, objects)]
    return tuple(found)


def _itself(unit: Unit) -> Unit:
    return unit


def may_declare_units(unit: Unit, objects: NamedObjects) -> bool:
    """Return whether there may be units among the objects of a unit, by the texts that these are made from.

    Rendering all units would start a program for each.
    """
    if unit.form is Form.RESOURCE_SET:
        return True
    if unit.form is Form.RELEASE:
        sources = [one for one in sources_of(unit.applied.tool_object or {}) if one.path and not one.chart]
        return unit.applied.tool == ARGO_TOOL and any(_is_declaring(one, objects) for one in sources)
    return any(map(_DECLARING.search, objects.side.contents(unit.files).values()))


def _is_declaring(source: ApplicationSource, objects: NamedObjects) -> bool:
    """Return whether the values or the files of a source may have objects that declare units."""
    values = mapping(source.options.get("helm"))
    names = {posixpath.basename(one) for one in texts_at(values, "valueFiles")}
    start = f"{source.path.strip('./')}/".lstrip("/")
    if any(path.startswith(start) for path in objects.jsonnet_files(_DECLARING)):
        return True
    declaring = objects.matching((ARGO_GROUP,), _DECLARING)
    return bool(_DECLARING.search(json.dumps(values, default=str).encode())) or any(
        path.startswith(start) or posixpath.basename(path) in names for path in declaring
    )


def _set_units(documents: Sequence[Document], cluster: str, objects: NamedObjects) -> Iterator[Unit]:
    for document in documents:
        if is_resource_set(document):
            inputs = set_inputs(document, documents, objects)
            yield resource_set_unit(document, cluster, json.dumps(inputs.sets), inputs.reason)


def _with_inputs(unit: Unit, release: Document, documents: Sequence[Document], objects: NamedObjects) -> Unit:
    found = release_chart(release, [*documents, *source_objects(release, objects)])
    place = reason(found.document or release, ()).place
    inputs = ReleaseInputs(found.source, found.reason, place, values_files=found.values_files)
    applied = replace(
        unit.applied,
        release=inputs,
        source_identity=found.identity,
        doubts=tuple(source_doubts(found.document)) if found.document else (),
    )
    return _with_values(replace(unit, applied=applied), release, documents, objects)


def with_values(unit: Unit, documents: Sequence[Document], objects: NamedObjects) -> Unit:
    """Return the unit of a HelmRelease with the values that it reads from objects, first those among ``documents``."""
    return _with_values(unit, declaring_document(unit), documents, objects)


def _with_values(unit: Unit, release: Document, documents: Sequence[Document], objects: NamedObjects) -> Unit:
    names = [(one, _values_object(one, release, documents, objects)) for one in values_references(release.object)]
    namespace = release.ref.namespace
    values = tuple(
        (one.kind, namespace, one.name, _frozen(data_of(one.kind, one.name, item, is_optional=one.is_optional)))
        for one, item in names
    )
    holes = tuple(
        value_hole("values", namespaced_name(namespace, one.name), release.file, item and without_sops(item.object))
        for one, item in names
        if one.kind == SECRET
    )
    inputs = replace(unit.applied.release, values=values, holes=holes)
    return replace(unit, applied=replace(unit.applied, release=inputs))


def _values_object(
    reference: ValuesReference, release: Document, documents: Iterable[Document], objects: NamedObjects
) -> Document | None:
    """Return the object that a reference of ``valuesFrom`` names: one of the same unit, else one in the files."""
    ref = ("", reference.kind, release.ref.namespace, reference.name)
    own = next((one for one in documents if one.ref.identity == ref), None)
    return own or objects.nearest(("", reference.kind), release.ref.namespace, reference.name, file=release.file)


def source_objects(release: Document, objects: NamedObjects) -> Iterator[Document]:
    """Yield the source of a chart as it is written, and the source of that, if it is a ``HelmChart``.

    The chart is that of a HelmRelease, or of a ``HelmChart``.
    """
    spec = release.object.get("spec")
    for reference in (dig(spec, "chartRef"), dig(spec, "chart", "spec", "sourceRef"), dig(spec, "sourceRef")):
        found = _source(reference, release, objects)
        if found:
            yield found
        if found and found.ref.kind == _CHART:
            inner = _source(dig(found.object, "spec", "sourceRef"), release, objects)
            yield from [inner] if inner else []


def _source(reference: Json, release: Document, objects: NamedObjects) -> Document | None:
    kind, name = text_at(reference, "kind"), text_at(reference, "name")
    home = text_at(reference, "namespace") or release.ref.namespace
    if not (kind and name):
        return None
    found = objects.nearest((SOURCE_GROUP, kind), home, name, file=release.file)
    return in_namespace(found, home) if found else None


def _frozen(data: Source) -> Texts:
    return tuple(sorted(data.items())) if isinstance(data, dict) else data  # type: ignore[return-value]  # a dict else
