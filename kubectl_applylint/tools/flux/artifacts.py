"""Source folders of an ``ExternalArtifact`` that an ``ArtifactGenerator`` of Flux builds from a repository.

Fields as in the definition of fluxcd/source-watcher v1beta1. Only folders that are copied as a whole are supported:
``folder/**`` to a folder, and ``folder`` into a folder, as ``cp -r`` does it.
"""

import posixpath
from collections.abc import Iterable, Iterator
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.values import Json, dig, items, mapping, text_at
from kubectl_applylint.units.kustomizations import resolve_reference

GENERATOR: Final = ("ArtifactGenerator", "source.extensions.fluxcd.io")
EXTERNAL: Final = "ExternalArtifact"
_ARTIFACT: Final = "@artifact"
_WHOLE: Final = "/**"


@dataclass(frozen=True, slots=True)
class CopiedFolder:
    """A folder of a repository: its path, and the reference to the repository."""

    path: str
    source: Json


def copied_folder(generator: Document, artifact: str, path: str) -> CopiedFolder | None:
    """Return the source folder at a path of an artifact, or ``None`` if it is not exactly one folder."""
    spec = generator.object.get("spec")
    made = [one for one in items(dig(spec, "artifacts")) if text_at(one, "name") == artifact]
    home = {"namespace": generator.ref.namespace} if generator.ref.namespace else {}
    sources: dict[str, Json] = {text_at(one, "alias"): {**home, **mapping(one)} for one in items(dig(spec, "sources"))}
    found = (
        [one for copy in items(dig(made[0], "copy")) for one in _copied_folders(copy, path, sources)] if made else []
    )
    return found[0] if len(found) == 1 else None


def _copied_folders(copy: Json, path: str, sources: dict[str, Json]) -> Iterator[CopiedFolder]:
    """Yield the source folder that a copy puts at a path, at a parent of it, or below it."""
    alias, _, pattern = text_at(copy, "from").removeprefix("@").partition("/")
    start, _, end = text_at(copy, "to").partition("/")
    whole, place = f"/{pattern}", resolve_reference("", end)
    folder = resolve_reference("", whole.removesuffix(_WHOLE).removeprefix("/"))
    if start != _ARTIFACT or alias not in sources or place is None or folder is None or "*" in folder:
        return
    if not whole.endswith(_WHOLE):
        place = posixpath.join(place, posixpath.basename(folder))
    # Flux applies a folder without a kustomization with its subfolders, here the copied one.
    rest = "" if _relative_path(place, path) is not None else _relative_path(path, place)
    if rest is not None:
        yield CopiedFolder(resolve_reference(folder, rest) or "", sources[alias])


def _relative_path(path: str, folder: str) -> str | None:
    """Return a path relative to a folder, or ``None`` if it is outside."""
    if folder in ("", path):
        return path if folder == "" else ""
    return path.removeprefix(f"{folder}/") if path.startswith(f"{folder}/") else None


def makers(artifact: str, generators: Iterable[Document]) -> list[Document]:
    """Return the generators that build an artifact."""
    return [
        generator
        for generator in generators
        if any(text_at(one, "name") == artifact for one in items(dig(generator.object, "spec", "artifacts")))
    ]
