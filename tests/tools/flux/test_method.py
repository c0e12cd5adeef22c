"""What Flux goes by for one object."""

from kubectl_applylint.tools.flux.kustomization import FluxKustomization
from kubectl_applylint.tools.flux.method import FluxWrite


def test_an_object_is_applied_unless_only_its_check_is_asked_for() -> None:
    assert not FluxWrite(FluxKustomization("app", "shop")).only_checks
