"""Renders kustomizations with the installed ``kustomize`` or ``kubectl``.

The folder is rendered through an overlay in a temporary folder that asks for the origin of each object. Findings point
to the file of an object, and to the line if kustomize leaves the value unchanged.
"""

import os
import posixpath
import shutil
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial
from shlex import quote
from typing import Final

from kubectl_applylint.core.documents import Document, Rendering
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.sources.render import render_cache
from kubectl_applylint.sources.render.build_options import AS_KUBECTL, BuildOptions
from kubectl_applylint.sources.render.checkout import path_below
from kubectl_applylint.sources.render.hole_identity import holes_of
from kubectl_applylint.sources.render.ksops import with_listed_objects
from kubectl_applylint.sources.render.kustomization import Folders, kustomization_in, parts
from kubectl_applylint.sources.render.kustomize_charts import without_present_charts
from kubectl_applylint.sources.render.kustomize_definitions import strip_schemas, with_all_schemas
from kubectl_applylint.sources.render.kustomize_files import KustomizeFiles, files_of_copy, files_of_repository
from kubectl_applylint.sources.render.kustomize_origins import Origins, origins
from kubectl_applylint.sources.render.kustomize_overlay import build_overlay, listing_field
from kubectl_applylint.sources.render.kustomize_variables import with_unknown_variables
from kubectl_applylint.sources.render.locality import (
    BrokenReference,
    UnrenderableReason,
    find_inputs,
    with_original_place,
)
from kubectl_applylint.sources.render.missing_parts import PartialTree, count_parts, without_missing_parts
from kubectl_applylint.sources.render.origin_annotation import ORIGINS, build_metadata
from kubectl_applylint.sources.render.patch_targets import unmatched_patches
from kubectl_applylint.sources.render.random_values import are_random
from kubectl_applylint.sources.render.render_limits import render_limits
from kubectl_applylint.sources.render.render_programs import Copy, relabel, rendered_text, reserve_copy
from kubectl_applylint.sources.render.rendered_sources import (
    Overlay,
    object_sources,
    with_source_positions,
)
from kubectl_applylint.sources.render.stored_bases import with_stored_bases
from kubectl_applylint.sources.render.unmatched_entries import without_entries_of_missing_objects, without_unmatched
from kubectl_applylint.sources.system import cache_folder
from kubectl_applylint.sources.system.temporary import PrivateFolder
from kubectl_applylint.sources.text.classify import is_kustomization
from kubectl_applylint.sources.text.manifests import (
    Input,
    first_document,
    with_undecodable,
    without_undecodable,
)

_TOOLS: Final = (("kustomize", "build"), ("kubectl", "kustomize"))
_UNRESTRICTED: Final = ("--load-restrictor", "LoadRestrictionsNone")
_PRINTS_NOTHING: Final = "it cannot be rendered: the program printed no objects, and its resources have some"
_WRITTEN: Final = regex(rb"(?m)^[^#\n]*apiVersion")
"""A line of an object, and no comment."""
_DELETED: Final = (b"$patch", b"config.kubernetes.io/local-config")
"""What marks an object that is not printed: a patch that deletes it, the annotation of objects for kustomize alone."""
_SHARED: Final = {
    UnrenderableReason.NOT_STORED: "a remote base, file or chart is not in the store; download it with applylint fetch",
    UnrenderableReason.MISSING: "a file or directory that a kustomization names is not found",
    UnrenderableReason.UNREADABLE: "a file is not valid YAML",
}
"""The reasons as several units have them, each with another reference."""
_MOST_TRIES: Final = 20
"""The most times that a kustomization is rendered, each time without more patches of missing objects."""
_MOST_RECENT: Final = 64
"""Number of renderings that are remembered for the other side of a comparison."""
_FETCH: Final = "download it with applylint fetch or --allow-network, "
_NOTHING: Final[Mapping[str, bytes]] = {}


def render(kustomization: str) -> Input:
    """Return the objects of a kustomization (its file) on disk. Never raises: failures become problems.

    It must not refer to files outside of its repository. Remote bases are taken from the store.
    """
    folder = os.path.dirname(kustomization) or os.curdir
    tool = find_tool()
    if not tool:
        return Input(problems=(_missing_tool(kustomization, folder),))
    files = files_of_repository(folder)
    inside, where, label = path_below(files.top, folder) or "", files.folders, files.display_name
    found = find_inputs(inside, where)
    bases = with_stored_bases(inside, where, found)
    if bases.texts:
        unread = partial(Problem, message="it cannot be read")
        return render_folder(inside, where, lambda paths: {path: where.read(path) for path in paths}, label, unread)
    if bases.inputs.faults:
        texts = {path: where.read(path) for path in found.files | parts(inside, where)}
        return _render_partly(texts, kustomization_in(inside, where), bases.inputs.faults, label, folder)
    with PrivateFolder() as overlay:
        own = kustomization_in(inside, where)
        text = where.read(own)
        metadata, field = build_metadata(text), listing_field(text)
        printed = build_overlay(tool, folder, overlay, kustomization, {ORIGINS, *metadata}, field=field)
        around = Overlay(overlay, kustomization, own, found.files, folder if ORIGINS in metadata else "")
        read = printed if isinstance(printed, Problem) else _read(kustomization, tool, printed)
        return _objects(read, around, files, tool)


def _missing_tool(kustomization: str, folder: str) -> Problem:
    advice = f"install one of them, or render elsewhere and pipe the output: kubectl kustomize {folder} | … -f -"
    message = "rendering requires kustomize or kubectl, and neither is on the PATH"
    return Problem(kustomization, f"not rendered: {message}", advice, reason=message)


def _render_copy(
    copy: Copy, path: str, originals: Mapping[str, bytes], options: BuildOptions, *, asks_origins: bool
) -> Input | None:
    """Return the objects of a kustomization in a copy, which is written only if the cache has no rendering of it.

    If kustomize is not asked for origins, the result may be ``None``: the source of an object is unknown.
    """
    kustomization, tool = os.path.join(copy.folder, path), find_tool()
    folder = os.path.dirname(kustomization)
    if not tool:
        return Input(problems=(_missing_tool(kustomization, folder),))
    files = files_of_copy(copy, originals)
    found = find_inputs(os.path.dirname(path), files.folders)
    faults = without_present_charts(found.faults, files.folders)
    if faults:
        return Input(problems=(_reference_problem(faults, files.display_name),))
    tool = tool if faults == found.faults else [*tool, "--enable-helm"]
    tool = tool if options.has_load_restrictor else [*tool, *_UNRESTRICTED]
    text = files.folders.read(path)
    metadata, field = build_metadata(text), listing_field(text)
    sources = None if asks_origins or metadata else object_sources(path, files.folders, found.files)
    printed = metadata if sources else {ORIGINS, *metadata}
    build_copy = partial(build_overlay, tool, folder, copy.beside, kustomization, printed, field=field)
    copy_problems: list[Problem] = []

    def build() -> bytes | Problem:
        copy_problems.extend(copy.write())
        return copy_problems[0] if copy_problems else build_copy()

    key = _key([*tool, *sorted(printed)], path, copy)
    made = render_cache.cached_objects(key, build, partial(_read, kustomization, tool))
    if copy_problems:
        return Input(problems=tuple(copy_problems))
    around = Overlay(copy.beside, kustomization, path, found.files, folder if ORIGINS in metadata else "")
    read = made if isinstance(made, Problem) else made[1]
    paths = sources.paths(with_undecodable(read).documents) if sources and isinstance(read, Input) else None
    if sources and isinstance(read, Input) and paths is None:
        return None
    objects = _objects(read, around, files, tool, options, paths=paths)
    return replace(objects, is_random=faults != found.faults and are_random(copy.texts.items()))


def _read(kustomization: str, tool: Sequence[str], printed: bytes) -> Input | Problem:
    """Return the objects that a program printed for a kustomization."""
    return rendered_text(printed, kustomization, os.path.basename(tool[0]))


def _objects(
    read: Input | Problem,
    overlay: Overlay,
    files: KustomizeFiles,
    tool: Sequence[str],
    options: BuildOptions = AS_KUBECTL,
    *,
    paths: Sequence[str] | None = None,
) -> Input:
    """Return the printed objects of an overlay, with positions in its files, whose ``paths`` may be known."""
    if isinstance(read, Problem):
        return Input(problems=(read,))
    every = with_undecodable(read)
    if every == Input() and any(_holds_objects(path, files.folders) for path in overlay.files):
        advice = f"try it: {' '.join(tool)} {os.path.dirname(overlay.kustomization) or os.curdir}"
        return Input(problems=(Problem(overlay.kustomization, _PRINTS_NOTHING, advice),))
    found = with_source_positions(every, overlay, files, paths)
    remarks = tuple((overlay.kustomization, words) for words in _patch_remarks(overlay, files, found.documents))
    found = replace(found, remarks=remarks)
    resources = {document.file for document in found.documents} - {overlay.kustomization}
    named = ((path, files.display_name(path)) for path in sorted(overlay.files))
    texts = {name: files.original(path) for path, name in named if name not in resources}
    found_origins = cache(partial(origins, texts))
    found = replace(found, documents=tuple(_with_origin(one, found_origins) for one in found.documents))
    return without_undecodable(found) if every is not read and options.has_typed_metadata else found


def _holds_objects(path: str, where: Folders) -> bool:
    """Return whether a file of a kustomization contains objects, and none that a patch or kustomize deletes."""
    text = where.read(path)
    return not is_kustomization(path) and bool(_WRITTEN.search(text)) and not any(mark in text for mark in _DELETED)


def rendering(kustomization: str) -> Rendering:
    """Return the command lines that render a kustomization (its file) and apply it."""
    path = os.path.dirname(kustomization) or os.curdir
    folder = quote(os.path.join(os.curdir, path) if path.startswith("-") else path)
    return Rendering(f"kubectl kustomize {folder}", f"-k {folder}")


def _with_origin(document: Document, found_origins: Callable[[], Origins]) -> Document:
    """Return a rendered object that knows the origin of its values; the origins are parsed on first use."""
    if document.source is None:
        return document
    return replace(document, set_at=lambda path: found_origins().location(document, path))


def _reference_problem(faults: Sequence[BrokenReference], label: Callable[[str], str], folder: str = "") -> Problem:
    """Return the problem of a kustomization with broken references: the first one, and the number of others."""
    first, others = faults[0], f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
    where = label(first.file) + (f":{first.place[0]}:{first.place[1]}" if first.place != (0, 0) else "")
    allow = _FETCH if first.reason is UnrenderableReason.NOT_STORED else "correct it, "
    advice = f"{allow}or render elsewhere and pipe the output: kubectl kustomize {folder} | … -f -" if folder else ""
    is_refused, reason = not any(fault.is_elsewhere for fault in faults), _SHARED.get(first.reason, first.reason.value)
    return Problem(where, f"not rendered: {first}{others}", advice, is_refused=is_refused, reason=reason)


def find_tool() -> list[str]:
    """Return the command that renders (``kustomize build`` or ``kubectl kustomize``), empty if neither is installed."""
    return next(([path, command] for name, command in _TOOLS if (path := shutil.which(name))), [])


def render_folder(
    folder: str,
    where: Folders,
    contents_of: Callable[[Collection[str]], Mapping[str, bytes]],
    label: Callable[[str], str],
    fault_of: Callable[[str], Problem],
    *,
    originals: Mapping[str, bytes] = _NOTHING,
    options: BuildOptions = AS_KUBECTL,
) -> Input:
    """Render the kustomization in a folder from a copy of its files, and return its objects.

    ``fault_of`` returns why ``contents_of`` leaves out a file; then nothing is rendered. ``originals`` are as in
    ``render_files``.
    """
    bases = with_stored_bases(folder, where, has_helm=options.has_helm)
    where, faults, label = bases.where, bases.inputs.faults, partial(bases.label, label=label)
    files = parts(folder, where) | bases.inputs.files
    texts = bases.contents(files, contents_of)
    if len(texts) < len(files):
        return Input(problems=tuple(fault_of(path) for path in sorted(files - texts.keys())))
    faults = tuple(with_original_place(one, originals) for one in faults)
    originals, kustomization = {**bases.originals, **originals}, kustomization_in(folder, where)
    if faults and find_tool():
        return _render_partly(texts, kustomization, faults, label, originals=originals, options=options)
    return render_files(texts, kustomization, label, originals, options=options)


def _render_partly(
    texts: Mapping[str, bytes],
    kustomization: str,
    faults: Sequence[BrokenReference],
    label: Callable[[str], str],
    folder: str = "",
    *,
    originals: Mapping[str, bytes] = _NOTHING,
    options: BuildOptions = AS_KUBECTL,
) -> Input:
    """Render a kustomization without the parts that cannot be rendered here, and return its other objects.

    If nothing is left, or the rest cannot be rendered either, return the problem of the first broken reference.
    """
    tree = without_missing_parts(texts, faults)
    tree = with_listed_objects(tree) if tree else None
    tree = without_entries_of_missing_objects(tree) if tree and count_parts(tree.amended) else None
    render_tree = partial(_render_tree, kustomization, label, originals=originals, options=options)
    for _ in range(_MOST_TRIES):
        found = render_tree(tree) if tree else Input()
        fixed = without_unmatched(tree, found.problems[0].message) if tree and found.problems else None
        if fixed is None:
            break
        tree = fixed
    if tree is None or found.problems or not found.documents:
        # Without the parts that are left out, a kustomization often has nothing to print.
        others = (one for one in found.problems if tree and one.message != _PRINTS_NOTHING)
        return Input(problems=(*others, _reference_problem(faults, label, folder)))
    # A target that matches no object may be in a part that is not rendered.
    holes, documents = holes_of(tree, found.documents, label), with_unknown_variables(found.documents, texts)
    return replace(found, documents=documents, remarks=(), holes=holes, parts=count_parts(texts))


def _render_tree(
    kustomization: str,
    label: Callable[[str], str],
    tree: PartialTree,
    *,
    originals: Mapping[str, bytes],
    options: BuildOptions,
) -> Input:
    of = tree.sources
    every = {**tree.texts, **{name: tree.texts[path] for name, path in of.items()}, **originals}
    return render_files(tree.amended, kustomization, lambda path: label(of.get(path, path)), every, options=options)


def render_files(
    texts: Mapping[str, bytes],
    kustomization: str,
    label: Callable[[str], str],
    originals: Mapping[str, bytes] = _NOTHING,
    *,
    options: BuildOptions = AS_KUBECTL,
) -> Input:
    """Render a kustomization from files in memory, by their paths, and return its objects.

    ``label`` returns the displayed name of a path; positions are those in the ``originals`` of files that differ.
    """
    slim = strip_schemas(texts)
    if slim:
        small = {**texts, **{path: each.text for path, each in slim.items()}}
        found, copy = _rendered_copy(
            small, kustomization, {**originals, **{path: texts[path] for path in slim}}, options
        )
        restored = with_all_schemas(relabel(found, copy, label), {label(path): each for path, each in slim.items()})
        if restored is not None:
            return restored
    found, copy = _rendered_copy(texts, kustomization, originals, options)
    return relabel(found, copy, label)


def _rendered_copy(
    texts: Mapping[str, bytes], kustomization: str, originals: Mapping[str, bytes], options: BuildOptions
) -> tuple[Input, Copy]:
    """Return the objects of a kustomization that is rendered from a copy, and the copy; both sides often have it."""
    inputs = (tuple(sorted(texts.items())), kustomization, tuple(sorted(originals.items())), options)
    tool = find_tool()
    render_copy = _render_once if cache_folder.is_kept() else _render_once.__wrapped__
    return render_copy(*inputs, (*tool, render_limits(), *map(render_cache.identity_of, tool[:1])))


@lru_cache(maxsize=_MOST_RECENT)
def _render_once(
    texts: tuple[tuple[str, bytes], ...],
    kustomization: str,
    originals: tuple[tuple[str, bytes], ...],
    options: BuildOptions,
    _environment: tuple[object, ...],
) -> tuple[Input, Copy]:
    """Return the objects and the copy; ``_environment`` is what else the result depends on."""
    for asks_origins in (False, True):
        with reserve_copy(dict(texts)) as copy:
            found = _render_copy(copy, kustomization, dict(originals), options, asks_origins=asks_origins)
        if found is not None:
            break
    return found or Input(), copy


def _key(tool: Sequence[str], kustomization: str, copy: Copy) -> str:
    """Return the cache key of a rendering, empty if it may depend on more than the files of the copy."""
    own = [text for path, text in copy.texts.items() if is_kustomization(path)]
    return render_cache.key_of([*tool, kustomization], copy.texts, own)


def _patch_remarks(overlay: Overlay, files: KustomizeFiles, rendered: Sequence[Document]) -> Iterator[str]:
    where, folder = files.folders, posixpath.dirname(overlay.path)

    def text_of(inner: str) -> str:
        return where.read(posixpath.normpath(posixpath.join(folder, inner))).decode("utf-8", "replace")

    for place, target in unmatched_patches(first_document(where.read(overlay.path)), rendered, text_of):
        yield f"{place} has no effect: its target ({target}) matches no object, and kustomize ignores this silently"
