"""Renders the charts of Applications of Argo CD: those of the store, and those of the repository."""

import posixpath
from collections.abc import Iterator, Mapping

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.values import mapping
from kubectl_applylint.run.load.reading import NEWEST_RECORDED
from kubectl_applylint.run.sides.chart_folders import MISSING, ChartError, files_of_chart
from kubectl_applylint.run.sides.line_positions import LinePositions
from kubectl_applylint.run.sides.side import API_VERSIONS, FETCH_ADVICE, VERSION, Side
from kubectl_applylint.sources.render.packed_chart import PackedChart, render_packed
from kubectl_applylint.sources.store import store
from kubectl_applylint.sources.store.chart_archive import ArchiveError
from kubectl_applylint.sources.text.manifests import Input
from kubectl_applylint.tools.argocd.application_sources import ApplicationSource, sources_of
from kubectl_applylint.tools.argocd.helm_options import ArgoHelmOptions, file_setting, helm_options
from kubectl_applylint.units.kustomizations import resolve_reference
from kubectl_applylint.units.model import Unit
from kubectl_applylint.units.reading import matching


def chart_objects(side: Side, unit: Unit, source: ApplicationSource, variables: Mapping[str, str]) -> Input:
    """Return the objects of the chart that a source names; a chart that is not available is a problem."""
    options = helm_options(mapping(source.options.get("helm")), variables)
    where = unit.applied.reason.place
    try:
        files = _stored_files(source) if source.chart else files_of_chart(side, source.path)
        values = tuple(_value_files(side, unit, source, options, files))
        settings = tuple(_file_settings(side, source, options, files))
    except ChartError as error:
        message = f"{unit.root} is not rendered: {error}"
        return Input(problems=(Problem(where, message, FETCH_ADVICE, reason=error.reason),))
    given = dict(unit.applied.options)
    packed = PackedChart(
        files,
        options.values,
        options.release,
        options.namespace,
        options.kubernetes or given.get(VERSION, NEWEST_RECORDED),
        options.api_versions or tuple(given.get(API_VERSIONS, ())),
        options.settings,
        values,
        (*options.text_settings, *settings),
        has_definitions=options.has_definitions,
        validates_values=options.validates_values,
        is_folder=not source.chart,
    )
    found = render_packed(packed, unit.applied.reason.file).input
    problems = (replace(one, where=where, message=f"{unit.root}: {one.message}") for one in found.problems)
    return replace(found, problems=tuple(problems), documents=tuple(_at_application(unit, found.documents)))


def _at_application(unit: Unit, documents: tuple[Document, ...]) -> Iterator[Document]:
    """Yield objects with the position of the Application."""
    why = unit.applied.reason
    for number, one in enumerate(documents):
        yield Document(why.file, number, one.object, one.ref, LinePositions(why.line), is_templated=True)


def _stored_files(source: ApplicationSource) -> Mapping[str, bytes]:
    chart = source.chart_source
    found = store.chart(chart) if chart else None
    if isinstance(found, store.MissingChart):
        raise ChartError(f"chart {found.reason}", MISSING)
    try:
        return found.unpack().files if found else {}
    except ArchiveError as error:
        raise ChartError(f"its chart: {error}") from error


def _value_files(
    side: Side, unit: Unit, source: ApplicationSource, options: ArgoHelmOptions, files: Mapping[str, bytes]
) -> Iterator[bytes]:
    """Yield the contents of the value files of a chart, later ones overriding earlier ones."""
    for name in options.value_files:
        paths = [*_paths_named(side, unit, source, name, files)]
        if not paths and not options.ignores_missing_files:
            raise ChartError(f"its values file {name} does not exist")
        yield from (text for _, text in paths)


def _paths_named(
    side: Side, unit: Unit, source: ApplicationSource, name: str, files: Mapping[str, bytes]
) -> Iterator[tuple[str, bytes]]:
    """Yield the files that an entry of ``valueFiles`` names; a pattern names several, sorted by path."""
    if "://" in name:
        raise ChartError(f"its values file {name} is not downloaded")
    first, _, rest = name.partition("/")
    if source.chart and not first.startswith("$"):
        yield from ((path, files[path]) for path in sorted(matching(posixpath.normpath(name), files)))
        return
    if first.startswith("$") and not _is_here(unit, first[1:]):
        raise ChartError(f"its values file {name} is not in this repository")
    is_absolute = first == "" or first.startswith("$")
    path = resolve_reference("", rest) if is_absolute else resolve_reference(source.path, name)
    found = sorted(matching(path, side.paths)) if path else []
    texts = side.contents(found) if found else {}
    yield from ((one, texts[one]) for one in found if one in texts)


def _is_here(unit: Unit, ref: str) -> bool:
    """Return whether the source with a name is this repository."""
    named = [one for one in sources_of(unit.applied.tool_object or {}) if one.ref == ref]
    return bool(named) and named[0].url not in unit.applied.other_repositories


def _file_settings(
    side: Side, source: ApplicationSource, options: ArgoHelmOptions, files: Mapping[str, bytes]
) -> Iterator[str]:
    for name, file in options.files:
        path = posixpath.normpath(file) if source.chart else resolve_reference(source.path, file) or ""
        text = files.get(path) if source.chart else side.contents([path]).get(path)
        if text is None:
            raise ChartError(f"the file {file} of its parameter {name} does not exist")
        yield file_setting(name, text.decode("utf-8", "replace"))
