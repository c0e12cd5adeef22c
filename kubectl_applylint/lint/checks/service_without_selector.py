"""Services that cannot have endpoints."""

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.values import Json, dig, mapping
from kubectl_applylint.lint.checks._selectors import after_apply, is_empty
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject

_ENDPOINTS = ("Endpoints.", "EndpointSlice.discovery.k8s.io")
_SERVICE_NAME = "kubernetes.io/service-name"
_GLOBAL = ("service.cilium.io/global", "io.cilium/global-service")
"""Annotations with which Cilium routes a Service to the pods of its namesakes in other clusters."""


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield ``spec.selector`` once if the applied Service has none and the run contains no endpoints for it."""
    after = after_apply(subject)
    external = dig(after, "spec", "type") == "ExternalName"
    if external or _is_global(after) or not is_empty(dig(after, "spec", "selector")):
        return
    if not any(_is_endpoint_of(peer, subject) for kind in _ENDPOINTS for peer in subject.peers.of_kind(kind)):
        yield Hit(fields("spec", "selector"))


def _is_global(service: Json) -> bool:
    annotations = mapping(dig(service, "metadata", "annotations"))
    return any(annotations.get(name) == "true" for name in _GLOBAL)


def _is_endpoint_of(peer: Document, subject: Subject) -> bool:
    """Return whether a peer contains the endpoints of a Service."""
    named = {"Endpoints": peer.ref.name, "EndpointSlice": dig(peer.object, "metadata", "labels", _SERVICE_NAME)}
    return peer.ref.namespace == subject.ref.namespace and named.get(peer.ref.kind) == subject.ref.name
