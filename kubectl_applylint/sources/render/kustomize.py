"""Renders kustomizations with the installed ``kustomize`` or ``kubectl``.

The folder is rendered through an overlay in a temporary folder that asks for the origin of each object. Findings point
to the file of an object, and to the line if kustomize leaves the value unchanged.
"""

import os
import shutil
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import nullcontext
from functools import cache, lru_cache, partial
from shlex import quote
from typing import Final

from kubectl_applylint.core.documents import Document, Rendering
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.state import annotations_of
from kubectl_applylint.sources.render import render_cache
from kubectl_applylint.sources.render.build_options import AS_KUBECTL, BuildOptions
from kubectl_applylint.sources.render.checkout import files_below, path_below, repository_top
from kubectl_applylint.sources.render.hole_identity import holes_of
from kubectl_applylint.sources.render.ksops import with_listed_objects
from kubectl_applylint.sources.render.kustomization import Folders, kustomization_in, parts
from kubectl_applylint.sources.render.kustomize_charts import without_present_charts
from kubectl_applylint.sources.render.kustomize_definitions import strip_schemas, with_all_schemas
from kubectl_applylint.sources.render.kustomize_origins import Origins, origins
from kubectl_applylint.sources.render.kustomize_overlay import build_overlay
from kubectl_applylint.sources.render.kustomize_positions import FilePositions, SourcePositions
from kubectl_applylint.sources.render.kustomize_variables import with_unknown_variables
from kubectl_applylint.sources.render.locality import BrokenReference, UnrenderableReason, find_inputs
from kubectl_applylint.sources.render.missing_parts import PartialTree, count_parts, without_missing_parts
from kubectl_applylint.sources.render.origin_annotation import (
    ORIGIN,
    ORIGINS,
    build_metadata,
    origin_file,
    with_origin,
    without_origin,
)
from kubectl_applylint.sources.render.patch_targets import unmatched_patches
from kubectl_applylint.sources.render.render_limits import render_limits
from kubectl_applylint.sources.render.render_programs import Copy, copy_files, relabel, rendered_text, renumber
from kubectl_applylint.sources.render.stored_bases import with_stored_bases
from kubectl_applylint.sources.render.unmatched_entries import without_entries_of_missing_objects, without_unmatched
from kubectl_applylint.sources.system import cache_folder, contents
from kubectl_applylint.sources.system.temporary import PrivateFolder
from kubectl_applylint.sources.text.classify import is_kustomization
from kubectl_applylint.sources.text.manifests import Input, first_document, read_text

_TOOLS: Final = (("kustomize", "build"), ("kubectl", "kustomize"))
_UNRESTRICTED: Final = ("--load-restrictor", "LoadRestrictionsNone")
_PRINTS_NOTHING: Final = "it cannot be rendered: the program printed no objects, and its resources have some"
_MOST_TRIES: Final = 20
"""The most times that a kustomization is rendered, each time without more patches of missing objects."""
_MOST_RECENT: Final = 64
"""Number of renderings that are remembered for the other side of a comparison."""
_FETCH: Final = "download it with applylint fetch or --allow-network, "
_NOTHING: Final[Mapping[str, bytes]] = {}


def render(
    kustomization: str,
    copy: Copy | None = None,
    whole: Mapping[str, bytes] = _NOTHING,
    options: BuildOptions = AS_KUBECTL,
) -> Input:
    """Return the objects of a kustomization (its file). Never raises: failures become problems.

    It must not refer to files outside of its copy, or else of its repository. Renderings of copies are cached by the
    contents of their files (``render_cache``). Remote bases are taken from the store. ``whole`` maps real paths to the
    full contents of files that are abridged in the copy. ``options`` are for copies.
    """
    folder = os.path.dirname(kustomization) or os.curdir
    tool = find_tool()
    if not tool:
        advice = f"install one of them, or render elsewhere and pipe the output: kubectl kustomize {folder} | … -f -"
        message = "rendering requires kustomize or kubectl, and neither is on the PATH"
        return Input(problems=(Problem(kustomization, f"not rendered: {message}", advice, reason=message),))
    start = copy.folder if copy else repository_top(folder)
    inside, where = path_below(start, folder) or "", files_below(start)
    made, label = find_inputs(inside, where), partial(_display_below, start)
    bases = None if copy else with_stored_bases(inside, where, made)
    if bases and bases.texts:
        unread = partial(Problem, message="it cannot be read")
        return render_folder(inside, where, lambda paths: {path: where.read(path) for path in paths}, label, unread)
    faults = bases.inputs.faults if bases else without_present_charts(made.faults, where)
    if faults and not copy:
        texts = {path: where.read(path) for path in made.files | parts(inside, where)}
        return _render_partly(texts, kustomization_in(inside, where), faults, label, folder)
    if faults:
        return Input(problems=(_reference_problem(faults, label, folder),))
    options = options if copy else AS_KUBECTL
    tool = tool if faults == made.faults else [*tool, "--enable-helm"]
    return _render_all(kustomization, tool, start, made.files, copy=copy, whole=whole, options=options)


def _render_all(
    kustomization: str,
    tool: Sequence[str],
    start: str,
    made_of: Collection[str],
    *,
    copy: Copy | None,
    whole: Mapping[str, bytes],
    options: BuildOptions,
) -> Input:
    """Return the objects of a kustomization; ``made_of`` are its files, relative to ``start``."""
    folder = os.path.dirname(kustomization) or os.curdir
    tool = tool if options.has_load_restrictor else [*tool, *_UNRESTRICTED]
    with nullcontext(copy.beside) if copy else PrivateFolder() as overlay:
        key = _key(tool, kustomization, copy) if copy else ""
        metadata = build_metadata(_bytes(kustomization))
        rendered = render_cache.cached_output(
            key, partial(build_overlay, tool, folder, overlay, kustomization, metadata)
        )
        if isinstance(rendered, Problem):
            return Input(problems=(rendered,))
        files = frozenset(os.path.realpath(os.path.join(start, path)) for path in made_of)
        printed = rendered_text(rendered, kustomization, os.path.basename(tool[0]))
        if isinstance(printed, Problem):
            return Input(problems=(printed,))
        if printed == Input() and any(map(_holds_objects, files)):
            return Input(problems=(Problem(kustomization, _PRINTS_NOTHING, f"try it: {' '.join(tool)} {folder}"),))
        around = _Overlay(overlay, kustomization, files, folder if ORIGINS in metadata else "")
        found = _with_source_positions(printed, around, whole)
        resources = {document.file for document in found.documents} - {kustomization}
        names = (name for name in map(_display_name, sorted(files)) if name not in resources)
        texts = {name: whole.get(os.path.realpath(name)) or _bytes(name) for name in names}
        found_origins = cache(partial(origins, texts))
        return replace(found, documents=tuple(_with_origin(one, found_origins) for one in found.documents))


def _holds_objects(file: str) -> bool:
    """Return whether a file of a kustomization contains objects, and none that a patch deletes."""
    text = _bytes(file)
    return not is_kustomization(file) and b"apiVersion" in text and b"$patch" not in text


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
    is_refused = not any(fault.is_elsewhere for fault in faults)
    return Problem(where, f"not rendered: {first}{others}", advice, is_refused=is_refused, reason=first.reason.value)


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
        return Input(problems=(*(found.problems if tree else ()), _reference_problem(faults, label, folder)))
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
    with copy_files(dict(texts)) as copy:
        whole = _by_real_path(copy, dict(originals))
        return render(os.path.join(copy.folder, kustomization), copy, whole, options), copy


def _by_real_path(copy: Copy, texts: Mapping[str, bytes]) -> Mapping[str, bytes]:
    return {os.path.realpath(os.path.join(copy.folder, path)): text for path, text in texts.items()}


def _key(tool: Sequence[str], kustomization: str, copy: Copy) -> str:
    """Return the cache key of a rendering, empty if it may depend on more than the files of the copy."""
    if copy.problems:
        return ""
    own = [text for path, text in copy.texts.items() if is_kustomization(path)]
    return render_cache.key_of([*tool, os.path.relpath(kustomization, copy.folder)], copy.texts, own)


@dataclass(frozen=True, slots=True)
class _Overlay:
    """The overlay folder, the kustomization in it, and the real paths of all files that it consists of."""

    folder: str
    kustomization: str
    files: frozenset[str]
    origin_folder: str = ""
    """The folder that origins in the objects are relative to; empty if they have none."""


def _with_source_positions(found: Input, overlay: _Overlay, whole: Mapping[str, bytes]) -> Input:
    """Return the rendered objects with positions in their source files, and the texts of these files."""
    sources = cache(partial(_read, whole))
    documents = renumber(_document(document, overlay, sources) for document in found.documents)
    files = dict.fromkeys(document.file for document in documents)
    texts = {file: text for name in files for file, text in sources(name).texts.items()}
    remarks = tuple((overlay.kustomization, words) for words in _patch_remarks(overlay.kustomization, documents))
    return replace(found, documents=documents, texts=texts, remarks=remarks)


def _patch_remarks(kustomization: str, rendered: Sequence[Document]) -> Iterator[str]:
    folder = os.path.dirname(kustomization)

    def text_of(path: str) -> str:
        return _bytes(os.path.join(folder, path)).decode("utf-8", "replace")

    for place, target in unmatched_patches(first_document(_bytes(kustomization)), rendered, text_of):
        yield f"{place} has no effect: its target ({target}) matches no object, and kustomize ignores this silently"


def _bytes(file: str) -> bytes:
    content = contents.read_file(file, contents.MAX_BYTES) if os.path.isfile(file) else b""
    return b"" if isinstance(content, Problem) else content


def _read(whole: Mapping[str, bytes], file: str) -> Input:
    content = whole.get(os.path.realpath(file)) or contents.read_file(file, contents.MAX_BYTES)
    return Input() if isinstance(content, Problem) else read_text(content, file)


def _document(document: Document, overlay: _Overlay, sources: Callable[[str], Input]) -> Document:
    """Return a rendered object without its origin annotation, with positions in its source file."""
    annotations = annotations_of(document.object)
    own = without_origin(document.object)
    if overlay.origin_folder:
        own = with_origin(own, annotations.get(ORIGIN), overlay.folder, overlay.origin_folder)
    file = _source_file(origin_file(annotations.get(ORIGIN)), overlay)
    source = _source(document, sources(file).documents) if file else None
    if source is None:
        return replace(document, object=own, file=file or overlay.kustomization, positions=FilePositions())
    positions = SourcePositions(own, source.object, source.positions)
    return replace(document, object=own, file=file, positions=positions, source=source.object)


def _source_file(origin: str, overlay: _Overlay) -> str:
    """Return the file of an origin, empty if it is not part of the kustomization, as manifests may forge origins."""
    file = os.path.normpath(os.path.join(os.path.realpath(overlay.folder), origin))
    return _display_name(file) if origin and "\0" not in origin and os.path.realpath(file) in overlay.files else ""


def _display_name(file: str) -> str:
    """Return the displayed path of a file, relative to the working directory."""
    here = os.path.realpath(os.curdir)
    return os.path.relpath(file, here) if os.path.commonpath([file, here]) == here else file


def _display_below(top: str, path: str) -> str:
    return _display_name(os.path.join(top, path))


def _source(rendered: Document, documents: Sequence[Document]) -> Document | None:
    """Return the source object of a rendered one; name prefixes and suffixes may have been added."""
    alike = [one for one in documents if (one.ref.group, one.ref.kind) == (rendered.ref.group, rendered.ref.kind)]
    named = [one for one in alike if one.ref.name == rendered.ref.name]
    renamed = [one for one in alike if one.ref.name in rendered.ref.name]
    return next(iter(named or sorted(renamed, key=lambda one: -len(one.ref.name))), None)
