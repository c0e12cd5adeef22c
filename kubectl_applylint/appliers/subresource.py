"""``kubectl apply --server-side --subresource``: rejects writes to subresources that do not exist.

kubectl 1.32 or newer has the flag. The messages were recorded from kubectl and a server of version 1.36.3.
"""

from collections.abc import Mapping
from typing import Final

from kubectl_applylint.appliers.attempt import Attempt
from kubectl_applylint.appliers.request import ApplyRequest
from kubectl_applylint.core.outcome import FieldError, PredictionError, Verdict
from kubectl_applylint.core.state import Absent, Unknown
from kubectl_applylint.schema.types import Kind
from kubectl_applylint.server.write import Refused

SCALE: Final = "scale"
_OTHERS: Final[Mapping[tuple[str, str], tuple[str, ...]]] = {
    ("v1", "Namespace"): ("finalize",),
    ("v1", "Node"): ("proxy",),
    ("v1", "Pod"): (
        "attach",
        "binding",
        "ephemeralcontainers",
        "eviction",
        "exec",
        "log",
        "portforward",
        "proxy",
        "resize",
    ),
    ("v1", "Service"): ("proxy",),
    ("v1", "ServiceAccount"): ("token",),
    ("certificates.k8s.io/v1", "CertificateSigningRequest"): ("approval",),
}
"""Subresources of built-in kinds besides status and scale."""


def rejection(request: ApplyRequest) -> Attempt | None:
    """Return the server's rejection of an apply to a subresource; ``None`` if it accepts it, or without one.

    Raises ``PredictionError`` if the answer depends on unknown state.
    """
    if not request.subresource:
        return None
    kind, ref = request.kind, request.ref
    which = f"the subresource {request.subresource} of {ref}"
    if kind is None:
        raise PredictionError(f"{which}: no schema of {ref.kind} in {ref.api_version} lists its subresources")
    if not kind.custom and request.subresource not in kind.subresources:
        if request.subresource in _OTHERS.get((kind.api_version, kind.name), ()):
            raise PredictionError(f"{which}: predictions support only status")
        return _rejection(404, "NotFound", "the server could not find the requested resource")
    if request.subresource not in kind.subresources:
        return _not_found(request, kind)
    if isinstance(request.state.live, Unknown):
        raise PredictionError(f"{which}: it exists only where the object does ({request.state.live.reason})")
    if isinstance(request.state.live, Absent):
        return _not_found(request, kind)
    if request.subresource == SCALE:
        return _rejection(400, "BadRequest", f"invalid object type: {ref.api_version}, Kind={ref.kind}")
    return None


def _not_found(request: ApplyRequest, kind: Kind) -> Attempt:
    group = request.ref.group
    resource = f"{kind.resource}.{group}" if group else kind.resource
    return _rejection(404, "NotFound", f'{resource} "{request.ref.name}" not found')


def _rejection(status: int, reason: str, message: str) -> Attempt:
    return Attempt(Verdict.REJECTED, refusal=Refused(status, (FieldError("", reason, message),)))
