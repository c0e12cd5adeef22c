"""Whether helm would leave the chart to validate its values: schemas may refer to URLs and to files of the machine.

Helm loads what a ``$ref`` of ``values.schema.json`` names, and a ``$schema`` that it does not know. Loopback addresses
are reached whatever proxy is set.
"""

import json
import os
from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.regex import regex
from kubectl_applylint.sources.system import contents

_SCHEMA: Final = "values.schema.json"
_ARCHIVES: Final = (".tgz", ".tar.gz", ".tar")
_REFERENCES: Final = ("$ref", "$dynamicRef", "$recursiveRef")
_KNOWN: Final = regex(r"https?://json-schema\.org/(?:draft-0[3-7]/|draft/(?:2019-09|2020-12)/)?schema#?")


def may_fetch(chart: str) -> bool:
    """Tell whether a schema in the folder or archive of a chart may make helm load something from elsewhere.

    What is in archives and behind symlinks is not looked at: it may.
    """
    if not os.path.isdir(chart):
        return True
    return any(_is_suspect(folder, name) for folder, names in _entries(chart) for name in names)


def _entries(chart: str) -> Iterator[tuple[str, Sequence[str]]]:
    for folder, folders, names in os.walk(chart):
        yield folder, (*folders, *names)


def _is_suspect(folder: str, name: str) -> bool:
    place = os.path.join(folder, name)
    if os.path.islink(place) or name.endswith(_ARCHIVES):
        return True
    return name == _SCHEMA and os.path.isfile(place) and not _is_local(contents.of_file(place, contents.MAX_BYTES))


def _is_local(schema: bytes | Problem) -> bool:
    """Tell whether a schema surely refers to nothing but itself."""
    pairs: list[tuple[str, object]] = []
    try:
        json.loads(b"" if isinstance(schema, Problem) else schema, object_pairs_hook=pairs.extend)
    except (ValueError, RecursionError):
        return False
    return all(_stays(key, value) for key, value in pairs)


def _stays(key: str, value: object) -> bool:
    if not isinstance(value, str):
        return True
    if key in _REFERENCES:
        return value.startswith("#")
    return key != "$schema" or _KNOWN.fullmatch(value) is not None
