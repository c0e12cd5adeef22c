"""How a program other than kubectl builds a kustomization."""

from typing import Final

from kubectl_applylint.core.records import dataclass


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """Differences from ``kubectl kustomize``."""

    has_load_restrictor: bool = True
    """Whether kustomize rejects files outside of the folder of a kustomization.

    Without it, kustomize only builds copies whose references have been checked, and fetches nothing.
    """
    has_helm: bool = True
    """Whether kustomize renders ``helmCharts``, as with ``--enable-helm``; kustomize-controller does not."""
    has_typed_metadata: bool = True
    """Whether the objects are decoded as kubectl does it, which rejects labels that are not text; Flux does not."""


AS_KUBECTL: Final = BuildOptions()
