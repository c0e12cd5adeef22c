"""ServiceAccounts: the fields of the Secrets that they list.

Mirrors pkg/registry/core/serviceaccount/strategy.go.
"""

from typing import Final

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.server.kind_behaviour import KindBehaviour


def prepare(new: JsonObject, old: JsonObject | None, minor: int) -> JsonObject:
    """Return an account with only the names of the Secrets that it lists."""
    if not new.get("secrets"):
        return new
    return {**new, "secrets": [{key: ref[key] for key in ("name",) if key in ref} for ref in new["secrets"]]}


KIND: Final = KindBehaviour(gvk=("v1", "ServiceAccount"), prepare=prepare)
