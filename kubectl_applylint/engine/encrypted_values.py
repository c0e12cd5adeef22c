"""Outcomes of manifests with values that SOPS has encrypted.

The short texts in their place (``sources/text/encrypted.py``) are equal in two revisions if the encrypted texts are.
They differ from all values of a cluster: there, the live value is assumed, as ``flux diff`` does.
"""

import base64
from collections.abc import Iterator

from kubectl_applylint.core.encrypted_text import may_have_encrypted
from kubectl_applylint.core.outcome import Outcome
from kubectl_applylint.core.paths import Path, fields, get, leaves, render, with_values
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import Present, State
from kubectl_applylint.core.values import Json, JsonObject, mapping
from kubectl_applylint.engine.predictions import Predict

_TEXTS = fields("stringData")


def assuming_encrypted_values(predict: Predict) -> Predict:
    """Return a prediction in which encrypted values of a manifest are those of the live object."""

    def predict_assumed(manifest: JsonObject, state: State) -> Outcome:
        if not isinstance(state.live, Present) or not _has_encrypted(manifest):
            return predict(manifest, state)
        found = dict(_assumed_values(manifest, state.live.object))
        if not found:
            return predict(manifest, state)
        outcome = predict(mapping(with_values(manifest, found)), state)
        places = sorted(map(render, found))
        doubts = (f"{place} is encrypted, and assumed to be as in the live object" for place in places)
        return replace(outcome, confidence=outcome.confidence.with_doubts(*doubts))

    return predict_assumed


def _has_encrypted(value: Json) -> bool:
    """Return whether a value has an encrypted text; most have none, and finding paths takes longer."""
    if isinstance(value, dict):
        return any(map(_has_encrypted, value.values()))
    if isinstance(value, list):
        return any(map(_has_encrypted, value))
    return isinstance(value, str) and may_have_encrypted(value)


def _assumed_values(manifest: JsonObject, live: JsonObject) -> Iterator[tuple[Path, Json]]:
    """Yield the place of each encrypted value with the value of the live object, if that is not encrypted as well."""
    for path, value in leaves(manifest):
        if isinstance(value, str) and may_have_encrypted(value):
            known = _live_value(path, live)
            if isinstance(known, str) and not may_have_encrypted(known):
                yield path, known


def _live_value(path: Path, live: JsonObject) -> Json | None:
    """Return the live value at a path; the server stores ``stringData`` of a Secret as ``data``."""
    if path[:1] != _TEXTS:
        found = get(live, path)
        return found if isinstance(found, str) else None
    coded = get(live, (*fields("data"), *path[1:]))
    try:
        return base64.b64decode(coded, validate=True).decode() if isinstance(coded, str) else None
    except ValueError:
        return None
