"""What Argo CD goes by for one object."""

from kubectl_applylint.tools.argocd.application import ArgoApplication
from kubectl_applylint.tools.argocd.method import ArgoWrite


def test_an_object_is_written_unless_only_its_checks_are_asked_for() -> None:
    assert not ArgoWrite(ArgoApplication("app", "shop")).only_checks
