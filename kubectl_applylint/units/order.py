"""The order in which the tool of a unit applies its objects."""

from collections.abc import Iterable
from typing import Final

from kubectl_applylint.core.documents import Document

_AS_WRITTEN: Final = frozenset({"kubectl", "skaffold"})
"""The tools that apply objects in the order of files and documents; all others apply dependencies first."""
_FIRST: Final = frozenset({("", "Namespace"), ("apiextensions.k8s.io", "CustomResourceDefinition")})


def in_order(documents: Iterable[Document], tool: str) -> tuple[Document, ...]:
    """Return objects in the order in which a tool applies them.

    Flux applies namespaces and definitions in a separate stage (fluxcd/pkg/ssa, ``ApplyAllStaged``), Argo CD sorts each
    wave by kind (gitops-engine, ``syncTasks``), Helm and Fleet use the install order of Helm.
    """
    if tool in _AS_WRITTEN:
        return tuple(documents)
    return tuple(sorted(documents, key=lambda document: document.ref.identity[:2] not in _FIRST))
