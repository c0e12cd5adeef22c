"""EndpointSlices: the deprecated topology map, which only stored objects have.

Mirrors pkg/registry/discovery/endpointslice/strategy.go.
"""

from typing import Final

from kubectl_applylint.core.values import MISSING, JsonObject
from kubectl_applylint.server.kind_behaviour import KindBehaviour
from kubectl_applylint.server.manifests import with_fields


def prepare(new: JsonObject, old: JsonObject | None, minor: int) -> JsonObject:
    """Return a slice without the deprecated topology map, unless its endpoints are the stored ones."""
    endpoints = new.get("endpoints") or []
    if (old is not None and old.get("endpoints") == endpoints) or not any("deprecatedTopology" in e for e in endpoints):
        return new
    return {**new, "endpoints": [with_fields(endpoint, {"deprecatedTopology": MISSING}) for endpoint in endpoints]}


KIND: Final = KindBehaviour(
    gvk=("discovery.k8s.io/v1", "EndpointSlice"),
    prepare=prepare,
    generation=("addressType", "endpoints", "ports", "metadata.labels"),
)
