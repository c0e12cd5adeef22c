"""Files that are parts of a report of this program: they lie in the repository that they are about, often enough."""

import os
from collections.abc import Iterable, Iterator
from typing import Final

VERSION: Final = "part-v1"
BEGINNING: Final = f'{{"version":"{VERSION}"'.encode()
"""What every part begins with."""
EXTENSION: Final = ".json"


def without_parts(files: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield the paths that are no parts; ``files`` are paths, each with the file that it names on the disk."""
    return (path for path, file in files if not (path.endswith(EXTENSION) and _is_part(file)))


def _is_part(file: str) -> bool:
    if not os.path.isfile(file):
        return False
    try:
        with open(file, "rb") as stream:
            return stream.read(len(BEGINNING)) == BEGINNING
    except OSError:
        return False
