"""The annotation in which kustomize writes where an object comes from."""

import os
import re
from typing import Final

from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.state import annotations_of
from kubectl_applylint.core.values import Json, JsonObject, items, mapping
from kubectl_applylint.sources.text.manifests import first_document

ORIGIN: Final = "config.kubernetes.io/origin"
ORIGINS: Final = "originAnnotations"
"""The option of ``buildMetadata`` with which objects keep the annotation."""
_FOLLOWED: Final = frozenset({ORIGINS, "managedByLabel"})
_PATH: Final = regex(r"^((?:path|configuredIn): )(.+)", re.MULTILINE)


def build_metadata(kustomization: bytes) -> frozenset[str]:
    """Return the options of ``buildMetadata`` in a kustomization file that its objects show."""
    if b"buildMetadata" not in kustomization:
        return frozenset()
    return _FOLLOWED.intersection(map(str, items(mapping(first_document(kustomization)).get("buildMetadata"))))


def origin_file(note: Json) -> str:
    """Return the file of an origin annotation, relative to the overlay; empty for a remote origin."""
    lines = note.splitlines() if isinstance(note, str) else []
    values = {key: value.strip() for key, colon, value in (line.partition(":") for line in lines) if colon}
    return "" if "repo" in values else values.get("path") or values.get("configuredIn", "")


def without_origin(rendered: JsonObject) -> JsonObject:
    """Return an object without the annotation with its origin."""
    metadata = mapping(rendered.get("metadata"))
    annotations = {key: value for key, value in mapping(metadata.get("annotations")).items() if key != ORIGIN}
    others = {key: value for key, value in metadata.items() if key != "annotations"}
    return {**rendered, "metadata": {**others, **({"annotations": annotations} if annotations else {})}}


def with_origin(rendered: JsonObject, note: Json, start: str, folder: str) -> JsonObject:
    """Return an object with its origin, whose paths are relative to ``start`` and become relative to ``folder``."""
    if not isinstance(note, str):
        return rendered

    def move(path: re.Match[str]) -> str:
        return path[1] + os.path.relpath(os.path.join(start, path[2]), folder)

    metadata = mapping(rendered.get("metadata"))
    return {
        **rendered,
        "metadata": {**metadata, "annotations": {**annotations_of(rendered), ORIGIN: _PATH.sub(move, note)}},
    }
