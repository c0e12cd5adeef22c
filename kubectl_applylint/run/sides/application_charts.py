"""Renders the charts of Applications of Argo CD: those of the store, and those of repositories."""

import hashlib
import json
import posixpath
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.holes import Hole
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.values import mapping
from kubectl_applylint.run.load.reading import NEWEST_RECORDED
from kubectl_applylint.run.sides.chart_folders import files_of_chart
from kubectl_applylint.run.sides.line_positions import LinePositions
from kubectl_applylint.run.sides.served_apis import ApiVersions, api_remarks, served_apis
from kubectl_applylint.run.sides.side import VERSION
from kubectl_applylint.run.sides.source_files import SourceFiles
from kubectl_applylint.run.sides.source_sides import is_examined
from kubectl_applylint.sources.render.helm import TemplatePositions
from kubectl_applylint.sources.render.packed_chart import PackedChart, RenderedChart, render_packed
from kubectl_applylint.sources.render.render_programs import renumber
from kubectl_applylint.sources.text.manifests import Input, decode
from kubectl_applylint.tools.argocd.application_sources import ApplicationSource
from kubectl_applylint.tools.argocd.helm_options import helm_options
from kubectl_applylint.tools.argocd.parameter_tokens import has_tokens
from kubectl_applylint.units.model import Unit

_PARSE_ERROR: Final = "Error: parse error at ("
"""The beginning of an error of Helm about the text of a template, which it reports before it uses values."""


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
    made = render_packed(packed, unit.applied.reason.file)
    found = made.input
    is_unknown = unit.applied.generated_by and has_tokens([options.release, source.options])
    if is_unknown and found.problems and all(map(_may_be_of_values, found.problems)):
        digest = _digest(source, chart, texts)
        error = found.problems[0].message.removeprefix("it cannot be rendered: ")
        what = f"its chart fails without parameters that are not known: {error}"
        return Input(holes=(Hole(where, what, digest, digest),), parts=1)
    problems = (replace(one, where=where, message=f"{unit.root}: {one.message}") for one in found.problems)
    remarks = (*found.remarks, *api_remarks(unit, chart, served))
    templates = {} if source.chart or not is_examined(source, unit) else _templates(files, made)
    objects = renumber(_with_places(unit, made, templates))
    return replace(found, problems=tuple(problems), documents=objects, remarks=remarks, texts=dict(templates.values()))


def _may_be_of_values(problem: Problem) -> bool:
    """Return whether Helm may render the chart with other values: templates that it cannot parse never are."""
    return problem.is_refused and _PARSE_ERROR not in problem.message


def _digest(source: ApplicationSource, chart: Mapping[str, bytes], texts: Iterable[bytes]) -> str:
    """Return a digest of what a chart is rendered with."""
    parts = [json.dumps(source.options, sort_keys=True, default=str).encode(), *texts]
    parts += (part for name, text in sorted(chart.items()) for part in (name.encode(), text))
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def _templates(files: SourceFiles, made: RenderedChart) -> Mapping[str, tuple[str, str]]:
    """Return the templates of the examined repository by their paths in the chart: displayed names and texts."""
    paths = {one: posixpath.join(files.folder, one) for one in dict.fromkeys(made.templates) if one}
    texts = files.side.contents([path for path in paths.values() if path in files.side.paths])
    return {one: (files.side.label(path), decode(texts[path])[0]) for one, path in paths.items() if path in texts}


def _with_places(unit: Unit, made: RenderedChart, templates: Mapping[str, tuple[str, str]]) -> Iterator[Document]:
    """Yield objects with their positions in templates, or with that of the Application."""
    why = unit.applied.reason
    for one, template in zip(made.input.documents, made.templates, strict=True):
        if template in templates:
            file, text = templates[template]
            positions = TemplatePositions(one.positions, made.lines, text.splitlines())
            yield Document(file, 0, one.object, one.ref, positions, is_templated=True)
        else:
            line = LinePositions(why.line)
            yield Document(why.file, 0, one.object, one.ref, line, is_templated=True, is_of_chart=True)
