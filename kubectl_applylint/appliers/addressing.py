"""The URL of a manifest's object: the namespace, and names that no URL can contain.

Mirrors the behaviour of kubectl 1.36: cli-runtime's ``FilterNamespace``, ``pkg/cmd/apply`` (``generateName``) and
client-go's ``rest.Request``, which checks each part of the path before anything is sent.
"""

from kubectl_applylint.appliers.attempt import Attempt
from kubectl_applylint.appliers.request import Applier, ApplyRequest
from kubectl_applylint.core.gotext import encode
from kubectl_applylint.core.outcome import FieldError, Verdict
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import JsonObject, mapping
from kubectl_applylint.schema.types import Kind
from kubectl_applylint.server.validate.formats import path_segment
from kubectl_applylint.server.write import Refused

_APPLIES = (Applier.KUBECTL_CLIENT, Applier.KUBECTL_SERVER, Applier.ARGOCD)


def within_scope(manifest: JsonObject, kind: Kind | None) -> JsonObject:
    """Return the manifest as kubectl sends it: without a namespace if the kind is cluster-scoped.

    An empty namespace is kept, as is that of an unknown kind.
    """
    metadata = manifest.get("metadata")
    if kind is None or kind.namespaced or not isinstance(metadata, dict) or not metadata.get("namespace"):
        return manifest
    return {**manifest, "metadata": {key: value for key, value in metadata.items() if key != "namespace"}}


def with_scope(request: ApplyRequest) -> ApplyRequest:
    """Return the request with the manifest that kubectl sends."""
    manifest = within_scope(request.manifest, request.kind)
    return request if manifest is request.manifest else replace(request, manifest=manifest)


def unaddressable(request: ApplyRequest) -> Attempt | None:
    """Return kubectl's failure if no URL can contain namespace and name, else ``None``."""
    message = _fault(request.ref, request)
    if not message:
        return None
    return Attempt(Verdict.REJECTED, refusal=Refused(0, (FieldError("metadata.name", "", message),)))


def _fault(ref: ObjectRef, request: ApplyRequest) -> str:
    generated = mapping(request.manifest.get("metadata")).get("generateName")
    if not ref.name and generated and request.applier in _APPLIES:
        return f"from {generated}: cannot use generate name with apply"
    return _namespace_fault(ref.namespace) or _name_fault(ref.name)


def _namespace_fault(namespace: str) -> str:
    faults = path_segment(namespace)
    return f"invalid namespace {encode(namespace)}: [{' '.join(faults)}]" if faults else ""


def _name_fault(name: str) -> str:
    if not name:
        return "resource name may not be empty"
    faults = path_segment(name)
    return f"invalid resource name {encode(name)}: [{' '.join(faults)}]" if faults else ""
