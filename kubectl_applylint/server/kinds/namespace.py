"""Namespaces: their finalizer and their initial phase.

Mirrors pkg/registry/core/namespace/strategy.go.
"""

from typing import Final

from kubectl_applylint.core.values import JsonObject, dig, mapping
from kubectl_applylint.server.kind_behaviour import KindBehaviour
from kubectl_applylint.server.manifests import in_spec


def prepare(new: JsonObject, old: JsonObject | None, minor: int) -> JsonObject:
    """Return a namespace with the server's finalizers; a new one is active."""
    if old is not None:
        return in_spec(new, {"finalizers": dig(old, "spec", "finalizers")})
    finalizers = mapping(new.get("spec")).get("finalizers") or []
    with_own = finalizers if "kubernetes" in finalizers else [*finalizers, "kubernetes"]
    return in_spec({**new, "status": {"phase": "Active"}}, {"finalizers": with_own})


KIND: Final = KindBehaviour(gvk=("v1", "Namespace"), prepare=prepare)
