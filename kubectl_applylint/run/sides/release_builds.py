"""Renders the HelmReleases of Flux with the charts of the store."""

import posixpath
from collections.abc import Mapping

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.values import text_at
from kubectl_applylint.run.load.reading import NEWEST_RECORDED
from kubectl_applylint.run.sides.chart_folders import MISSING, ChartError, files_of_chart
from kubectl_applylint.run.sides.line_positions import declaring_document
from kubectl_applylint.run.sides.served_apis import ApiVersions, api_remarks, served_apis
from kubectl_applylint.run.sides.side import ASK_AGAIN, FETCH_ADVICE, VERSION, Side
from kubectl_applylint.sources.render.chart_files import CHART
from kubectl_applylint.sources.store import store
from kubectl_applylint.sources.store.chart_archive import ArchiveError
from kubectl_applylint.sources.store.chart_source import ChartSource, SourceKind, whole_repository
from kubectl_applylint.sources.text.manifests import Input
from kubectl_applylint.tools.flux.release_build import render_release
from kubectl_applylint.tools.flux.substitution import Source
from kubectl_applylint.units.model import Texts, Unit


def build_release(side: Side, unit: Unit, definitions: ApiVersions = tuple) -> Input:
    """Return the objects of a release. A chart that is not in the store is a problem.

    ``definitions`` returns the API versions that the definitions of the repository add; only charts that ask for API
    versions need them.
    """
    applied, inputs = unit.applied, unit.applied.release
    where = applied.reason.place
    if inputs.folder is not None:
        return _render_own_folder(side, unit, inputs.folder, definitions)
    if inputs.chart is None:
        message = f"{unit.root} is not rendered: {inputs.reason}"
        return Input(problems=(Problem(where, message, "", reason=f"the chart is not known: {inputs.reason}"),))
    found = store.chart(whole_repository(inputs.chart))
    if isinstance(found, store.MissingChart):
        message = f"{unit.root} is not rendered: chart {found.reason}"
        # Each source that has answered is named, also if several units have none.
        advice, reason = (ASK_AGAIN, "") if found.absence else (FETCH_ADVICE, MISSING)
        return Input(problems=(Problem(where, message, advice, reason=reason),))
    try:
        if inputs.chart.kind is SourceKind.GIT:
            return _render_folder(unit, inputs.chart, found.files(), definitions)
        files = found.unpack().files
    except ArchiveError as error:
        return Input(problems=(Problem(where, f"{unit.root} is not rendered: its chart: {error}", FETCH_ADVICE),))
    return _render(unit, files, definitions)


def _render_own_folder(side: Side, unit: Unit, folder: str, definitions: ApiVersions) -> Input:
    """Return the objects of a release whose chart is a folder of the repository."""
    where = unit.applied.reason.place
    if not unit.applied.source_filter.may_have(folder):
        message = f"{unit.root} is not rendered: its source leaves out {folder} by its sparseCheckout"
        return Input(problems=(Problem(where, message, "add it to spec.sparseCheckout", is_refused=True),))
    try:
        chart = files_of_chart(side, folder)
    except ChartError as error:
        message = f"{unit.root} is not rendered: {error}"
        return Input(problems=(Problem(where, message, FETCH_ADVICE, reason=error.reason),))
    if CHART not in chart:
        message = f"{unit.root} is not rendered: the repository has no chart in {folder or '.'}"
        return Input(problems=(Problem(where, message, "", reason="there is no chart"),))
    start = _source_folder(unit, folder)
    files = {path.removeprefix(start): text for path, text in side.contents(unit.files).items()}
    return _render(unit, chart, definitions, files)


def _source_folder(unit: Unit, folder: str) -> str:
    """Return the start of the paths of files in the source of a chart, which may be a folder of the repository."""
    named = text_at(unit.applied.tool_object or {}, "spec", "chart", "spec", "chart")
    return folder.removesuffix(posixpath.normpath(f"/{named}").strip("/")) if named else ""


def _render_folder(unit: Unit, source: ChartSource, files: Mapping[str, bytes], definitions: ApiVersions) -> Input:
    """Return the objects of a release whose chart is a folder of a git repository."""
    folder = posixpath.normpath(f"/{source.chart}").strip("/")
    start = f"{folder}/" if folder else ""
    chart = {path[len(start) :]: content for path, content in files.items() if path.startswith(start)}
    if CHART not in chart:
        message = f"{unit.root} is not rendered: {source} has no chart in {folder or '.'}"
        return Input(problems=(Problem(unit.applied.reason.place, message, "", reason="there is no chart"),))
    return _render(unit, chart, definitions, files)


def chart_change(was: Unit | None, now: Unit | None) -> str:
    """Return the charts of a release before and after a change, empty if they are the same."""
    before, after = (unit.applied.release.chart if unit else None for unit in (was, now))
    if not (now and before and after) or before == after:
        return ""
    return f"{now.root}: chart {_chart_words(before)} → {_chart_words(after)}"


def _chart_words(source: ChartSource) -> str:
    """Return the name and the version of a chart, with the version of its application if the chart is in the store."""
    found = store.chart(whole_repository(source))
    version = found.version if isinstance(found, store.StoredChart) else source.version
    app = found.app_version if isinstance(found, store.StoredChart) else ""
    return f"{source.name} {version}{app and f' (app version {app})'}"


def _render(
    unit: Unit,
    files: Mapping[str, bytes],
    definitions: ApiVersions,
    repository: Mapping[str, bytes] | None = None,
) -> Input:
    applied, inputs = unit.applied, unit.applied.release
    known = {(kind, namespace, name): _source(data) for kind, namespace, name, data in inputs.values}
    served = served_apis(unit, files, definitions)
    rendered = render_release(
        declaring_document(unit),
        files,
        lambda *name: known.get(name),
        kube_version=dict(applied.options).get(VERSION, NEWEST_RECORDED),
        api_versions=served,
        files=repository,
        values_files=inputs.values_files,
    )
    remarks = (*rendered.input.remarks, *api_remarks(unit, files, served))
    return replace(rendered.input, holes=(*rendered.input.holes, *inputs.holes), remarks=remarks)


def _source(data: Texts) -> Source:
    return dict(data) if isinstance(data, tuple) else data
