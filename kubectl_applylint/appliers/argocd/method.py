"""How Argo CD writes one object of an Application."""

from kubectl_applylint.appliers.argocd.application import ArgoApplication
from kubectl_applylint.core.records import dataclass


@dataclass(frozen=True, slots=True)
class ArgoWrite:
    """What Argo CD goes by for one object; ``only_checks`` is what it looks at before it writes the first one."""

    application: ArgoApplication
    only_checks: bool = False
