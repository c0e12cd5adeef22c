"""The units of one side: from its layout, its declaring objects, and the configuration."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import mapping
from kubectl_applylint.run.sides.declared_graph import rendered_declarations, with_variables
from kubectl_applylint.run.sides.kustomized_applications import with_kustomized_applications
from kubectl_applylint.run.sides.named_objects import NamedObjects
from kubectl_applylint.run.sides.rendered_applications import DeclaredApplications, with_rendered_applications
from kubectl_applylint.run.sides.renders import is_rendered, render_unit
from kubectl_applylint.run.sides.rounds import ENDLESS, Rounds
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.run.sides.stored_source import with_stored_source
from kubectl_applylint.run.sides.variable_sources import VariableSources
from kubectl_applylint.sources.files.files import EXTENSIONS
from kubectl_applylint.tools.argocd.clusters import SECRET_TYPE
from kubectl_applylint.tools.argocd.declarations import ARGO_TOOL
from kubectl_applylint.tools.argocd.special_files import SKIPPED
from kubectl_applylint.tools.flux.declarations import is_kustomization
from kubectl_applylint.units.configured import Configured, configured_declarations
from kubectl_applylint.units.finder import NO_CLUSTER, DeclaringObjects, FoundUnits, find
from kubectl_applylint.units.model import Form, Reason, Unit
from kubectl_applylint.units.reading import reason
from kubectl_applylint.units.remotes import Checkout
from kubectl_applylint.units.tree import tree

DECLARING = (
    "argoproj.io",
    "fluxcd.controlplane.io",
    "helm.toolkit.fluxcd.io",
    "kustomize.toolkit.fluxcd.io",
    "source.extensions.fluxcd.io",
    "source.toolkit.fluxcd.io",
)
"""The API groups of the kinds that declare paths of a repository, or its location."""
_KIND: Final = regex(
    rb"""^(?:kind:[ \t]*["']?(?:Application|ApplicationSet|ArtifactGenerator|Bucket|FluxInstance"""
    rb"""|GitRepository|HelmChart|HelmRelease|Kustomization|OCIRepository|ResourceSet)\b|items:|[ \t]*\{)""",
    re.MULTILINE,
)
"""Matches texts that may contain an object of such a kind: its kind at the top level, a list, or JSON."""


Declarations: TypeAlias = Mapping[str, tuple[Document, ...]]
"""The documents of files that mention such a kind, by path; empty if a file only mentions it."""
_NOTHING: Final[Declarations] = {}
_MOST_ROUNDS: Final = 6
"""The number of times that Applications are looked for among the objects of others."""
_UNKNOWN: Final = Checkout()


def units_of(
    side: Side,
    entries: Iterable[Configured] = (),
    checkout: Checkout = _UNKNOWN,
    path_of: Callable[[str], str | None] = lambda folder: folder,
    declared: Declarations | None = None,
) -> FoundUnits:
    """Return the units of a side; see ``find`` and ``configured_declarations``.

    ``declared`` is the result of ``declarations``, if it is already known.
    """
    known = declarations(side) if declared is None else declared
    found = tree(side.paths, side.content)
    folders = {path.rpartition("/")[0] for path in side.paths}
    named = configured_declarations(entries, folders | side.paths, path_of)
    declaring = rendered_declarations(side, known, found, checkout)
    loose = with_kustomized_applications(side, found, known, declaring.get(NO_CLUSTER, ()))
    paths = {side.label(path): path for path in known}

    def search(every: DeclaredApplications) -> FoundUnits:
        units = find(
            found, side.content, every.objects, named, checkout=checkout, undeclared=frozenset(every.undeclared)
        )
        return _whole_units(side, units, paths)

    applications, rounds = DeclaredApplications({**declaring, NO_CLUSTER: loose}), Rounds()
    result = _without_endless(search(applications), rounds)
    for _ in range(_MOST_ROUNDS):
        more = with_rendered_applications(side, found, result.units, applications, checkout)
        if more is applications:
            break
        applications, result = more, _without_endless(search(more), rounds)
    return replace(result, unlisted=tuple(_unlisted_kustomizations(known, declaring, result.units)))


def _without_endless(found: FoundUnits, rounds: Rounds) -> FoundUnits:
    """Return units, those with a reason that the objects of a template that renders itself declare without end."""
    rounds.following((one for one in found.units if one.applied.declared_by), lambda one: one)
    endless = {one.key for one in rounds.endless}
    if not endless:
        return found
    units = (_with_gap(one, ENDLESS) if one.key in endless and not one.applied.gap else one for one in found.units)
    return replace(found, units=tuple(units))


def _with_gap(unit: Unit, gap: str) -> Unit:
    return replace(unit, applied=replace(unit.applied, gap=gap))


def _unlisted_kustomizations(
    known: Declarations, declaring: DeclaringObjects, units: Iterable[Unit]
) -> Iterator[Reason]:
    """Yield the Kustomizations in files that no other one applies, and that are no roots."""
    files = {document.file for every in declaring.values() for document in every}
    applied = frozenset[str]().union(*(unit.files for unit in units if unit.applied.declared_by))
    for path in sorted(known.keys() - applied):
        yield from (reason(one, ()) for one in known[path] if is_kustomization(one) and one.file not in files)


def _whole_units(side: Side, every: FoundUnits, paths: Mapping[str, str]) -> FoundUnits:
    """Return units with all that they are rendered from; ``paths`` are those of declaring files, by their labels."""
    units = [with_stored_source(_with_declaring_file(unit, paths)) for unit in every.units]
    stored = {unit.applied.reason for unit in units if unit.applied.fetched_source and not unit.applied.gap}
    elsewhere = tuple((why, text) for why, text in every.elsewhere if why not in stored)
    units = [*_with_variables(side, _without_skipped_files(side, units))]
    return replace(every, units=tuple(_with_values(side, units, paths)), elsewhere=elsewhere)


def _with_declaring_file(unit: Unit, paths: Mapping[str, str]) -> Unit:
    """Return a unit; one that an Application builds also has the file of that, by which it is selected."""
    path = paths.get(unit.applied.reason.file) if unit.form is Form.RELEASE else None
    return replace(unit, files=unit.files | {path}) if path else unit


def _without_skipped_files(side: Side, units: Sequence[Unit]) -> Sequence[Unit]:
    """Return units, plain ones of Applications without the files that have the mark to skip them."""
    plain = {id(one) for one in units if one.applied.tool == ARGO_TOOL and one.form in (Form.FOLDER, Form.FILE)}
    skipped = side.mentioning([SKIPPED]) if plain else frozenset[str]()
    if not skipped:
        return units
    return [replace(one, files=one.files - skipped) if id(one) in plain else one for one in units]


def _with_variables(side: Side, units: Sequence[Unit]) -> Iterator[Unit]:
    """Yield units, those of Kustomizations with their variables."""
    sources = VariableSources(side)
    files: dict[str, set[str]] = defaultdict(set)
    for unit in units:
        files[unit.applied.cluster].update(unit.files)
    yield from (with_variables(sources, unit, files[unit.applied.cluster]) for unit in units)


def _with_values(side: Side, units: Sequence[Unit], paths: Mapping[str, str]) -> Iterator[Unit]:
    """Yield units, those of HelmReleases with the values that they read from objects, of Applications with projects.

    ``paths`` are those of the declaring files, by their displayed names.
    """
    objects = NamedObjects(side, units)
    for each in units:
        unit = _with_installation(each, objects)
        if unit.applied.release.folder is None or "valuesFrom" not in mapping(
            (unit.applied.tool_object or {}).get("spec")
        ):
            yield unit
            continue
        from kubectl_applylint.run.sides.release_units import with_values  # noqa: PLC0415  30 ms, for such units only

        path = paths.get(unit.applied.reason.file)
        yield with_values(unit, _objects_beside(side, unit, path, units) if path else (), objects)


def _with_installation(unit: Unit, objects: NamedObjects) -> Unit:
    """Return a unit, that of an Application with what configures its Argo CD."""
    if unit.applied.tool != ARGO_TOOL or unit.applied.tool_object is None:
        return unit
    return replace(unit, applied=replace(unit.applied, installation=objects.installation_of(unit.applied.tool_object)))


def _objects_beside(side: Side, release: Unit, path: str, units: Iterable[Unit]) -> Sequence[Document]:
    """Return the objects of the unit that applies the file at ``path``, which has a HelmRelease."""
    others = (one for one in units if one.form is not Form.RELEASE and one.applied.cluster == release.applied.cluster)
    applying = [one for one in others if path in one.files]
    if not applying:
        return ()
    nearest = min(applying, key=lambda one: len(one.files))
    return (render_unit(side, nearest) if is_rendered(nearest) else side.read(sorted(nearest.files))).documents


def declarations(side: Side, known: Declarations = _NOTHING) -> Declarations:
    """Return the declaring objects in the files of a side; ``known`` has those of files that are unchanged."""
    candidates = [path for path in side.mentioning(DECLARING) if path.endswith(EXTENSIONS)]
    texts = side.contents([path for path in candidates if path not in known])
    labels = {side.label(path): path for path, text in texts.items() if declares(text)}
    read: dict[str, list[Document]] = {path: [] for path in texts}
    for document in side.read(sorted(labels.values())).documents if labels else ():
        read[labels[document.file]].append(document)
    same = {path: _relabel(known[path], side.label(path)) for path in candidates if path in known}
    return {**same, **{path: tuple(documents) for path, documents in read.items()}}


def _relabel(documents: Iterable[Document], file: str) -> tuple[Document, ...]:
    return tuple(replace(document, file=file) for document in documents)


def declares(text: bytes) -> bool:
    """Return whether a text may contain an object that declares units, or the location of their files."""
    return _KIND.search(text) is not None or SECRET_TYPE.encode() in text
