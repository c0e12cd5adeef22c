"""CertificateSigningRequests: the applying user becomes the user of the request, and the spec is immutable.

Mirrors pkg/registry/certificates/certificates/strategy.go.
"""

from typing import Final

from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import MISSING, JsonObject
from kubectl_applylint.server.kind_behaviour import KindBehaviour
from kubectl_applylint.server.manifests import in_spec

REQUESTER: Final = Unknown("the user who applies")


def prepare(new: JsonObject, old: JsonObject | None, minor: int) -> JsonObject:
    """Return a request by the applying user; a stored one silently keeps its spec."""
    if old is not None:
        return {**new, "spec": old.get("spec", {})}
    return in_spec(new, {"username": REQUESTER, "groups": REQUESTER, "uid": REQUESTER, "extra": MISSING})


KIND: Final = KindBehaviour(
    gvk=("certificates.k8s.io/v1", "CertificateSigningRequest"),
    prepare=prepare,
    resets=(("f:spec",), ("f:status",)),
    status_resets=(("f:spec",), ("f:status", "f:conditions")),
)
