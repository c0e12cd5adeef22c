"""Which files a kustomization is made of, wherever they are kept. Paths have ``/`` between folders."""

import posixpath
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Final

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.values import Json, mapping
from kubectl_applylint.sources.text.classify import KUSTOMIZATION_FILES
from kubectl_applylint.sources.text.manifests import first_document

_GROUP: Final = "kustomize.config.k8s.io/"
_OTHERS: Final = ("resources", "bases", "components")
"""Where a kustomization names others."""
_COMPONENT: Final = "Component"


def _as_it_is(path: str) -> str | None:
    return path


@dataclass(frozen=True, slots=True)
class Folders:
    """Files somewhere: whether a path is one, and the content of one that is."""

    has: Callable[[str], bool]
    read: Callable[[str], bytes]
    real: Callable[[str], str | None] = _as_it_is
    """The path of a folder once links are followed, ``None`` where that leads out of what is looked at."""


def kustomization_in(folder: str, where: Folders) -> str:
    """Return the path of the kustomization in a folder, empty if there is none."""
    return next(_kustomizations_in(folder, where), "")


def _kustomizations_in(folder: str, where: Folders) -> Iterator[str]:
    """Yield the kustomizations in a folder; kustomize fails if there are several."""
    return filter(where.has, (posixpath.join(folder, name) for name in KUSTOMIZATION_FILES))


def parts(folder: str, where: Folders) -> frozenset[str]:
    """Return the files that the kustomization in a folder is made of, those of others that it refers to among them.

    Whatever it says is taken for a reference if it leads to a file or to another kustomization.
    """
    found: set[str] = set()
    todo = [kustomization_in(folder, where)]
    while todo:
        path = todo.pop()
        if path and path not in found:
            found.update(_kustomizations_in(posixpath.dirname(path), where))
            references = list(_references(path, where))
            found |= set(filter(where.has, references))
            todo += [kustomization_in(reference, where) for reference in references]
    return frozenset(found)


def roots(kustomizations: Collection[str], where: Folders) -> list[str]:
    """Return the folders of the kustomizations that somebody applies: those that no other one refers to."""
    own = {posixpath.dirname(path): first_document(where.read(path)) for path in kustomizations}
    taken = {_joined(folder, part) for folder, text in own.items() for part in _texts(_lists(text))}
    return sorted({folder for folder, text in own.items() if _is_applied(text)} - taken)


def _lists(text: Json) -> Iterator[Json]:
    return (mapping(text).get(field) for field in _OTHERS)


def _is_applied(text: Json) -> bool:
    """Tell whether it is of kustomize, and no part of others by its kind."""
    version, kind = mapping(text).get("apiVersion", _GROUP), mapping(text).get("kind")
    return isinstance(version, str) and version.startswith(_GROUP) and kind != _COMPONENT


def _references(path: str, where: Folders) -> Iterator[str]:
    """Yield the paths that a kustomization may mean; ``NAME=FILE`` names files of generators."""
    folder = posixpath.dirname(path)
    for text in _texts([first_document(where.read(path))]):
        if "\n" not in text and "://" not in text:
            yield from (_joined(folder, part) for part in {text, text.partition("=")[2]} if part)


def _joined(folder: str, reference: str) -> str:
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
