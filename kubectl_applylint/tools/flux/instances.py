"""The source and the Kustomization that a ``FluxInstance`` of the Flux operator creates.

Fields as in the definition of controlplaneio-fluxcd/flux-operator v1, whose Helm chart takes the spec as ``instance``.
"""

from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import Json, JsonObject, dig, items, text_at
from kubectl_applylint.units.reading import is_kind

OPERATOR: Final = "fluxcd.controlplane.io"
_KINDS: Final = ("GitRepository", "OCIRepository", "Bucket")
_FIELDS: Final = ("kind", "url", "ref", "path")
_NAMESPACE: Final = "flux-system"
_MANAGED_BY: Final = "app.kubernetes.io/managed-by"
_MANAGER: Final = "flux-operator"


def created_objects(document: Document) -> tuple[Document, ...]:
    """Return the source and the Kustomization that an object makes the operator create, or nothing.

    Nothing is returned if they are not known from the object alone: a patch changes them, or a field has a variable.
    """
    spec = _instance(document)
    sync = dig(spec, "sync")
    texts = [text_at(sync, field) for field in _FIELDS]
    if not all(texts) or any("${" in text for text in texts) or texts[0] not in _KINDS or _is_patched(spec):
        return ()
    namespace = _namespace(document)
    name = text_at(sync, "name") or namespace
    return tuple(
        replace(document, object=made, ref=ref_of(made))
        for made in (_source(sync, name, namespace), _kustomization(sync, name, namespace))
    )


def is_created(document: Document | None) -> bool:
    """Return whether the operator has created an object, as its label says."""
    return document is not None and dig(document.object, "metadata", "labels", _MANAGED_BY) == _MANAGER


def _instance(document: Document) -> Json:
    """Return the spec of the FluxInstance that an object is, or that a HelmRelease has in its values."""
    if is_kind(document, "FluxInstance", OPERATOR):
        return dig(document.object, "spec")
    if is_kind(document, "HelmRelease", "helm.toolkit.fluxcd.io"):
        return dig(document.object, "spec", "values", "instance")
    return None


def _namespace(document: Document) -> str:
    """Return the namespace of the FluxInstance."""
    target = text_at(document.object, "spec", "targetNamespace")
    return target or document.ref.namespace or _NAMESPACE


def _is_patched(spec: Json) -> bool:
    """Return whether a patch of the instance selects its Kustomization or source."""
    return any(_selects(patch) for patch in items(dig(spec, "kustomize", "patches")))


def _selects(patch: Json) -> bool:
    kind = text_at(patch, "target", "kind")
    if kind:
        return kind in (*_KINDS, "Kustomization")
    return any(f"kind: {one}" in text_at(patch, "patch") for one in (*_KINDS, "Kustomization"))


def _source(sync: Json, name: str, namespace: str) -> JsonObject:
    kind, url, ref = (text_at(sync, field) for field in _FIELDS[:3])
    specs: dict[str, JsonObject] = {
        "GitRepository": {"url": url, "ref": {"name": ref}},
        "OCIRepository": {"url": url, "ref": {"tag": ref}},
        "Bucket": {"endpoint": url, "bucketName": ref},
    }
    return {
        "apiVersion": "source.toolkit.fluxcd.io/v1",
        "kind": kind,
        "metadata": _metadata(name, namespace),
        "spec": specs[kind],
    }


def _kustomization(sync: Json, name: str, namespace: str) -> JsonObject:
    return {
        "apiVersion": "kustomize.toolkit.fluxcd.io/v1",
        "kind": "Kustomization",
        "metadata": _metadata(name, namespace),
        "spec": {
            "interval": "10m0s",
            "path": text_at(sync, "path"),
            "prune": True,
            "sourceRef": {"kind": text_at(sync, "kind"), "name": name},
        },
    }


def _metadata(name: str, namespace: str) -> JsonObject:
    return {"name": name, "namespace": namespace, "labels": {_MANAGED_BY: _MANAGER}}
