"""How Argo CD writes an object, for the checks about its sync options."""

from kubectl_applylint.core.state import Present
from kubectl_applylint.lint.model import Params, Subject
from kubectl_applylint.tools.argocd.application import ArgoSync


def has_sync_option(subject: Subject, params: Params) -> bool:
    """Return whether Argo CD writes an object with ``params["option"]``, ``Replace`` or ``Force``; true without one."""
    option, applier = params.get("option"), subject.flags.unit_applier
    if option is None:
        return True
    if applier is None or not isinstance(applier.unit, ArgoSync):
        return False
    application = applier.unit.application
    live = subject.state.live.object if isinstance(subject.state.live, Present) else None
    asks = application.replaces if option == "Replace" else application.forces
    return asks(subject.manifest, live)
