"""How Flux writes one object of a Kustomization."""

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.tools.flux.kustomization import FluxKustomization


@dataclass(frozen=True, slots=True)
class FluxWrite:
    """The settings for writing one object; ``only_checks`` stops before the apply."""

    source: FluxKustomization
    only_checks: bool = False
