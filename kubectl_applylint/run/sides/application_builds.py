"""Renders the sources of Applications of Argo CD: charts, kustomizations and folders of manifests."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.holes import Hole
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import JsonObject, mapping, text_at
from kubectl_applylint.run.sides.application_charts import chart_objects
from kubectl_applylint.run.sides.application_paths import folder_objects, kustomized_objects
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.sources.render.chart_files import CHART
from kubectl_applylint.sources.render.kustomization import kustomization_in
from kubectl_applylint.sources.text.encrypted import with_unknown_values
from kubectl_applylint.sources.text.manifests import Input, first_document, join
from kubectl_applylint.tools.argocd.application_sources import ApplicationSource, sources_of
from kubectl_applylint.tools.argocd.helm_options import build_variables
from kubectl_applylint.tools.argocd.kustomize_options import KustomizeOptionsError
from kubectl_applylint.tools.argocd.parameter_tokens import with_tokens, without_tokens
from kubectl_applylint.tools.argocd.settings import has_load_restrictor
from kubectl_applylint.units.kustomizations import resolve_reference
from kubectl_applylint.units.model import Unit

_RENDER: Final = "render it elsewhere, or accept it with incomplete: in the configuration"
_OVERRIDES: Final = ".argocd-source.yaml"


@dataclass(frozen=True, slots=True)
class _Application:
    """An Application with the files of its side. Unknown parameters are words (``parameter_tokens``)."""

    side: Side
    unit: Unit
    object: JsonObject

    def problem(self, message: str, reason: str = "", advice: str = _RENDER) -> Input:
        """Return the problem that a source is not rendered."""
        where = self.unit.applied.reason.place
        shown = f"{self.unit.root} is not rendered: {message}"
        return Input(problems=(Problem(where, shown, advice, reason=reason or message),))


def build_application(side: Side, unit: Unit) -> Input:
    """Return the objects of all sources of an Application.

    If some of several sources cannot be rendered, each is a hole, else a problem.
    """
    item, actions = with_tokens(unit.applied.tool_object or {})
    given = _Application(side, unit, mapping(item))
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
    """Return the input of a source; if it is not rendered, with a hole in place of its problem."""
    if found.documents or not found.problems:
        return found
    identity = _digest(source.options)
    what = f"source {source.chart or source.path} of {source.url}: {found.problems[0].message.partition(': ')[2]}"
    hole = Hole(given.unit.applied.reason.place, what, identity, identity)
    return replace(found, problems=(), holes=(*found.holes, hole), parts=found.parts + 1)


def _digest(value: JsonObject) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, default=str).encode()).hexdigest()


def _build(given: _Application, source: ApplicationSource) -> Input:
    """Return the objects of one source, by Argo CD's order of detection."""
    unit, side = given.unit, given.side
    variables = build_variables(given.object, source.options)
    if mapping(source.options.get("plugin")) or "plugin" in source.options:
        return given.problem("it is built by a plugin, which is not run", "it is built by a plugin")
    if source.chart:
        return chart_objects(side, unit, source, variables)
    if source.url in unit.applied.other_repositories:
        return given.problem(f"its source is {source.url}", "its source is another repository")
    folder = resolve_reference("", source.path)
    if folder is None or not _has_folder(side, folder):
        return given.problem(f"the files have nothing in its path {source.path}")
    source = replace(source, path=folder, options=_with_overrides(given, source.options, folder))
    is_chart = f"{folder}/{CHART}".lstrip("/") in side.paths
    if _is_explicit(source, "helm") or (is_chart and not _is_forced(source)):
        return chart_objects(side, unit, source, variables)
    if kustomization_in(folder, side.folders):
        is_restricted = has_load_restrictor(json.loads(unit.applied.installation.settings or "{}"))
        options = mapping(source.options.get("kustomize"))
        try:
            return kustomized_objects(side, folder, options, variables, has_load_restrictor=is_restricted)
        except KustomizeOptionsError as error:
            return given.problem(str(error), advice="correct the options in kustomize of the Application")
    return folder_objects(side, folder, mapping(source.options.get("directory")), unit)


def _has_folder(side: Side, folder: str) -> bool:
    start = f"{folder}/" if folder else ""
    return any(path.startswith(start) for path in side.paths)


def _is_explicit(source: ApplicationSource, tool: str) -> bool:
    """Return whether a source has options of a tool, which then renders it, whatever the files are."""
    return bool(mapping(source.options.get(tool)))


def _is_forced(source: ApplicationSource) -> bool:
    """Return whether the options name another tool than Helm."""
    return any(_is_explicit(source, tool) for tool in ("kustomize", "directory"))


def _with_overrides(given: _Application, options: JsonObject, folder: str) -> JsonObject:
    """Return a source with the fields of ``.argocd-source.yaml`` and ``.argocd-source-NAME.yaml`` in its folder."""
    for name in (_OVERRIDES, f".argocd-source-{text_at(given.object, 'metadata', 'name')}.yaml"):
        path = f"{folder}/{name}".lstrip("/")
        if path in given.side.paths:
            more = mapping(first_document(given.side.content(path)))
            options = dict(_merge_fields(options, more))
    return options


def _merge_fields(below: JsonObject, above: JsonObject) -> Iterator[tuple[str, object]]:
    """Yield the fields of a JSON merge patch."""
    for key in {**below, **above}:
        old, new = below.get(key), above.get(key, below.get(key))
        if key in above and above[key] is None:
            continue
        yield key, dict(_merge_fields(old, new)) if isinstance(old, dict) and isinstance(new, dict) else new
