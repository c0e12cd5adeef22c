"""Renders the kustomizations and folders of the repository that Applications of Argo CD name."""

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.values import JsonObject, mapping, text_at, texts_at
from kubectl_applylint.run.sides.directory_errors import with_directory_errors, with_fatal_problems
from kubectl_applylint.run.sides.line_positions import LinePositions
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.sources.files.files import EXTENSIONS
from kubectl_applylint.sources.render.build_options import BuildOptions
from kubectl_applylint.sources.render.jsonnet import JsonnetFile, render
from kubectl_applylint.sources.render.kustomization import files_of, kustomization_in
from kubectl_applylint.sources.text.manifests import Input, first_document, join
from kubectl_applylint.tools.argocd.directory_globs import glob_matcher
from kubectl_applylint.tools.argocd.jsonnet_options import jsonnet_options
from kubectl_applylint.tools.argocd.kustomize_options import KustomizeOptionsError, with_kustomize_options
from kubectl_applylint.tools.argocd.special_files import JSONNET, SKIPPED
from kubectl_applylint.units.kustomizations import resolve_reference

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
    where = files_of(side.paths, lambda one: written[one] if one in written else side.content(one))

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


def folder_objects(side: Side, folder: str, options: JsonObject, variables: Mapping[str, str]) -> Input:
    """Return the manifests of a folder that Argo CD reads, and the objects of files in Jsonnet."""
    paths = [*directory_files(side.paths, folder, options)]
    texts = side.contents(paths)
    paths = [path for path in paths if _MARK not in texts.get(path, b"")]
    plain = [path for path in paths if not path.endswith(JSONNET)]
    made = [_jsonnet_objects(side, path, folder, options, variables) for path in paths if path.endswith(JSONNET)]
    read = [with_directory_errors(side.read(plain))] if plain else []
    return join([*read, *made])


def _jsonnet_objects(side: Side, path: str, folder: str, options: JsonObject, variables: Mapping[str, str]) -> Input:
    """Return the objects of a file in Jsonnet; imports are also looked for in its folder of the source."""
    given = jsonnet_options(options, variables)
    libraries = [resolve_reference("", one.lstrip("/")) for one in given.libraries]
    where = side.label(path)
    if None in libraries:
        message = "it is not evaluated: libs lead out of the repository"
        return Input(problems=(Problem(where, message, "correct libs in directory.jsonnet of the Application"),))
    known = (folder, *(one for one in libraries if one is not None))
    found = render(JsonnetFile(path, side.paths, side.contents, known, given.arguments, given.codes), where)
    documents = tuple(replace(one, positions=LinePositions(1), is_templated=True) for one in found.documents)
    return with_fatal_problems(replace(found, documents=documents))


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
