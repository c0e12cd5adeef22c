"""How Flux writes one object of a Kustomization."""

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.tools.flux.kustomization import FluxKustomization


@dataclass(frozen=True, slots=True)
class FluxWrite:
    """What Flux goes by for one object; ``only_checks`` leaves out the apply, which follows the checks of a stage."""

    source: FluxKustomization
    only_checks: bool = False
