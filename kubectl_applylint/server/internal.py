"""What an object looks like once the server has made its internal form of it, before the kind's strategy sees it.

Some fields live only in one version of an API and become others inside. Ownership is settled on what they become.
Mirrors the hand-written conversions of Kubernetes' pkg/apis.
"""

import base64
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from kubectl_applylint.core.state import annotations_of
from kubectl_applylint.core.values import Json, JsonObject, mapping
from kubectl_applylint.schema.types import Gvk, Kind
from kubectl_applylint.server.kinds import behaviour_of

_Convert: TypeAlias = Callable[[JsonObject], JsonObject]

_CARRIED: Final = frozenset(
    f"autoscaling.alpha.kubernetes.io/{field}"
    for field in ("metrics", "behavior", "current-metrics", "conditions", "scale-down-tolerance", "scale-up-tolerance")
)
"""Annotations in which older versions of the autoscaler carry fields that they do not have."""


def through_internal(new: JsonObject, kind: Kind) -> JsonObject:
    """Return a decoded and defaulted object of a built-in kind after its way into the internal form and back."""
    convert = _CONVERSIONS.get((kind.api_version, kind.name)) or behaviour_of(kind).convert
    return convert(new)


def _secret(new: JsonObject) -> JsonObject:
    """Texts of ``stringData`` become ``data``, over what stands there; nobody ever reads them back."""
    if "stringData" not in new:
        return new
    texts = mapping(new["stringData"])
    data = {**mapping(new.get("data")), **{key: base64.b64encode(_bytes(text)).decode() for key, text in texts.items()}}
    rest = {name: value for name, value in new.items() if name not in ("stringData", "data")}
    return {**rest, "data": data} if data else rest


def _bytes(text: Json) -> bytes:
    return str(text or "").encode(errors="surrogatepass")


def _annotated(new: JsonObject, annotations: JsonObject) -> JsonObject:
    metadata = {name: value for name, value in mapping(new.get("metadata")).items() if name != "annotations"}
    return {**new, "metadata": {**metadata, "annotations": annotations} if annotations else metadata}


def _autoscaler(new: JsonObject) -> JsonObject:
    """Annotations that carry fields which older versions do not have are dropped where those fields exist."""
    annotations = annotations_of(new)
    kept = {name: text for name, text in annotations.items() if name not in _CARRIED}
    return new if len(kept) == len(annotations) else _annotated(new, kept)


_CONVERSIONS: Final[Mapping[Gvk, _Convert]] = {
    ("v1", "Secret"): _secret,
    ("autoscaling/v2", "HorizontalPodAutoscaler"): _autoscaler,
}
