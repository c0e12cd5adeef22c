"""Helm charts of a repository: those that are units, and those that differ between revisions.

A chart is rendered from a copy of its files, so that no other files are read, and nothing is written to the original.
"""

import os
import posixpath
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Final

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.engine.predict import RECORDED
from kubectl_applylint.run.sides.served_apis import ApiVersions, served_apis
from kubectl_applylint.run.sides.side import VERSION, Side
from kubectl_applylint.sources.files.files import EXTENSIONS
from kubectl_applylint.sources.git.committed import Reader
from kubectl_applylint.sources.git.git import Repository
from kubectl_applylint.sources.render import helm
from kubectl_applylint.sources.render.chart_files import CHART, Charts, MissingDependency, chart_layout
from kubectl_applylint.sources.render.chart_holes import chart_holes, without_dependencies
from kubectl_applylint.sources.render.helm import Chart
from kubectl_applylint.sources.render.random_values import are_random
from kubectl_applylint.sources.render.render_programs import Copy, CopyError, copy_files, relabel, reserve_copy
from kubectl_applylint.sources.store.store_place import is_usable
from kubectl_applylint.sources.text.manifests import Input
from kubectl_applylint.tools.argocd.declarations import ARGO_TOOL
from kubectl_applylint.units.model import HelmOptions, Unit

_LOOKUP: Final = regex(rb"\{\{[^}]*\blookup\s+[\"$.(]")
_MISSING: Final = "a file or a dependency of the chart is missing"
_TEXTS: Final = (*EXTENSIONS, ".tpl", ".tgz")
"""Extensions of the files of a chart that affect its rendering."""
_ADD_FILES: Final = "add what is missing to the repository (helm dependency build), or render the chart elsewhere"
_FETCH: Final = "download it with applylint fetch, or add it to charts/ (helm dependency build)"
_INLINE: Final = ".applylint-values.json"
"""The file of a copy with the inline values that an object of a tool defines for a chart."""
_HELPER: Final = regex(r"(?:.*/)?charts/(?:.*/)?_[^/]*")
"""A file with named templates, in a subchart."""


def differs(name: str, repo: Repository, paths: Collection[str]) -> bool:
    """Return whether the named chart or its values contain some of ``paths``, or are outside of the repository."""
    own = _paths(name, repo)
    return None in own or any(path == one or path.startswith(f"{one}/") or not one for one in own for path in paths)


def render_named(name: str, reader: Reader) -> Input:
    """Return the objects of the named chart in a revision; none if it is not in the revision."""
    chart, (folder, *values) = helm.parse(name), _paths(name, reader.blobs.repo)
    start = f"{folder}/" if folder else ""
    every = reader.tree.entries
    if folder is None or not any(path.startswith(start) for path in every):
        return Input()
    texts = reader.texts([path for path in every if path.startswith(start) or path in values])
    release = os.path.basename(os.path.realpath(chart.folder))
    with copy_files(texts) as copy:
        # Values from outside of the repository have no revision; the current ones are used.
        own = (
            file if kept is None else os.path.join(copy.folder, kept)
            for kept, file in zip(values, chart.values, strict=True)
        )
        return relabel(helm.render(Chart(os.path.join(copy.folder, folder), tuple(own), release)), copy, reader.label)


def _paths(name: str, repo: Repository) -> list[str | None]:
    """Return the repository paths of a chart and its values, ``None`` for those outside."""
    chart = helm.parse(name)
    return [repo.path_of(os.path.realpath(path)) for path in (chart.folder, *chart.values)]


def of_unit(side: Side, unit: Unit, definitions: ApiVersions = tuple) -> Input:
    """Return the objects of a chart, or the problem that it cannot be rendered.

    It is rendered under its own name, without hooks and tests, which Helm deletes and creates again; Argo CD has hooks.
    ``definitions`` returns the API versions that the definitions of the repository add, which Argo CD sees.
    """
    if not helm.find_tool():
        advice = "install helm, or render the chart elsewhere"
        return _not_rendered(side, unit, Problem("", helm.MISSING_TOOL, advice, reason=helm.MISSING_TOOL))
    charts = Charts(side.paths, cache(side.content))
    layout = chart_layout(unit.root, unit.files, charts, side.link_targets)
    fault = layout.fault or _fault_of_values(side, unit)
    if fault:
        return _not_rendered(side, unit, Problem("", fault, _ADD_FILES, reason=_MISSING))
    options = unit.applied.helm or HelmOptions()
    texts = side.contents([*layout.sources.values(), *unit.values])
    unread = sorted(path for path in {*layout.sources.values()} - texts.keys() if path.endswith(_TEXTS))
    if unread:
        return Input(problems=tuple(map(side.fault, unread)))
    own = {path: texts[source] for path, source in layout.sources.items() if source in texts}
    values = {**{path: texts[path] for path in unit.values if path in texts}, **_inline_values(options)}
    present, missing = _with_dependencies(own, layout.missing) if layout.missing else (own, ())

    def label(path: str) -> str:
        return side.label(layout.sources.get(path, path))

    apis = served_apis(unit, present, definitions if unit.applied.tool == ARGO_TOOL else tuple)
    chart = _chart(unit, values, options.release or charts.metadata(unit.root).release, apis)
    with reserve_copy({**values, **present}) as copy:
        shown = _with_own_texts(relabel(_render(copy, chart), copy, label), own, present, label)
    if missing and (shown.problems or not shown.documents):
        fault, advice = f"its dependency {missing[0].words}", _FETCH if missing[0].dependency.is_remote else _ADD_FILES
        return _not_rendered(side, unit, Problem("", fault, advice, reason=_MISSING))
    holes = chart_holes(own, missing, values.values(), shown.documents, label) if missing else ()
    return replace(
        shown,
        remarks=(*shown.remarks, *_lookup_remarks(side, unit, own)),
        holes=holes,
        parts=len(holes) + len(_templates(own)) if holes else 0,
    )


def _with_own_texts(
    found: Input, own: Mapping[str, bytes], rendered: Mapping[str, bytes], label: Callable[[str], str]
) -> Input:
    """Return a rendered chart with the texts of its ``own`` files where another one was ``rendered``."""
    rewritten = (path for path, text in own.items() if rendered.get(path, text) is not text)
    return replace(
        found, texts={**found.texts, **{label(path): own[path].decode("utf-8", "replace") for path in rewritten}}
    )


def _with_dependencies(
    files: Mapping[str, bytes], missing: Sequence[MissingDependency]
) -> tuple[Mapping[str, bytes], tuple[MissingDependency, ...]]:
    """Return the files of a chart with dependencies of the store and without the others, and these."""
    from kubectl_applylint.run.sides.stored_dependencies import with_stored_dependencies  # noqa: PLC0415  30 ms

    whole, still = with_stored_dependencies(files, missing) if is_usable() else (files, tuple(missing))
    return without_dependencies(whole, still) if still else whole, still


def _templates(paths: Iterable[str]) -> list[str]:
    """Return the templates among the files of a chart."""
    return [path for path in paths if "templates/" in path and path.endswith(EXTENSIONS)]


def _fault_of_values(side: Side, unit: Unit) -> str:
    """Return why a values file cannot be read, such as a symlink out of the repository; empty if all can be read."""
    texts = side.contents(unit.values)
    unread = next((path for path in unit.values if path in side.paths and path not in texts), "")
    return f"its values file {side.label(unread)}: {side.fault(unread).message}" if unread else ""


def _not_rendered(side: Side, unit: Unit, problem: Problem) -> Input:
    where = side.label(posixpath.join(unit.root, CHART))
    return Input(problems=(replace(problem, where=where, message=f"not rendered: {problem.message}"),))


def _inline_values(options: HelmOptions) -> Mapping[str, bytes]:
    return {_INLINE: options.inline.encode()} if options.inline else {}


def _chart(unit: Unit, values: Iterable[str], release: str, api_versions: Iterable[str]) -> Chart:
    """Return a chart with its options, whose folder and values files are paths in the repository."""
    version = dict(unit.applied.options).get(VERSION) or RECORDED[-1]
    return Chart(
        unit.root,
        tuple(values),
        release,
        unit.applied.namespace,
        has_hooks=unit.applied.tool == ARGO_TOOL,
        kubernetes=version,
        api_versions=tuple(api_versions),
    )


def _render(copy: Copy, chart: Chart) -> Input:
    """Return the objects of a chart whose folder and values files are in a copy."""
    values = tuple(os.path.join(copy.folder, path) for path in chart.values)
    folder = os.path.normpath(os.path.join(copy.folder, chart.folder))
    try:
        found = helm.render(replace(chart, folder=folder, values=values), copy)
    except CopyError as error:
        return Input(problems=error.problems)
    where, advice = os.path.join(folder, CHART), f"try it: helm template {chart.folder or os.curdir}"
    problems = tuple(replace(one, where=where, advice=advice) for one in found.problems)
    return replace(found, problems=problems, is_random=are_random(copy.texts.items()))


def _lookup_remarks(side: Side, unit: Unit, texts: Mapping[str, bytes]) -> Iterator[tuple[str, str]]:
    asking = (path for path, text in sorted(texts.items()) if _LOOKUP.search(text) and not _HELPER.fullmatch(path))
    for path in [*asking][:1]:
        yield side.label(path), "lookup finds nothing here: the chart is rendered as for an empty cluster"
