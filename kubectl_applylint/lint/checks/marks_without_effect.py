"""Annotations and labels whose value the tool that reads them does not know."""

import re
from collections.abc import Iterator, Mapping

from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.values import Json, dig
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each annotation or label with a value that means nothing to the tool.

    ``params["marks"]`` map keys to what is known of their values: ``values``, with ``ignore_case`` where upper and
    lower case are the same, or a ``pattern`` and ``words`` for it; of a ``list`` each part between commas counts.
    ``params["of"]`` names the maps of metadata that are read. Facts: key, value, known.
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
    return known["words"] if "words" in known else ", ".join(known["values"])
