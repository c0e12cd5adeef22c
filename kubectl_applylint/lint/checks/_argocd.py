"""How Argo CD writes an object, for the checks about its sync options."""

from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.core.state import Present
from kubectl_applylint.lint.model import Params, Subject


def has_sync_option(subject: Subject, params: Params) -> bool:
    """Return whether Argo CD writes an object with ``params["option"]``, ``Replace`` or ``Force``; true without one."""
    option, applier = params.get("option"), subject.flags.unit_applier
    if option is None:
        return True
    if applier is None or applier.applier is not Applier.ARGOCD:
        return False
    # Runs about other programs need not wait the 6 ms that this takes.
    from kubectl_applylint.tools.argocd.application import ArgoSync  # noqa: PLC0415

    live = subject.state.live.object if isinstance(subject.state.live, Present) else None
    return isinstance(applier.unit, ArgoSync) and (
        applier.unit.application.replaces(subject.manifest, live)
        if option == "Replace"
        else applier.unit.application.forces(subject.manifest, live)
    )
