"""How Argo CD writes an object, for the checks about its sync options."""

from typing import TYPE_CHECKING

from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.core.paths import Path, get
from kubectl_applylint.core.state import Present
from kubectl_applylint.core.values import MISSING
from kubectl_applylint.lint.model import Params, Subject

if TYPE_CHECKING:
    from kubectl_applylint.tools.argocd.application import ArgoApplication


def has_sync_option(subject: Subject, params: Params) -> bool:
    """Return whether Argo CD writes an object with ``params["option"]``, ``Replace`` or ``Force``; true without one."""
    option, application = params.get("option"), _application_of(subject)
    if option is None or application is None:
        return option is None
    live = subject.state.live.object if isinstance(subject.state.live, Present) else None
    has_option = application.replaces if option == "Replace" else application.forces
    return has_option(subject.manifest, live)


def keeps_live_value(subject: Subject, path: Path, manager: str) -> bool:
    """Return whether a sync keeps the live value of a field that a field manager writes.

    That is so if its Application ignores differences of the field, or of all that the manager owns, and has the sync
    option RespectIgnoreDifferences=true.
    """
    application = _application_of(subject)
    if application is None or not application.respects_ignored:
        return False
    from kubectl_applylint.tools.argocd.ignores import without_ignored  # noqa: PLC0415  6 ms

    rules = [rule for rule in application.ignored if rule.matches(subject.manifest)]
    left = without_ignored(subject.manifest, {}, rules, subject.kind)
    return get(left.manifest, path) is MISSING or any(manager in rule.managers for rule in rules)


def _application_of(subject: Subject) -> "ArgoApplication | None":
    """Return the Application that applies an object, ``None`` if another program does."""
    applier = subject.flags.unit_applier
    if applier is None or applier.applier is not Applier.ARGOCD:
        return None
    # Runs about other programs need not wait the 6 ms that this takes.
    from kubectl_applylint.tools.argocd.application import ArgoSync  # noqa: PLC0415

    return applier.unit.application if isinstance(applier.unit, ArgoSync) else None
