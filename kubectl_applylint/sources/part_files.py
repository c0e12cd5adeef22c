"""Part files of a report: a run recognizes and skips those that lie among its manifests."""

import json
import os
from collections.abc import Iterable, Iterator
from typing import Final

from kubectl_applylint.core.nesting import reject_deep
from kubectl_applylint.core.values import Json, JsonObject

VERSION: Final = "part-v1"
BEGINNING: Final = f'{{"version":"{VERSION}"'.encode()
"""What every part begins with."""
EXTENSION: Final = ".json"


def without_parts(files: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield the paths that are not part files; ``files`` are paths, each with its file on the disk."""
    return (path for path, file in files if not (path.endswith(EXTENSION) and _is_own(file)))


def _is_own(file: str) -> bool:
    if not os.path.isfile(file):
        return False
    try:
        with open(file, "rb") as stream:
            return stream.read(len(BEGINNING)) == BEGINNING
    except OSError:
        return False


def object_of(content: bytes, version: str) -> JsonObject:
    """Return the JSON object of a part file; raises ``ValueError`` with the reason if it is not one of this version."""
    try:
        text = content.decode()
        reject_deep(text)
        content_json: Json = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError("not JSON") from None
    if not isinstance(content_json, dict) or content_json.get("version") != version:
        raise ValueError(f"its version is not {version}")
    return content_json
