"""Renders the sources of Applications of Argo CD: charts, kustomizations and folders of manifests."""

import hashlib
import json
import posixpath
from collections.abc import Iterator, Mapping
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.holes import Hole
from kubectl_applylint.core.problem import Problem, as_fatal
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import Json, JsonObject, mapping, text_at
from kubectl_applylint.run.sides.application_charts import chart_objects
from kubectl_applylint.run.sides.application_paths import folder_objects, kustomized_objects
from kubectl_applylint.run.sides.chart_folders import ChartError
from kubectl_applylint.run.sides.renders import has_kustomize_charts
from kubectl_applylint.run.sides.served_apis import ApiVersions
from kubectl_applylint.run.sides.side import RENDER_ADVICE, Side
from kubectl_applylint.run.sides.source_sides import source_files
from kubectl_applylint.sources.render.chart_files import CHART
from kubectl_applylint.sources.render.kustomization import kustomization_in, parts
from kubectl_applylint.sources.text.encrypted import with_unknown_values
from kubectl_applylint.sources.text.manifests import Input, first_document, join
from kubectl_applylint.tools.argocd.application_sources import ApplicationSource, sources_of
from kubectl_applylint.tools.argocd.helm_options import build_variables
from kubectl_applylint.tools.argocd.kustomize_options import KustomizeOptionsError
from kubectl_applylint.tools.argocd.parameter_tokens import with_tokens, without_tokens
from kubectl_applylint.tools.argocd.settings import enables_helm, has_load_restrictor
from kubectl_applylint.tools.argocd.special_files import OVERRIDES, overrides_of
from kubectl_applylint.units.kustomizations import resolve_reference
from kubectl_applylint.units.model import Unit

_CORRECT_PATH: Final = "correct the path of the source, or create the directory"
_WITHOUT_HELM: Final = "kustomize of Argo CD fails on its helmCharts: must specify --enable-helm"
_SYNCS_NOTHING: Final = "Argo CD syncs no source of the Application"
_TOOLS: Final = ("kustomize", "helm", "directory")


@dataclass(frozen=True, slots=True)
class _Application:
    """An Application with the files of its side. Unknown parameters are words (``parameter_tokens``)."""

    side: Side
    unit: Unit
    object: JsonObject
    definitions: ApiVersions

    def problem(self, message: str, reason: str = "", advice: str = RENDER_ADVICE) -> Input:
        """Return the problem that a source is not rendered."""
        where = self.unit.applied.reason.place
        shown = f"{self.unit.root} is not rendered: {message}"
        return Input(problems=(Problem(where, shown, advice, reason=reason or message),))


def build_application(side: Side, unit: Unit, definitions: ApiVersions = tuple) -> Input:
    """Return the objects of all sources of an Application.

    If some of several sources cannot be rendered, each is a hole, else a problem. ``definitions`` returns the API
    versions that the definitions of the repository add, for charts that ask for them.
    """
    # In an Application that is written as it is, braces are templates of its chart.
    written = unit.applied.tool_object or {}
    item, actions = with_tokens(written) if unit.applied.generated_by else (written, {})
    given = _Application(side, unit, mapping(item), definitions)
    sources = [one for one in sources_of(given.object) if one.makes_objects]
    built = [(one, _build(given, one)) for one in sources]
    has_objects = any(found.documents for _, found in built)
    parts = [_as_hole(given, one, found) if has_objects else found for one, found in built]
    found = with_unknown_values(join(parts))
    return replace(found, documents=tuple(_with_actions(one, actions) for one in found.documents)) if actions else found


def _with_actions(document: Document, actions: Mapping[str, str]) -> Document:
    made = mapping(without_tokens(document.object, actions))
    return replace(document, object=made, ref=ref_of(made))


def _as_hole(given: _Application, source: ApplicationSource, found: Input) -> Input:
    """Return the input of a source; if it is not rendered, with a hole in place of its problem.

    A rendered object that cannot be read is a problem of the sync. So is an error of a program: Argo CD syncs none of
    the sources then.
    """
    if found.documents or not found.problems or any(one.document for one in found.problems):
        return found
    if all(one.is_refused for one in found.problems):
        return replace(found, problems=tuple(as_fatal(one, _SYNCS_NOTHING) for one in found.problems))
    identity = _digest(source.options)
    what = f"source {source.chart or source.path} of {source.url}: {found.problems[0].message.partition(': ')[2]}"
    hole = Hole(given.unit.applied.reason.place, what, identity, identity)
    return replace(found, problems=(), holes=(*found.holes, hole), parts=found.parts + 1)


def _digest(value: JsonObject) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, default=str).encode()).hexdigest()


def _build(given: _Application, source: ApplicationSource) -> Input:
    """Return the objects of one source, or the problem that it is not rendered."""
    if source.options.get("plugin") is not None:
        return given.problem("it is built by a plugin, which is not run", "it is built by a plugin")
    try:
        return _render(given, source)
    except ChartError as error:
        return given.problem(str(error), error.reason, error.advice)
    except KustomizeOptionsError as error:
        return given.problem(str(error), advice="correct the options in kustomize of the Application")


def _render(given: _Application, source: ApplicationSource) -> Input:
    """Return the objects of one source; raise ``ChartError`` or ``KustomizeOptionsError``."""
    variables = build_variables(given.object, source.options)
    files = source_files(given.side, given.unit, given.object, source, variables)
    folder = "" if source.chart else resolve_reference("", source.path)
    if folder is None or not _has_folder(files.side, folder):
        return given.problem(f"the files have nothing in its path {source.path}", advice=_CORRECT_PATH)
    options = _with_overrides(given, files.side, source.options, folder)
    source, files = replace(source, path=folder, options=options), replace(files, folder=folder)
    tool = _tool_of(source, files.side)
    match tool:
        case "helm":
            return chart_objects(files, given.unit, source, given.definitions)
        case "kustomize":
            installation = given.unit.applied.installation
            settings = json.loads(installation.settings or "{}")
            if enables_helm(settings, installation.differing) is False and has_kustomize_charts(
                files.side, parts(folder, files.side.folders)
            ):
                return given.problem(_WITHOUT_HELM, advice="add it to kustomize.buildOptions of argocd-cm")
            is_restricted = has_load_restrictor(settings)
            own = mapping(options.get(tool))
            return kustomized_objects(files.side, folder, own, variables, has_load_restrictor=is_restricted)
        case "directory":
            return folder_objects(files.side, folder, mapping(options.get(tool)), variables)
    return given.problem(f"its source has options of several tools: {tool}")


def _tool_of(source: ApplicationSource, side: Side) -> str:
    """Return the tool that the options of a source name, else that of its files; ``a and b`` if they name several."""
    named = [one for one in _TOOLS if source.options.get(one) is not None]
    if named:
        return " and ".join(named)
    if kustomization_in(source.path, side.folders):
        return "kustomize"
    return "helm" if posixpath.join(source.path, CHART) in side.paths else "directory"


def _has_folder(side: Side, folder: str) -> bool:
    start = f"{folder}/" if folder else ""
    return any(path.startswith(start) for path in side.paths)


def _with_overrides(given: _Application, side: Side, options: JsonObject, folder: str) -> JsonObject:
    """Return a source with the fields of ``.argocd-source.yaml`` and ``.argocd-source-NAME.yaml`` in its folder."""
    for name in (OVERRIDES, overrides_of(text_at(given.object, "metadata", "name"))):
        path = posixpath.join(folder, name)
        if path in side.paths:
            more = mapping(first_document(side.content(path)))
            options = dict(_merge_fields(options, more))
    return options


def _merge_fields(below: JsonObject, above: JsonObject) -> Iterator[tuple[str, Json]]:
    """Yield the fields of a JSON merge patch."""
    for key in {**below, **above}:
        if key not in above:
            yield key, below[key]
        elif isinstance(above[key], dict):
            yield key, dict(_merge_fields(mapping(below.get(key)), above[key]))
        elif above[key] is not None:
            yield key, above[key]
