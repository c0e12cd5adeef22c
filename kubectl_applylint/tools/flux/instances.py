"""The source and the Kustomization that a ``FluxInstance`` of the Flux operator creates.

Fields as in the definition of controlplaneio-fluxcd/flux-operator v1, whose Helm chart takes the spec as ``instance``.
"""

from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import MISSING, Json, JsonObject, dig, items, mapping, text_at
from kubectl_applylint.units.reading import is_kind

OPERATOR: Final = "fluxcd.controlplane.io"
_KINDS: Final = ("GitRepository", "OCIRepository", "Bucket")
_FIELDS: Final = ("kind", "url", "ref", "path")
_NAMESPACE: Final = "flux-system"
_CHART: Final = "flux-instance"
_MANAGED_BY: Final = "app.kubernetes.io/managed-by"
_MANAGER: Final = "flux-operator"


def is_instance(document: Document) -> bool:
    """Return whether an object is a FluxInstance, or a HelmRelease of its chart."""
    if is_kind(document, "FluxInstance", OPERATOR):
        return True
    spec = document.object.get("spec")
    names = (text_at(spec, "chartRef", "name"), text_at(spec, "chart", "spec", "chart"))
    is_chart = _CHART in names or dig(spec, "values", "instance") is not MISSING
    return is_kind(document, "HelmRelease", "helm.toolkit.fluxcd.io") and is_chart


def created_objects(document: Document) -> tuple[Document, ...]:
    """Return the source and the Kustomization that an object makes the operator create, or nothing.

    Patches are not applied. Nothing is returned if a field has a variable.
    """
    spec = _instance(document)
    sync = dig(spec, "sync")
    texts = [text_at(sync, field) for field in _FIELDS]
    if not all(texts) or any("${" in text for text in texts) or texts[0] not in _KINDS:
        return ()
    namespace = _namespace(document)
    name = text_at(sync, "name") or namespace
    return tuple(
        replace(document, object=made, ref=ref_of(made))
        for made in (_source(sync, name, namespace), _kustomization(sync, name, namespace))
    )


def unfollowed_reason(document: Document) -> str:
    """Return why it is not known what an instance creates, empty if it is or if it creates nothing."""
    sync = dig(_instance(document), "sync")
    if not isinstance(sync, dict) or created_objects(document):
        return ""
    if any("${" in text_at(sync, field) for field in _FIELDS):
        return "a field of its sync has a variable that is not known"
    return f"its sync has no {' or '.join(field for field in _FIELDS if not text_at(sync, field)) or 'known kind'}"


def distribution_version(document: Document) -> str:
    """Return the version of Flux, or the range of versions, that an instance installs; empty if it names none."""
    return text_at(_instance(document), "distribution", "version")


def patches_of_sync(document: Document) -> list[JsonObject]:
    """Return the patches of an instance that select its Kustomization or source, as kustomize reads them."""
    patches = items(dig(_instance(document), "kustomize", "patches"))
    return [{key: one[key] for key in ("patch", "target") if one.get(key)} for one in patches if _selects(one)]


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


def _selects(patch: Json) -> bool:
    """Return whether a patch may select the Kustomization or the source; kinds of targets are regular expressions."""
    kinds, target = (*_KINDS, "Kustomization"), mapping(dig(patch, "target"))
    if target:
        kind = text_at(target, "kind")
        return not kind or any(one in kind for one in kinds)
    return any(f"kind: {one}" in text_at(patch, "patch") for one in kinds)


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
