"""Units of Skaffold: the manifests, kustomizations and charts in ``skaffold.yaml``.

Keys as in the schemas of skaffold/v1 to v4beta: ``deploy.kubectl.manifests`` became ``manifests.rawYaml`` with v3.
"""

from collections.abc import Collection, Iterator
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.paths import Field, Index, Path, fields
from kubectl_applylint.core.values import Json, dig, items, text_at
from kubectl_applylint.units.declared import Declared
from kubectl_applylint.units.kustomizations import resolve_reference
from kubectl_applylint.units.model import Applied, Reason
from kubectl_applylint.units.reading import matching, read

FILES: Final = ("skaffold.yaml", "skaffold.yml")
"""The file names that Skaffold recognizes."""
_MANIFESTS: Final = (("manifests", "rawYaml"), ("deploy", "kubectl", "manifests"))
_KUSTOMIZATIONS: Final = (("manifests", "kustomize", "paths"), ("deploy", "kustomize", "paths"))
_RELEASES: Final = (("manifests", "helm", "releases"), ("deploy", "helm", "releases"))


def declarations(file: str, content: bytes, files: Collection[str]) -> Iterator[Declared]:
    """Yield each path that a ``skaffold.yaml`` applies, including profiles; ``files`` are those of the repository.

    Manifests are listed one by one or by patterns; the path is their folder, so all files in it count as applied. The
    context of kubectl is the target.
    """
    for document in read(file, content):
        if document.ref.group == "skaffold" and document.ref.kind == "Config":
            for base, one in _configurations(document):
                yield from _declarations_of(document, base, one, files)


def _configurations(document: Document) -> Iterator[tuple[Path, Json]]:
    """Yield the configuration itself and those of its profiles, with their paths."""
    yield (), document.object
    for number, profile in enumerate(items(dig(document.object, "profiles"))):
        yield (Field("profiles"), Index(number)), profile


def _declarations_of(document: Document, base: Path, one: Json, files: Collection[str]) -> Iterator[Declared]:
    folder = document.file.rpartition("/")[0]
    target = text_at(one, "deploy", "kubeContext") or text_at(document.object, "deploy", "kubeContext")
    namespace = text_at(one, "deploy", "kubectl", "defaultNamespace")
    for keys, paths in _paths(one, folder, files):
        line = document.locate((*base, *fields(*keys))).span.line
        applied = Applied("skaffold", namespace, target, reason=Reason("Skaffold", document.file, line))
        yield from (Declared(path, applied) for path in dict.fromkeys(paths) if path is not None)


def _paths(one: Json, folder: str, files: Collection[str]) -> Iterator[tuple[tuple[str, ...], Iterator[str | None]]]:
    """Yield the paths in each list that names paths, with the keys of the list."""
    for keys in _MANIFESTS:
        yield keys, (path for pattern in _texts(one, *keys) for path in _folders(folder, pattern, files))
    for keys in _KUSTOMIZATIONS:
        yield keys, (resolve_reference(folder, path) for path in _texts(one, *keys))
    for keys in _RELEASES:
        charts = (text_at(release, "chartPath") for release in items(dig(one, *keys)))
        yield keys, (resolve_reference(folder, chart) for chart in charts if chart)


def _texts(one: Json, *keys: str) -> Iterator[str]:
    return (path for path in items(dig(one, *keys)) if isinstance(path, str) and path)


def _folders(folder: str, pattern: str, files: Collection[str]) -> Iterator[str]:
    """Yield the folders of the files that a pattern matches, relative to a folder."""
    whole = resolve_reference(folder, pattern)
    if whole is not None:
        yield from (path.rpartition("/")[0] for path in matching(whole, files))
