"""Renders the kustomizations and folders of the repository that Applications of Argo CD name."""

import hashlib
import json
import posixpath
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from kubectl_applylint.core.holes import Hole
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.values import JsonObject, mapping, text_at, texts_at
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.sources.files.files import EXTENSIONS
from kubectl_applylint.sources.render.build_options import BuildOptions
from kubectl_applylint.sources.render.kustomization import Folders, kustomization_in
from kubectl_applylint.sources.text.manifests import Input, first_document
from kubectl_applylint.tools.argocd.directory_globs import glob_matcher
from kubectl_applylint.tools.argocd.kustomize_options import KustomizeOptionsError, with_kustomize_options
from kubectl_applylint.tools.argocd.special_files import JSONNET, SKIPPED
from kubectl_applylint.units.kustomizations import resolve_reference
from kubectl_applylint.units.model import Unit

_MARK: Final = SKIPPED.encode()


def kustomized_objects(
    side: Side, folder: str, options: JsonObject, variables: Mapping[str, str], *, has_load_restrictor: bool = True
) -> Input:
    """Return the objects of a kustomization with the options of an Application; raise ``KustomizeOptionsError``."""
    path = kustomization_in(folder, side.folders)
    if not path:
        raise KustomizeOptionsError("its path has no kustomization")
    text = side.content(path)
    own = mapping(first_document(text))
    made = with_kustomize_options(own, _with_known_components(side, folder, options), variables)
    if made == own and has_load_restrictor:
        return side.render(folder)
    # The program that it starts takes 15 ms to import, and most Applications set no options.
    from kubectl_applylint.sources.render.kustomize import render_folder  # noqa: PLC0415

    written = {path: json.dumps(made).encode()}
    where = Folders(side.paths.__contains__, lambda one: written[one] if one in written else side.content(one))

    def contents_of(paths: Collection[str]) -> Mapping[str, bytes]:
        return {**side.contents([one for one in paths if one not in written]), **written}

    how = BuildOptions(has_load_restrictor=has_load_restrictor)
    return render_folder(folder, where, contents_of, side.label, side.fault, originals={path: text}, options=how)


def _with_known_components(side: Side, folder: str, options: JsonObject) -> JsonObject:
    """Return options with the components that exist, if the Application ignores missing ones."""
    if options.get("ignoreMissingComponents") is not True:
        return options
    places = [(one, resolve_reference(folder, one)) for one in texts_at(options, "components")]
    known = [one for one, place in places if place is not None and _has_folder(side, place)]
    return {**options, "components": known}


def _has_folder(side: Side, folder: str) -> bool:
    return any(path.startswith(f"{folder}/") for path in side.paths)


def folder_objects(side: Side, folder: str, options: JsonObject, unit: Unit) -> Input:
    """Return the manifests of a folder that Argo CD reads; files in Jsonnet are holes."""
    paths = [*directory_files(side.paths, folder, options)]
    texts = side.contents(paths)
    paths = [path for path in paths if _MARK not in texts.get(path, b"")]
    plain = [path for path in paths if not path.endswith(JSONNET)]
    found = side.read(plain) if plain else Input()
    holes = tuple(_hole(side, path, texts.get(path, b""), options, unit) for path in paths if path.endswith(JSONNET))
    return replace(found, holes=(*found.holes, *holes), parts=len(plain) + len(holes) if holes else found.parts)


def _hole(side: Side, path: str, text: bytes, options: JsonObject, unit: Unit) -> Hole:
    digest = hashlib.sha256(text + json.dumps(options.get("jsonnet"), sort_keys=True, default=str).encode())
    what = f"{posixpath.basename(path)}: Jsonnet is not evaluated ({unit.root})"
    return Hole(side.label(path), what, digest.hexdigest(), digest.hexdigest())


def directory_files(paths: Collection[str], folder: str, options: JsonObject) -> Iterator[str]:
    """Yield the files below a folder that Argo CD reads, sorted; subfolders only if the options say so."""
    start = f"{folder}/" if folder else ""
    include, exclude = (text_at(options, name) for name in ("include", "exclude"))
    is_included = glob_matcher(include) if include else None
    is_excluded = glob_matcher(exclude) if exclude else None
    extensions = ("",) if options.get("disableExtensionFilter") is True else (*EXTENSIONS, JSONNET)
    for path in sorted(paths):
        inside = path.removeprefix(start)
        if not path.startswith(start) or not path.endswith(extensions):
            continue
        if "/" in inside and options.get("recurse") is not True:
            continue
        if not (is_excluded and is_excluded(inside)) and (not is_included or is_included(inside)):
            yield path
