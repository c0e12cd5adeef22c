"""Detection of value schemas that would make Helm read URLs or files outside of the chart.

Helm loads the target of a ``$ref`` in ``values.schema.json``, and an unknown ``$schema``. Loopback addresses are
reached whatever the proxy settings.
"""

import json
import os
import posixpath
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.regex import regex
from kubectl_applylint.sources.system import contents

_SCHEMA: Final = "values.schema.json"
_ARCHIVES: Final = (".tgz", ".tar.gz", ".tar")
_REFERENCES: Final = ("$ref", "$dynamicRef", "$recursiveRef")
_KNOWN: Final = regex(r"https?://json-schema\.org/(?:draft-0[3-7]/|draft/(?:2019-09|2020-12)/)?schema#?")


def may_fetch(chart: str) -> bool:
    """Return whether a schema in the folder or archive of a chart may make Helm load an external resource.

    Archives and symlinks are not examined and count as such.
    """
    if not os.path.isdir(chart):
        return True
    return any(_is_suspect(folder, name) for folder, names in _entries(chart) for name in names)


def may_fetch_from(files: Mapping[str, bytes]) -> bool:
    """Return whether a schema among the files of a chart may make Helm load an external resource."""
    return any(
        path.endswith(_ARCHIVES) or (posixpath.basename(path) == _SCHEMA and not _is_local(content))
        for path, content in files.items()
    )


def without_remote_schemas(files: Mapping[str, bytes]) -> Mapping[str, bytes]:
    """Return the files of a chart without schemas that may make Helm load an external resource.

    Return nothing if an archive among them may contain such a schema.
    """
    kept = {path: content for path, content in files.items() if not may_fetch_from({path: content})}
    return kept if not any(path.endswith(_ARCHIVES) for path in files) else {}


def _entries(chart: str) -> Iterator[tuple[str, Sequence[str]]]:
    for folder, folders, names in os.walk(chart):
        yield folder, (*folders, *names)


def _is_suspect(folder: str, name: str) -> bool:
    place = os.path.join(folder, name)
    if os.path.islink(place) or name.endswith(_ARCHIVES):
        return True
    return name == _SCHEMA and os.path.isfile(place) and not _is_local(contents.read_file(place, contents.MAX_BYTES))


def _is_local(schema: bytes | Problem) -> bool:
    """Return whether a schema certainly contains only references to itself."""
    pairs: list[tuple[str, object]] = []
    try:
        json.loads(b"" if isinstance(schema, Problem) else schema, object_pairs_hook=pairs.extend)
    except (ValueError, RecursionError):
        return False
    return all(_stays_local(key, value) for key, value in pairs)


def _stays_local(key: str, value: object) -> bool:
    if not isinstance(value, str):
        return True
    if key in _REFERENCES:
        return value.startswith("#")
    return key != "$schema" or _KNOWN.fullmatch(value) is not None
