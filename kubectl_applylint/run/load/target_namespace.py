"""Sets the namespace of objects of a Flux Kustomization with ``spec.targetNamespace``.

Mirrors the ``namespace`` field of a kustomization: it replaces namespaces, the names of Namespaces, and those of the
ServiceAccounts in role bindings that are among the objects, or named ``default``.
"""

from collections.abc import Collection, Sequence
from typing import Final

from kubectl_applylint.core.documents import Document, in_namespace
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.values import Json, dig, items, mapping, text_at

_BINDINGS: Final = ("ClusterRoleBinding", "RoleBinding")
_ACCOUNT: Final = "ServiceAccount"
_DEFAULT: Final = "default"


def in_target_namespace(documents: Sequence[Document], namespace: str) -> tuple[Document, ...]:
    """Return documents as kustomize writes them for a namespace; those without a namespace are not changed."""
    accounts = frozenset(one.ref.name for one in documents if one.ref.kind == _ACCOUNT)
    return tuple(_move_object(one, namespace, accounts) for one in documents)


def _move_object(document: Document, namespace: str, accounts: Collection[str]) -> Document:
    if document.ref.kind == "Namespace" and not document.ref.group:
        metadata = {**mapping(document.object.get("metadata")), "name": namespace}
        ref = replace(document.ref, name=namespace)
        return replace(document, object={**document.object, "metadata": metadata}, ref=ref)
    placed = in_namespace(document, namespace) if document.ref.namespace else document
    if document.ref.kind not in _BINDINGS or not isinstance(dig(document.object, "subjects"), list):
        return placed
    subjects = [_subject(one, namespace, accounts) for one in items(document.object.get("subjects"))]
    return replace(placed, object={**placed.object, "subjects": subjects})


def _subject(subject: Json, namespace: str, accounts: Collection[str]) -> Json:
    if not isinstance(subject, dict) or text_at(subject, "kind") != _ACCOUNT:
        return subject
    name = text_at(subject, "name")
    is_moved = name == _DEFAULT or (name in accounts and not text_at(subject, "namespace"))
    return {**subject, "namespace": namespace} if is_moved else subject
