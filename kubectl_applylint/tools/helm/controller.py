"""The calls of Helm by helm-controller for a HelmRelease: install, upgrade, drift detection and uninstall.

Mirrors ``internal/action`` and ``internal/reconcile`` of helm-controller 1.6, which calls Helm 4.2.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import Identity
from kubectl_applylint.tools.flux.helm_release import DefinitionsPolicy, HelmReleaseSettings, ServerSideApply
from kubectl_applylint.tools.helm.drift import NO_DRIFT_DETECTION, DriftDetection
from kubectl_applylint.tools.helm.flags import HelmFlags, ServerSide
from kubectl_applylint.tools.helm.release import Release, ReleaseRevision
from kubectl_applylint.tools.helm.upgrade import HelmAction, HelmUpgrade, install, upgrade

_SERVER_SIDE: Final = {
    ServerSideApply.ENABLED: ServerSide.TRUE,
    ServerSideApply.DISABLED: ServerSide.FALSE,
    ServerSideApply.AUTO: ServerSide.AUTO,
}
_AFTER_FAILURE: Final = {
    "rollback": "rolls the release back",
    "uninstall": "uninstalls the release",
    "retry": "tries again until it succeeds, without a rollback or uninstall",
}


def release_of(settings: HelmReleaseSettings) -> Release:
    """Return the release of a HelmRelease."""
    return Release(settings.name, settings.namespace)


def call_of(
    settings: HelmReleaseSettings, history: Sequence[ReleaseRevision], definitions: Iterable[Identity] = ()
) -> HelmUpgrade:
    """Return the upgrade of a release with these revisions, oldest first, or its install if there is none.

    ``definitions`` are those in ``crds`` of the chart. A revision whose action was interrupted counts as failed.
    """
    action = settings.upgrade if history else settings.install
    flags = flags_of(settings, is_upgrade=bool(history))
    release = release_of(settings)
    call = (
        upgrade(release, [*map(_without_lock, history)], flags, is_helm4=True)
        if history
        else install(release, flags, is_helm4=True)
    )
    replaces = action.definitions is DefinitionsPolicy.CREATE_REPLACE
    return replace(
        call,
        definitions=frozenset(definitions),
        replaces_definitions=replaces,
        after_rejection=_note_on_failure(settings, is_upgrade=bool(history)),
    )


def _note_on_failure(settings: HelmReleaseSettings, *, is_upgrade: bool) -> str:
    """Return a note with what the controller does if the action fails; empty if it stops."""
    action, name = (settings.upgrade, "upgrade") if is_upgrade else (settings.install, "install")
    if not action.after_failure:
        return ""
    owner = f"HelmRelease {settings.owner.namespaced_name}"
    limit = f"retries: {action.retries if action.retries > 0 else 'unlimited'}"
    is_remediated = action.after_failure != "retry"
    again = f", and tries the {name} again ({limit})" if is_remediated and action.retries else ""
    follows = f"{_AFTER_FAILURE[action.after_failure]}{again}"
    return f"{owner}: if an object is rejected, helm-controller {follows}; that is not predicted"


def flags_of(settings: HelmReleaseSettings, *, is_upgrade: bool) -> HelmFlags:
    """Return the flags of an install or upgrade; conflicts are always forced."""
    action = settings.upgrade if is_upgrade else settings.install
    return HelmFlags(
        _SERVER_SIDE[action.server_side],
        force_conflicts=True,
        force_replace=is_upgrade and settings.is_forced,
        take_ownership=action.takes_ownership,
        cleanup_on_fail=is_upgrade and action.cleans_up,
        is_by_controller=True,
    )


def _without_lock(revision: ReleaseRevision) -> ReleaseRevision:
    return replace(revision, status="failed") if revision.status.startswith("pending") else revision


def drift_call(
    settings: HelmReleaseSettings, history: Sequence[ReleaseRevision], definitions: Iterable[Identity] = ()
) -> HelmUpgrade:
    """Return what the controller does with a release that is deployed and has not changed.

    ``definitions`` are those in ``crds`` of the chart, which are not compared.
    """
    call = _without_chart(HelmAction.DRIFT, settings, history, detection_of(settings))
    return replace(call, definitions=frozenset(definitions))


def uninstall_call(settings: HelmReleaseSettings, history: Sequence[ReleaseRevision]) -> HelmUpgrade:
    """Return the uninstall of a release: it deletes the objects of the last revision."""
    return _without_chart(HelmAction.UNINSTALL, settings, history, NO_DRIFT_DETECTION)


def _without_chart(
    action: HelmAction, settings: HelmReleaseSettings, history: Sequence[ReleaseRevision], drift: DriftDetection
) -> HelmUpgrade:
    manifests = history[-1].manifests if history else ()
    flags = flags_of(settings, is_upgrade=True)
    return HelmUpgrade(release_of(settings), action, manifests, flags=flags, is_helm4=True, drift=drift)


def detection_of(settings: HelmReleaseSettings) -> DriftDetection:
    """Return the drift detection of a HelmRelease."""
    mode = settings.drift_mode
    return DriftDetection(mode == "enabled", settings.drift_ignored, mode in ("enabled", "warn"))
