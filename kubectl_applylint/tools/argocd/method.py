"""How Argo CD writes one object of an Application."""

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.tools.argocd.application import ArgoApplication


@dataclass(frozen=True, slots=True)
class ArgoWrite:
    """The settings for writing one object; ``only_checks`` stops after the checks that precede all writes."""

    application: ArgoApplication
    only_checks: bool = False
