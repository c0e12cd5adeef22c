"""Annotations and labels with values that the tool reading them does not know."""

import re
from collections.abc import Iterator, Mapping

from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.values import Json, dig
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each annotation or label with a value that the tool ignores.

    ``params["marks"]`` map keys to their known values: ``values``, with ``ignore_case`` if case does not matter, or a
    ``pattern`` and ``words`` for it; of a ``list`` each part between commas counts. ``params["of"]`` names the maps of
    metadata that are read. Facts: key, value, known.
    """
    for place in params["of"]:
        for key, known in params["marks"].items():
            value = dig(subject.manifest, "metadata", place, key)
            if isinstance(value, str) and (wrong := next(_unknown_parts(value, known), None)) is not None:
                yield Hit(fields("metadata", place, key), {"key": key, "value": wrong, "known": _known_entries(known)})


def _unknown_parts(value: str, known: Mapping[str, Json]) -> Iterator[str]:
    """Yield the parts of a value that the tool does not know."""
    parts = [part.strip() for part in value.split(",")] if known.get("list") else [value]
    fold = str.lower if known.get("ignore_case") else str
    allowed = {fold(one) for one in known.get("values", ())}
    for part in parts:
        is_known = bool(re.fullmatch(known["pattern"], part)) if "pattern" in known else fold(part) in allowed
        if not is_known:
            yield part


def _known_entries(known: Mapping[str, Json]) -> str:
    """Return the known values as text."""
    return known["words"] if "words" in known else ", ".join(known["values"])
