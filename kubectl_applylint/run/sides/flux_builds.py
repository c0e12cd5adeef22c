"""Builds the Kustomizations of Flux from the files of a side."""

from collections.abc import Callable, Collection, Mapping
from functools import cache, partial

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.values import mapping, text_at
from kubectl_applylint.run.sides.line_positions import declaring_document
from kubectl_applylint.run.sides.side import ASK_AGAIN, FETCH_ADVICE, Side
from kubectl_applylint.sources.store import store
from kubectl_applylint.sources.store.chart_archive import ArchiveError
from kubectl_applylint.sources.store.chart_source import SourceKind, public_url
from kubectl_applylint.sources.text.classify import KUSTOMIZATION_FILES
from kubectl_applylint.sources.text.manifests import Input
from kubectl_applylint.tools.flux.build import SourceTree, build
from kubectl_applylint.tools.flux.source_files import packed_files
from kubectl_applylint.tools.flux.substitution import Variables
from kubectl_applylint.units.model import Unit


def builder(side: Side) -> Callable[[Unit], Input]:
    """Return a function that builds the unit of a Kustomization; each unit is built once."""
    trees = cache(partial(_source_tree, side))
    return cache(
        lambda unit: (
            _build_stored(unit) if unit.applied.fetched_source else _build(unit, trees(unit.applied.source_ignore))
        )
    )


def _build_stored(unit: Unit) -> Input:
    """Return the objects of a unit whose files are in another git repository or an OCI artifact."""
    applied, source = unit.applied, unit.applied.fetched_source
    found = store.chart(source) if source else None
    if source is None or not isinstance(found, store.StoredChart):
        reason = found.reason if isinstance(found, store.MissingChart) else "its source is not known"
        advice = ASK_AGAIN if isinstance(found, store.MissingChart) and found.absence else FETCH_ADVICE
        return Input(problems=(Problem(applied.reason.place, f"{unit.root} is not rendered: {reason}", advice),))
    try:
        files = found.files()
    except ArchiveError as error:
        return Input(problems=(Problem(applied.reason.place, f"{unit.root} is not rendered: {error}", FETCH_ADVICE),))
    home = applied.source if source.kind is SourceKind.GIT else public_url(source.url).removeprefix("oci://")
    name = f"{home}@{found.version[:12]}"
    tree = SourceTree(
        packed_files(frozenset(files), lambda path: files.get(path, b""), applied.source_ignore),
        lambda paths: {path: files[path] for path in paths if path in files},
        lambda path: f"{name}/{path}",
    )
    return _build(unit, tree, path=text_at(applied.tool_object or {}, "spec", "path"))


def _source_tree(side: Side, ignore: str) -> SourceTree:
    paths = side.paths.difference(side.link_ends)
    return SourceTree(packed_files(paths, side.content, ignore), partial(_contents, side), side.label, side.fault)


def _contents(side: Side, paths: Collection[str]) -> Mapping[str, bytes]:
    """Return the contents of files; kustomizations come from the cache of the side, as each is read several times."""
    named = (path for path in paths if path.rpartition("/")[2] in KUSTOMIZATION_FILES)
    known = {path: text for path in named if (text := side.content(path))}
    others = [path for path in paths if path not in known]
    return {**known, **side.contents(others)} if others else known


def _build(unit: Unit, tree: SourceTree, path: str | None = None) -> Input:
    """Return the objects of a unit; ``path`` is that in the source, by default the root of the unit."""
    declared, known = declaring_document(unit), unit.applied.variables
    # The path inside an artifact that is copied from the repository is another one than that of the repository.
    spec = {**mapping(declared.object.get("spec")), "path": unit.root if path is None else path}
    declared = replace(declared, object={**declared.object, "spec": spec})
    variables = Variables(dict(known.values), known.others, known.fault)
    built = build(declared, tree, variables, is_rendered=not unit.may_be_patched)
    has_holes = any(built.holes)
    return replace(built.input, holes=(*built.input.holes, *(known.holes if has_holes else ())))
