"""The charts, repositories and files from elsewhere that the units of a request need, in one or in both revisions."""

import os
import posixpath
import re
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from itertools import chain
from typing import Final

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.regex import regex
from kubectl_applylint.run.compare.against import AgainstKind
from kubectl_applylint.run.discover.changed_units import revisions_of
from kubectl_applylint.run.discover.unit_changes import changed_pairs
from kubectl_applylint.run.discover.unit_tasks import select_units
from kubectl_applylint.run.request import Request
from kubectl_applylint.run.sides import renders, sides
from kubectl_applylint.run.sides.named_objects import NamedObjects
from kubectl_applylint.run.sides.places import place_of
from kubectl_applylint.run.sides.release_units import nested_release_units
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.run.sides.stored_dependencies import LOCKS, remote_dependencies
from kubectl_applylint.sources.git import git, git_config
from kubectl_applylint.sources.git.git import Repository, Revision
from kubectl_applylint.sources.render.chart_files import Charts, is_vendored
from kubectl_applylint.sources.render.kustomize_charts import needed_charts
from kubectl_applylint.sources.render.kustomize_fields import KUSTOMIZATION, references
from kubectl_applylint.sources.render.locality import reference_of
from kubectl_applylint.sources.render.stored_bases import StoredBases, with_stored_bases
from kubectl_applylint.sources.store.base_source import base_source
from kubectl_applylint.sources.store.chart_source import git_source, named_chart, whole_repository
from kubectl_applylint.sources.store.fetch import NeededSource
from kubectl_applylint.sources.text.classify import KUSTOMIZATION_FILES
from kubectl_applylint.sources.text.manifests import Input, first_document
from kubectl_applylint.tools.argocd.application_sources import sources_of
from kubectl_applylint.tools.argocd.declarations import ARGO_TOOL
from kubectl_applylint.units.model import Form, Unit

_KEYS: Final = ("url", "repo", "repository", "repoURL")
_URL: Final = regex(
    rb"""^[ \t]*(?:-[ \t]+)?(?:url|repo|repository|repoURL):[ \t]*["']?((?:oci|https|ssh)://[^\s"'#]+)""", re.MULTILINE
)
"""A URL of a source in a manifest."""


@dataclass(frozen=True, slots=True)
class UnknownSource:
    """A chart that is needed and whose source is not known."""

    name: str
    place: str
    reason: str


@dataclass(frozen=True, slots=True)
class NeededSources:
    """The sources that units need, and those that are not known."""

    known: tuple[NeededSource, ...] = ()
    unknown: tuple[UnknownSource, ...] = ()
    earlier: tuple[str, ...] = ()
    """The URLs that the earlier revision names."""


def needed_sources(request: Request) -> NeededSources:
    """Return the sources for the units of a request: of the files, and with ``against`` also of the earlier revision.

    Raises ``UnreadableError`` for a revision that does not exist.
    """
    if request.against.kind in (AgainstKind.GIT, AgainstKind.DIR):
        revisions, _ = revisions_of(request)
        remotes, pairs = _remotes(), tuple(changed_pairs(revisions))
        found = [
            _sources(side, filter(None, units), every, remotes)
            for side, units, every in zip(
                revisions.sides[::-1], list(zip(*pairs, strict=True))[::-1], revisions.units[::-1], strict=False
            )
        ]
        # The first are those of the later revision. Without a changed unit, there are none.
        needed_before = (needed.source.url for one in found[1:] for needed in one.known)
        earlier = tuple(sorted({*_urls(revisions.before), *needed_before}))
    else:
        place = place_of(request.files or (os.curdir,), request.units, request.own)
        every = place.units(request.units)
        found = [_sources(place.side, select_units(place.side, every, place.paths), every, place.checkout.remotes)]
        earlier = _urls_of_base(place.repository)
    known = chain.from_iterable(one.known for one in found)
    unknown = dict.fromkeys(chain.from_iterable(one.unknown for one in found))
    return NeededSources(tuple(known), tuple(unknown), earlier)


def _remotes() -> frozenset[str]:
    repo = git.repository(os.curdir)
    return frozenset() if isinstance(repo, Problem) else git_config.remotes(repo.root)


def _urls_of_base(repo: Repository | None) -> tuple[str, ...]:
    """Return the URLs in the merge base with the default branch, on that branch those in its last commit.

    There are none if the default branch is unknown: the last commit may be that of a stranger.
    """
    base = _base(repo) if repo else None
    return _urls(sides.of_revision(repo, base, str)) if repo and base else ()


def _base(repo: Repository) -> Revision | None:
    head, default = git.resolve(repo, "HEAD"), git.default_branch(repo)
    if head is None or default is None:
        is_own = not git_config.remotes(repo.root) and not os.environ.get("CI")
        return head if is_own else None
    return git.merge_base(repo, default, head)


def _urls(side: Side) -> tuple[str, ...]:
    texts = side.contents(side.mentioning(_KEYS))
    named = {url.decode("utf-8", "replace") for text in texts.values() for url in _URL.findall(text)}
    return tuple(sorted({git_source(url).url for url in named} | {*_urls_of_bases(side)}))


def _urls_of_bases(side: Side) -> Iterator[str]:
    """Yield the URLs of remote bases and files in all kustomizations."""
    paths = [path for path in side.paths if path.rpartition("/")[2] in KUSTOMIZATION_FILES]
    for text in side.contents(paths).values():
        for one in references(first_document(text), KUSTOMIZATION) if b"/" in text else ():
            found = reference_of(one.text, one.use) if "/" in one.text else None
            if found:
                yield found.url


def _sources(side: Side, units: Iterable[Unit], every: Iterable[Unit], remotes: frozenset[str]) -> NeededSources:
    """Return the sources for some of ``every`` unit of a side."""
    named = [*units]
    wanted, objects = [unit for unit in named if unit.applied.applies_objects], NamedObjects(side)
    renders.prepare((side, unit) for unit in wanted)
    declared = {unit.key for unit in every if unit.applied.declared_by}
    found = [
        *_repositories(named),
        *chain.from_iterable(_sources_of_unit(side, unit, objects, remotes, declared) for unit in wanted),
    ]
    known = tuple(one for one in found if isinstance(one, NeededSource))
    return NeededSources(known, tuple(one for one in found if isinstance(one, UnknownSource)))


def _repositories(units: Iterable[Unit]) -> Iterator[NeededSource]:
    """Yield the other git repositories that have the files of units."""
    for one in units:
        own = (one.applied.fetched_source,) if one.applied.fetched_source else ()
        included = (source for each in one.applied.includes for source in each.sources)
        if not one.applied.is_suspended:
            yield from (NeededSource(source, one.applied.reason.place) for source in (*own, *included))


def _sources_of_unit(
    side: Side, unit: Unit, objects: NamedObjects, remotes: frozenset[str], known: Collection[tuple[str, ...]]
) -> Iterator[NeededSource | UnknownSource]:
    """Yield the sources of a unit, and those of the releases that it declares and that are not ``known`` units."""
    rendered = _input(side, unit)
    folder = unit.root if unit.form is Form.CHART else unit.applied.release.folder
    if folder is not None:
        yield from _dependencies(side, unit, folder)
    if unit.form is Form.KUSTOMIZATION:
        bases = with_stored_bases(unit.root, side.folders, has_helm=False)
        yield from _kustomize_charts(side, bases)
        yield from _remote_bases(side, bases)
        has_nothing = rendered.problems and not rendered.documents
        if has_nothing and with_stored_bases(unit.root, side.folders).is_complete:
            problem = rendered.problems[0]
            yield UnknownSource(unit.shown, problem.where, f"its charts are not known: {problem.message}")
    yield from _application_sources(unit)
    releases = nested_release_units(side, rendered.documents, unit.declaring_cluster, objects, remotes)
    yield from _release_sources(one for one in releases if one.key not in known)


def _remote_bases(side: Side, found: StoredBases) -> Iterator[NeededSource]:
    """Yield the remote bases and files of a kustomization, and those that stored ones name."""
    for use in (*found.uses, *found.missing()):
        yield NeededSource(base_source(use.reference), found.label(use.place, side.label))


def _kustomize_charts(side: Side, found: StoredBases) -> Iterator[NeededSource]:
    """Yield the charts that a kustomization renders, by ``helmCharts`` or by generators."""
    for fault, chart in needed_charts(found.inputs.faults, found.where):
        yield NeededSource(named_chart(chart.url, chart.name, chart.version), found.label(fault.file, side.label))


def _input(side: Side, unit: Unit) -> Input:
    return renders.render_unit(side, unit) if renders.is_rendered(unit) else side.read(sorted(unit.files))


def _release_sources(releases: Iterable[Unit]) -> Iterator[NeededSource | UnknownSource]:
    """Yield the sources of the charts of releases."""
    for one in releases:
        inputs = one.applied.release
        if not one.applied.applies_objects or one.form is Form.RESOURCE_SET:
            continue
        if one.applied.tool == ARGO_TOOL:
            yield from _application_sources(one)
            continue
        if inputs.chart is None:
            yield UnknownSource(one.root, inputs.place, inputs.reason)
        else:
            yield NeededSource(whole_repository(inputs.chart), inputs.place)


def _application_sources(unit: Unit) -> Iterator[NeededSource]:
    """Yield the charts and the other git repositories that an Application names."""
    item = unit.applied.tool_object if unit.applied.tool == ARGO_TOOL and unit.form is Form.RELEASE else None
    for one in sources_of(item) if item else ():
        source = one.chart_source or (one.repository if one.url in unit.applied.other_repositories else None)
        if source:
            yield NeededSource(source, unit.applied.reason.place)


def _dependencies(side: Side, unit: Unit, root: str) -> Iterator[NeededSource]:
    """Yield the dependencies of a chart of the repository that are not in its ``charts`` folder."""
    charts = Charts(side.paths, cache(side.content))
    for folder in (root, *charts.neighbours(root)):
        paths = (posixpath.join(folder, name) for name in LOCKS)
        path = next((one for one in paths if one in side.paths and remote_dependencies(side.content(one))), "")
        for name, url, version in remote_dependencies(side.content(path)) if path else ():
            if not is_vendored(folder, name, unit.files, charts):
                yield NeededSource(named_chart(url, name, version), side.label(path))
