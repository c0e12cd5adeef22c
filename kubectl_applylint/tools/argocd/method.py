"""How Argo CD writes one object of an Application."""

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.tools.argocd.application import ArgoApplication


@dataclass(frozen=True, slots=True)
class ArgoWrite:
    """What Argo CD goes by for one object; ``only_checks`` is what it looks at before it writes the first one."""

    application: ArgoApplication
    only_checks: bool = False
