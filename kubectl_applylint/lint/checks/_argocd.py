"""How Argo CD writes an object, for the checks about its sync options."""

from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.core.paths import Path, get
from kubectl_applylint.core.state import Present
from kubectl_applylint.core.values import MISSING
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


def keeps_live_value(subject: Subject, path: Path, manager: str) -> bool:
    """Return whether a sync keeps the live value of a field that a field manager writes.

    That is so if its Application ignores differences of the field, or of all that the manager owns, and has the sync
    option RespectIgnoreDifferences=true.
    """
    applier = subject.flags.unit_applier
    if applier is None or applier.applier is not Applier.ARGOCD:
        return False
    # Runs about other programs need not wait the 6 ms that this takes.
    from kubectl_applylint.tools.argocd.application import ArgoSync  # noqa: PLC0415
    from kubectl_applylint.tools.argocd.ignores import without_ignored  # noqa: PLC0415  6 ms

    if not isinstance(applier.unit, ArgoSync) or not applier.unit.application.respects_ignored:
        return False
    rules = [rule for rule in applier.unit.application.ignored if rule.matches(subject.manifest)]
    left = without_ignored(subject.manifest, {}, rules, subject.kind)
    return get(left.manifest, path) is MISSING or any(manager in rule.managers for rule in rules)
