"""The kustomization that Flux builds: that of the directory, or a generated one, with the settings of its object.

Mirrors ``kustomize_generator.go`` of ``github.com/fluxcd/pkg/kustomize`` 1.35 to 1.44. Paths have ``/`` between
folders.
"""

import posixpath
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import Json, JsonObject, dig, equal, mapping, objects_at, text_at, texts_at
from kubectl_applylint.tools.flux.kustomization_fields import known_fields

KUSTOMIZATION_NAMES: Final = ("kustomization.yaml", "kustomization.yml", "Kustomization")
"""The names of kustomization files, in the order in which Flux looks for them."""
_HEADER: Final = {"apiVersion": "kustomize.config.k8s.io/v1beta1", "kind": "Kustomization"}
_REMOTE: Final = regex(r"(?is:git::|gh:|ssh://|https?://|git@|github\.com[:/])[\s\S]")
_SELECTOR: Final = ("group", "version", "kind", "name", "namespace", "labelSelector", "annotationSelector")
_ORIGINS: Final = "originAnnotations"


class GenerateError(Exception):
    """Flux cannot build the directory."""


@dataclass(frozen=True, slots=True)
class Generated:
    """A kustomization to build: the path of its file, and its content."""

    path: str
    kustomization: JsonObject
    is_written: bool = False
    """Whether the file has exactly this content."""


def folder_of(kustomization: JsonObject) -> str:
    """Return the directory that a Kustomization builds, in its source; ``..`` does not lead out of it."""
    return posixpath.normpath(f"/{text_at(kustomization, 'spec', 'path')}").lstrip("/")


def kustomization_file(folder: str, files: Collection[str]) -> str:
    """Return the path of the kustomization file in a directory, empty if there is none."""
    names = (posixpath.join(folder, name) for name in KUSTOMIZATION_NAMES)
    return next((path for path in names if path in files), "")


def generate(kustomization: JsonObject, files: Collection[str], existing: Json) -> Generated:
    """Return the kustomization that Flux builds for an object; raise ``GenerateError`` if there is none.

    ``files`` are the paths of the files of the source, without symlinks and what it ignores. ``existing`` is the
    content of the kustomization file of the directory, if it has one.
    """
    folder = folder_of(kustomization)
    path = kustomization_file(folder, files)
    if not path and not any(each.startswith(f"{folder}/".lstrip("/")) for each in files):
        raise GenerateError(f"kustomization path not found: {folder or '.'}")
    content = _existing(existing) if path else _from_files(folder, files)
    amended = _amend(content, kustomization, files)
    is_written = bool(path) and equal(dict(amended), {**_HEADER, **mapping(existing)})
    return Generated(path or posixpath.join(folder, KUSTOMIZATION_NAMES[0]), amended, is_written)


def _existing(content: Json) -> JsonObject:
    """Return the known fields of a kustomization file; Flux drops all others."""
    if content is not None and not isinstance(content, dict):
        raise GenerateError("the kustomization file is not an object")
    kept = {**_HEADER, **known_fields(mapping(content))}
    return kept if kept.get("resources") else {**kept, "buildMetadata": [_ORIGINS]}


def _from_files(folder: str, files: Collection[str]) -> JsonObject:
    """Return the generated kustomization of a directory: its manifests, and its directories with a kustomization."""
    resources = [f"./{posixpath.relpath(path, folder or '.')}" for path in _manifests(folder, files)]
    return {**_HEADER, "resources": resources} if resources else {**_HEADER, "namespace": "_placeholder"}


def _manifests(folder: str, files: Collection[str]) -> Iterator[str]:
    """Yield the resources below a directory, each directory in the order of its names."""
    start = f"{folder}/" if folder else ""
    below = sorted(path.removeprefix(start).split("/") for path in files if path.startswith(start))
    built = {posixpath.dirname(path) for path in files if posixpath.basename(path) in KUSTOMIZATION_NAMES}
    named: set[str] = set()
    for parts in below:
        folders = (start + "/".join(parts[:length]) for length in range(1, len(parts)))
        outer = next((one for one in folders if one in built), None)
        path = outer or start + "/".join(parts)
        if (outer or posixpath.splitext(path)[1] in (".yaml", ".yml")) and path not in named:
            named.add(path)
            yield path


def _amend(content: JsonObject, kustomization: JsonObject, files: Collection[str]) -> JsonObject:
    """Return a kustomization with the settings of the object, in the order of the controller."""
    spec = mapping(kustomization.get("spec"))
    added: dict[str, Json] = {
        "namespace": text_at(spec, "targetNamespace"),
        "namePrefix": text_at(spec, "namePrefix"),
        "nameSuffix": text_at(spec, "nameSuffix"),
        "patches": [*_list(content, "patches"), *map(_patch, objects_at(spec, "patches"))],
        "components": [*_list(content, "components"), *_components(kustomization, files)],
        "images": _images(content, objects_at(spec, "images")),
        "buildMetadata": [*texts_at(spec, "buildMetadata")],
    }
    return {**content, **{name: value for name, value in added.items() if value}}


def _list(content: JsonObject, name: str) -> list[Json]:
    found = content.get(name)
    return [*found] if isinstance(found, list) else []


def _patch(patch: JsonObject) -> JsonObject:
    """Return a patch of the object as kustomize reads it."""
    target = dig(patch, "target")
    selector = {name: text for name in _SELECTOR if (text := text_at(target, name))}
    return {"patch": text_at(patch, "patch"), **({"target": selector} if isinstance(target, dict) else {})}


def _components(kustomization: JsonObject, files: Collection[str]) -> Iterator[str]:
    """Yield the components of the object; those that are missing only if they are not to be ignored."""
    ignores_missing = dig(kustomization, "spec", "ignoreMissingComponents") is True
    folder = folder_of(kustomization)
    for component in texts_at(kustomization, "spec", "components"):
        if _REMOTE.match(component) or component.lower().removeprefix("file://").startswith("/"):
            raise GenerateError(f"component path '{component}' must be local and relative")
        path = posixpath.normpath(posixpath.join(folder, component))
        is_there = path in (".", "") or any(each == path or each.startswith(f"{path}/") for each in files)
        if is_there or not ignores_missing:
            yield component


def _images(content: JsonObject, images: list[JsonObject]) -> list[Json]:
    """Return the images of a kustomization with those of the object: an entry of the same name is changed."""
    found = [*map(mapping, _list(content, "images"))]
    for image in images:
        name = text_at(image, "name")
        place = next((place for place, one in enumerate(found) if text_at(one, "name") == name), None)
        if place is None:
            found.append(
                {key: text for key in ("name", "newName", "newTag", "digest") if (text := text_at(image, key))}
            )
        else:
            found[place] = _with_image(found[place], image)
    return [*found]


def _with_image(before: JsonObject, image: JsonObject) -> Mapping[str, Json]:
    """Return an image with another name, or another tag and digest, which are replaced together."""
    version = {key: text for key in ("newTag", "digest") if (text := text_at(image, key))}
    kept = {key: value for key, value in before.items() if not version or key not in ("newTag", "digest")}
    name = text_at(image, "newName")
    return {**kept, **({"newName": name} if name else {}), **version}
