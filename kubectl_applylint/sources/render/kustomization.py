"""The files that a kustomization consists of. Paths have ``/`` between folders."""

import posixpath
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Final

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.values import Json, mapping
from kubectl_applylint.sources.text.classify import KUSTOMIZATION_FILES
from kubectl_applylint.sources.text.manifests import all_documents, first_document

_GROUP: Final = "kustomize.config.k8s.io/"
_OTHERS: Final = ("resources", "bases", "components")
"""The fields that refer to other kustomizations."""
_PLUGINS: Final = ("generators", "transformers", "validators")
_COMPONENT: Final = "Component"


def _unchanged_path(path: str) -> str | None:
    return path


def _no_files(folder: str) -> Iterable[str]:
    return ()


@dataclass(frozen=True, slots=True)
class Folders:
    """File access by path, for files on disk or in a revision."""

    has: Callable[[str], bool]
    read: Callable[[str], bytes]
    real: Callable[[str], str | None] = _unchanged_path
    """The path after following symlinks, ``None`` if it is outside of these files."""
    below: Callable[[str], Iterable[str]] = _no_files
    """Returns the files below a folder; none where folders cannot be listed."""


def files_of(paths: Collection[str], read: Callable[[str], bytes]) -> Folders:
    """Return the access to files with these paths, and to no others."""

    def below(folder: str) -> Iterable[str]:
        return (path for path in paths if path.startswith(f"{folder}/"))

    return Folders(paths.__contains__, read, below=below)


def kustomization_in(folder: str, where: Folders) -> str:
    """Return the path of the kustomization file in a folder, empty if there is none."""
    return next(_kustomizations_in(folder, where), "")


def _kustomizations_in(folder: str, where: Folders) -> Iterator[str]:
    """Yield the kustomization files in a folder; kustomize fails if there are several."""
    return filter(where.has, (posixpath.join(folder, name) for name in KUSTOMIZATION_FILES))


def parts(folder: str, where: Folders) -> frozenset[str]:
    """Return the files of a kustomization, including those of the kustomizations that it refers to.

    Every text in it counts as a reference if it is the path of a file or of another kustomization.
    """
    found: set[str] = set()
    todo = [kustomization_in(folder, where)]
    while todo:
        path = todo.pop()
        if path and path not in found:
            found.update(_kustomizations_in(posixpath.dirname(path), where))
            references = [*_references(path, where), *_of_plugins(path, where)]
            found |= set(filter(where.has, references))
            todo += [kustomization_in(reference, where) for reference in references]
    return frozenset(found)


def roots(kustomizations: Collection[str], where: Folders) -> list[str]:
    """Return the folders of root kustomizations: those that no other one refers to."""
    own = {posixpath.dirname(path): first_document(where.read(path)) for path in kustomizations}
    taken = {_join(folder, part) for folder, text in own.items() for part in _texts(_lists(text))}
    return sorted({folder for folder, text in own.items() if _is_applied(text)} - taken)


def _lists(text: Json) -> Iterator[Json]:
    return (mapping(text).get(field) for field in _OTHERS)


def _is_applied(text: Json) -> bool:
    """Return whether the document is a kustomization and not a component."""
    version, kind = mapping(text).get("apiVersion", _GROUP), mapping(text).get("kind")
    return isinstance(version, str) and version.startswith(_GROUP) and kind != _COMPONENT


def _references(path: str, where: Folders) -> Iterator[str]:
    """Yield the paths that a kustomization may refer to; ``NAME=FILE`` names files of generators."""
    folder = posixpath.dirname(path)
    for text in _texts([first_document(where.read(path))]):
        if "\n" not in text and "://" not in text:
            yield from (_join(folder, part) for part in {text, text.partition("=")[2]} if part)


def _of_plugins(path: str, where: Folders) -> Iterator[str]:
    """Yield the paths that the plugin configurations of a kustomization may refer to."""
    folder = posixpath.dirname(path)
    listed = mapping(first_document(where.read(path)))
    files = (_join(folder, text) for field in _PLUGINS for text in _texts([listed.get(field)]) if "\n" not in text)
    for file in filter(where.has, files):
        yield from (_join(folder, text) for text in _texts(all_documents(where.read(file))) if "\n" not in text)


def _join(folder: str, reference: str) -> str:
    whole = posixpath.normpath(posixpath.join(folder, reference))
    return "" if whole == "." else whole


def _texts(values: Iterable[Json]) -> Iterator[str]:
    for value in values:
        match value:
            case str():
                yield value
            case list():
                yield from _texts(value)
            case dict():
                yield from _texts(value.values())
            case _:
                pass
