"""The holes of a kustomization that was rendered in part: what each is, and what its objects depend on.

The objects of a hole may be changed by patches, images and prefixes. Whatever may do this counts as a part of the hole,
unless it visibly has an effect on an object that was rendered.
"""

import hashlib
import json
import posixpath
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.holes import Hole
from kubectl_applylint.core.paths import leaves, render
from kubectl_applylint.core.values import Json, JsonObject, dig, mapping, text_at
from kubectl_applylint.secrets.credential_forms import without_forms
from kubectl_applylint.sources.render.locality import UnrenderableReason
from kubectl_applylint.sources.render.missing_parts import (
    BASES,
    CHARTS,
    GENERATORS,
    MissingPart,
    PartialTree,
    changed_by,
    including,
    only_document,
    patch_documents,
    references_of,
    text_reader,
)

_CREATING: Final = frozenset({"resources", "bases", "generators", *GENERATORS, *CHARTS})
"""The fields that add objects and change no others; a component may change others as well."""
_OTHERS: Final = frozenset({*_CREATING, *BASES, "apiVersion", "kind", "metadata", "buildMetadata"})
"""The fields of a kustomization that change no objects, or whose files are kustomizations of their own."""
_SECRETS: Final = "secretgenerator"


def holes_of(tree: PartialTree, rendered: Sequence[Document], label: Callable[[str], str]) -> tuple[Hole, ...]:
    """Return the holes of a tree, from its other objects; ``label`` returns the displayed name of a file."""
    references = references_of(tree.texts)
    changing = {file: including(references, [file]) for file in {part.file for part in tree.parts}}
    contexts = {file: [*_context(paths, tree, rendered)] for file, paths in changing.items()}
    listed = {path: frozenset(_listed_files(path, tree.texts)) for path in references}
    elsewhere = {file: _objects_elsewhere(changed_by(references, file), listed) for file in changing}
    paths = {label(path): path for path in tree.texts}
    objects = {
        file: [one.object for one in rendered if paths.get(one.file) not in other] for file, other in elsewhere.items()
    }
    return tuple(_hole(part, tree, contexts[part.file], objects[part.file], label) for part in tree.parts)


def _objects_elsewhere(own: Collection[str], listed: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Return the files with objects that only other kustomizations than the ``own`` ones list."""
    return (
        frozenset[str]()
        .union(*(files for path, files in listed.items() if path not in own))
        .difference(*(files for path, files in listed.items() if path in own))
    )


def _listed_files(path: str, texts: Mapping[str, bytes]) -> Iterator[str]:
    document = only_document(texts[path]) or {}
    return _named_files([document.get(field) for field in ("resources", "bases")], path, texts)


def _hole(
    part: MissingPart,
    tree: PartialTree,
    context: Sequence[Json],
    objects: Sequence[JsonObject],
    label: Callable[[str], str],
) -> Hole:
    place, text = part.fault.place, part.fault.text
    where = label(part.fault.file) + (f":{place[0]}:{place[1]}" if place != (0, 0) else "")
    field = part.name.casefold()
    cause: list[Json] = [field, text, part.fault.reason.value]
    files = [*_digests(part, tree.texts)]
    depends: list[Json] = [part.value, files, *context]
    is_creating = field in {name.casefold() for name in _CREATING}
    return Hole(
        where,
        str(part),
        _digest(cause if field == _SECRETS else [*cause, part.value, files], without_forms),
        # What changes other objects also depends on these.
        _digest(depends if is_creating else [*depends, *objects]),
        is_refused=part.fault.reason is UnrenderableReason.MISSING and not (is_creating or field in BASES),
        changes_others=not is_creating,
        is_missing=part.fault.reason in (UnrenderableReason.MISSING, UnrenderableReason.OUTSIDE),
    )


def _digest(value: Json, clean: Callable[[str], str] = str) -> str:
    """Return the digest of a value; ``clean`` returns its JSON without what must not be guessed from a digest."""
    return hashlib.sha256(clean(json.dumps(value, sort_keys=True, default=str)).encode()).hexdigest()


def _digests(part: MissingPart, texts: Mapping[str, bytes]) -> Iterator[Json]:
    """Yield the names and digests of the files that a part reads."""
    named = {*part.fault.files, *_named_files(part.value, part.file, texts)}
    yield from (
        [posixpath.relpath(path, posixpath.dirname(part.file) or "."), _sha(texts[path])] for path in sorted(named)
    )


def _sha(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()


def _named_files(value: Json, file: str, texts: Mapping[str, bytes]) -> Iterator[str]:
    """Yield the files that texts in a value of a kustomization name, or those in the folders that these name."""
    for text in (one for _, one in leaves({"": value}) if isinstance(one, str) and "\n" not in one):
        for name in {text, text.partition("=")[2]} - {""}:
            path = posixpath.normpath(posixpath.join(posixpath.dirname(file), name))
            if path in texts:
                yield path
            else:
                yield from (one for one in texts if one.startswith(f"{path}/"))


def _context(paths: Collection[str], tree: PartialTree, rendered: Sequence[Document]) -> Iterator[Json]:
    """Yield what may change the objects of a missing part: fields of the kustomizations in ``paths``."""
    yield from ([one.name, one.value] for one in tree.unmatched if one.file in paths)
    for path in sorted(paths):
        document = tree.documents.get(path) or only_document(tree.texts[path]) or {}
        read = text_reader(path, tree.texts)
        changing = {
            name: _without_seen(name, value, rendered, read) for name, value in document.items() if name not in _OTHERS
        }
        if any(changing.values()):
            files = {*_named_files(changing, path, tree.texts)}
            yield [changing, [_sha(tree.texts[one]) for one in sorted(files)]]


def _without_seen(name: str, value: Json, rendered: Sequence[Document], read: Callable[[str], bytes]) -> Json:
    """Return the value of a field without entries that have an effect on rendered objects."""
    if not isinstance(value, list):
        return value
    if name == "images":
        images = {_image_name(image) for one in rendered for image in _images(one.object)}
        return [one for one in value if (text_at(one, "newName") or text_at(one, "name")) not in images]
    if name == "replicas":
        return [one for one in value if not any(_is_scaled(mapping(one), each.object) for each in rendered)]
    if name.startswith("patches"):
        return [one for one in value if not _is_seen(one, rendered, read)]
    return value


def _images(manifest: JsonObject) -> Iterator[str]:
    return (one for path, one in leaves(manifest) if render(path[-1:]) == "image" and isinstance(one, str))


def _image_name(image: str) -> str:
    name = image.partition("@")[0]
    head, _, tail = name.rpartition(":")
    return head if head and "/" not in tail else name


def _is_scaled(entry: JsonObject, manifest: JsonObject) -> bool:
    name = text_at(entry, "name")
    return bool(name) and name in _name(manifest) and dig(manifest, "spec", "replicas") == entry.get("count")


def _name(manifest: Json) -> str:
    return text_at(mapping(manifest).get("metadata"), "name")


def _is_seen(entry: Json, rendered: Sequence[Document], read: Callable[[str], bytes]) -> bool:
    """Return whether a patch names its objects, and all of them were rendered."""
    target = mapping(mapping(entry).get("target"))
    if target:
        named = [(text_at(target, "kind"), text_at(target, "name"))]
        return not {"labelSelector", "annotationSelector"} & target.keys() and _are_rendered(named, rendered)
    documents = [*patch_documents(entry, read)]
    return bool(documents) and _are_rendered([(text_at(one, "kind"), _name(one)) for one in documents], rendered)


def _are_rendered(named: Iterable[tuple[str, str]], rendered: Sequence[Document]) -> bool:
    return all(
        kind and name and any(one.ref.kind == kind and name in one.ref.name for one in rendered) for kind, name in named
    )
