"""HelmReleases that helm-controller applies, with the stored release from a cluster or an earlier revision."""

from collections.abc import Sequence
from typing import Final

from kubectl_applylint.appliers.unit_applier import AskedApplier
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import Identity, ObjectRef, ref_of
from kubectl_applylint.core.values import JsonObject, equal
from kubectl_applylint.engine.cluster_model import is_definition
from kubectl_applylint.lint.model import Holder
from kubectl_applylint.run.compare.live_source import LiveSource
from kubectl_applylint.run.load.reading import Reading
from kubectl_applylint.run.load.unit_program import ReadingPair
from kubectl_applylint.tools.flux.helm_release import GROUP, HelmReleaseSettings, ServerSideApply, release_settings
from kubectl_applylint.tools.flux.rendered_positions import is_chart_definition
from kubectl_applylint.tools.helm.controller import call_of, drift_call, flags_of, release_of, uninstall_call
from kubectl_applylint.tools.helm.release import SERVER_SIDE, ReleaseRevision, is_in_crds
from kubectl_applylint.tools.helm.stored import read_history
from kubectl_applylint.tools.helm.upgrade import HelmAction, HelmUnit, HelmUpgrade
from kubectl_applylint.units.model import Unit

_KIND: Final = "HelmRelease"
_DEPLOYED: Final = "deployed"


def unit_of_release(asked: AskedApplier, unit: Unit, namespace: str) -> HelmUnit | None:
    """Return the release of a HelmRelease, ``None`` if no HelmRelease applies the unit."""
    owner, item = unit.applied.declared_by, unit.applied.tool_object or {}
    if owner is None or owner.kind != _KIND:
        if not asked.is_supposed:
            return None
        owner, item = ObjectRef(f"{GROUP}/v2", _KIND, namespace, asked.name or unit.release), {}
    settings = release_settings(owner, item)
    return HelmUnit(release_of(settings), flags_of(settings, is_upgrade=True), settings)


def compared_with_earlier_revision(unit: HelmUnit, both: ReadingPair, *, is_new: bool) -> ReadingPair:
    """Return both readings with their upgrades of the release that the earlier revision installed."""
    past, now = both
    settings = _settings(unit)
    method = "" if settings.install.server_side is ServerSideApply.DISABLED else SERVER_SIDE
    manifests = tuple(one.object for one in past.here if not _is_definition(one))
    history = () if is_new else (ReleaseRevision(1, _DEPLOYED, manifests, method),)
    after = uninstall_call(settings, history) if unit.is_removed else _call(settings, history, now.here)
    return replace(past, policy=_call(settings, history, past.here)), replace(now, policy=after)


def recorded_in_cluster(unit: HelmUnit, source: LiveSource, now: Reading) -> Reading:
    """Return a reading with what the controller does with the release that a cluster or snapshot has stored.

    A release that would store the same objects is not upgraded: it is compared with the cluster, if drift detection
    is enabled.
    """
    settings = _settings(unit)
    found = read_history(unit.release, settings.storage_namespace, source, now.schema)
    if found.unknown:
        policy = HelmUpgrade(unit.release, HelmAction.UPGRADE, unknown=found.unknown, flags=unit.flags, is_helm4=True)
    elif unit.is_removed:
        policy = uninstall_call(settings, found.revisions)
    elif _is_unchanged(found.revisions, now.here):
        policy = drift_call(settings, found.revisions, _definitions(now.here))
    else:
        policy = _call(settings, found.revisions, now.here)
    return replace(now, policy=policy, problems=(*now.problems, *found.problems))


def _is_definition(document: Document) -> bool:
    """Return whether a document is in ``crds`` of the chart, which may be a folder of the repository."""
    return is_chart_definition(document) or (is_definition(document.ref) and is_in_crds(document.file))


def _settings(unit: HelmUnit) -> HelmReleaseSettings:
    assert unit.settings is not None
    return unit.settings


def _call(settings: HelmReleaseSettings, history: Sequence[ReleaseRevision], here: Sequence[Document]) -> HelmUpgrade:
    return call_of(settings, history, _definitions(here))


def _definitions(here: Sequence[Document]) -> list[Identity]:
    return [one.ref.identity for one in here if _is_definition(one)]


def _is_unchanged(history: Sequence[ReleaseRevision], here: Sequence[Document]) -> bool:
    """Return whether the last revision is deployed and has the objects of the documents."""
    if not history or history[-1].status != _DEPLOYED:
        return False
    stored = {ref_of(item): item for item in history[-1].manifests}
    wanted: dict[ObjectRef, JsonObject] = {one.ref: one.object for one in here if not _is_definition(one)}
    return stored.keys() == wanted.keys() and all(equal(item, stored[ref]) for ref, item in wanted.items())


def holder_of(unit: HelmUnit, document: Document) -> Holder | None:
    """Return the release if it takes over objects of other releases; definitions belong to no release."""
    is_free = _is_definition(document) or not _settings(unit).upgrade.takes_ownership
    return None if is_free else Holder(unit.release.name, unit.release.namespace)
