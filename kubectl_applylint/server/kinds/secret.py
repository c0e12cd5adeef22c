"""Secrets: converts ``stringData`` to ``data``.

Mirrors pkg/apis/core/v1/conversion.go.
"""

import base64
from typing import Final

from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import Json, JsonObject, mapping
from kubectl_applylint.server.kind_behaviour import KindBehaviour


def convert(new: JsonObject) -> JsonObject:
    """Return a Secret whose ``stringData`` is merged into ``data``; ``stringData`` is never returned to clients."""
    if "stringData" not in new:
        return new
    texts = mapping(new["stringData"])
    data = {**mapping(new.get("data")), **{key: _encode(text) for key, text in texts.items()}}
    rest = {name: value for name, value in new.items() if name not in ("stringData", "data")}
    return {**rest, "data": data} if data else rest


def _encode(text: Json) -> Json:
    """Return the Base64 of a text; an unknown one stays unknown."""
    if isinstance(text, Unknown):
        return text
    return base64.b64encode(str(text or "").encode(errors="surrogatepass")).decode()


KIND: Final = KindBehaviour(gvk=("v1", "Secret"), convert=convert)
