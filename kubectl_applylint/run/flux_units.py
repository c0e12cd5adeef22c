"""Units that a Kustomization of Flux applies: the earlier revision stands for what it remembers of its objects."""

from collections.abc import Sequence

from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.appliers.flux.kustomization import Reconciliation
from kubectl_applylint.core.documents import Document


def reconciliation_of(flags: Flags, past: Sequence[Document]) -> Reconciliation | None:
    """Return the reconciliation by a Kustomization that has applied ``past``; ``None`` where kubectl applies."""
    if flags.kustomization is None:
        return None
    return Reconciliation(flags.kustomization, tuple(document.ref for document in past))
