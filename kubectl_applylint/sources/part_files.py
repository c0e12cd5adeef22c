"""Files that this program writes for itself, parts of a report and indexes: they lie in what they are about."""

import os
from collections.abc import Iterable, Iterator
from typing import Final

VERSION: Final = "part-v1"
INDEX_VERSION: Final = "index-v1"
BEGINNING: Final = f'{{"version":"{VERSION}"'.encode()
"""What every part begins with."""
_BEGINNINGS: Final = (BEGINNING, f'{{"version":"{INDEX_VERSION}"'.encode())
EXTENSION: Final = ".json"


def without_parts(files: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield the paths that are no parts or indexes; ``files`` are paths, each with its file on the disk."""
    return (path for path, file in files if not (path.endswith(EXTENSION) and _is_own(file)))


def _is_own(file: str) -> bool:
    if not os.path.isfile(file):
        return False
    try:
        with open(file, "rb") as stream:
            return stream.read(max(map(len, _BEGINNINGS))).startswith(_BEGINNINGS)
    except OSError:
        return False
