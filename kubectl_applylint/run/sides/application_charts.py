"""Renders the charts of Applications of Argo CD: those of the store, and those of repositories."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.holes import Hole
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.values import mapping
from kubectl_applylint.run.load.reading import NEWEST_RECORDED
from kubectl_applylint.run.sides.chart_folders import files_of_chart
from kubectl_applylint.run.sides.line_positions import LinePositions
from kubectl_applylint.run.sides.served_apis import ApiVersions, api_remarks, served_apis
from kubectl_applylint.run.sides.side import VERSION
from kubectl_applylint.run.sides.source_files import SourceFiles
from kubectl_applylint.sources.render.packed_chart import PackedChart, render_packed
from kubectl_applylint.sources.text.manifests import Input
from kubectl_applylint.tools.argocd.application_sources import ApplicationSource
from kubectl_applylint.tools.argocd.helm_options import helm_options
from kubectl_applylint.tools.argocd.parameter_tokens import has_tokens
from kubectl_applylint.units.model import Unit


def chart_objects(files: SourceFiles, unit: Unit, source: ApplicationSource, definitions: ApiVersions = tuple) -> Input:
    """Return the objects of the chart that a source names; raise ``ChartError`` if a file of it is missing.

    ``files`` are those of the chart, or of the repository that has it at the path of the source. ``definitions``
    returns the API versions that the definitions of the repository add. A chart that fails without parameters that
    are not known is a hole.
    """
    options = helm_options(mapping(source.options.get("helm")), files.variables)
    where = unit.applied.reason.place
    chart = files.side.contents(files.side.paths) if source.chart else files_of_chart(files.side, source.path)
    served = options.api_versions or tuple(served_apis(unit, chart, definitions))
    texts = tuple(files.value_texts(options))
    packed = PackedChart(
        chart,
        options.values,
        options.release,
        options.namespace,
        options.kubernetes or dict(unit.applied.options).get(VERSION, NEWEST_RECORDED),
        served,
        options.settings,
        texts,
        (*options.text_settings, *files.file_settings(options)),
        has_definitions=options.has_definitions,
        validates_values=options.validates_values,
        is_folder=not source.chart,
    )
    found = render_packed(packed, unit.applied.reason.file).input
    is_unknown = unit.applied.generated_by and has_tokens([options.release, source.options])
    if is_unknown and found.problems and all(one.is_refused for one in found.problems):
        digest = _digest(source, chart, texts)
        error = found.problems[0].message.removeprefix("it cannot be rendered: ")
        what = f"its chart fails without parameters that are not known: {error}"
        return Input(holes=(Hole(where, what, digest, digest),), parts=1)
    problems = (replace(one, where=where, message=f"{unit.root}: {one.message}") for one in found.problems)
    remarks = (*found.remarks, *api_remarks(unit, chart, served))
    objects = tuple(_at_application(unit, found.documents))
    return replace(found, problems=tuple(problems), documents=objects, remarks=remarks)


def _digest(source: ApplicationSource, chart: Mapping[str, bytes], texts: Iterable[bytes]) -> str:
    """Return a digest of what a chart is rendered with."""
    parts = [json.dumps(source.options, sort_keys=True, default=str).encode(), *texts]
    parts += (part for name, text in sorted(chart.items()) for part in (name.encode(), text))
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def _at_application(unit: Unit, documents: tuple[Document, ...]) -> Iterator[Document]:
    """Yield objects with the position of the Application."""
    why = unit.applied.reason
    for number, one in enumerate(documents):
        line = LinePositions(why.line)
        yield Document(why.file, number, one.object, one.ref, line, is_templated=True, is_of_chart=True)
