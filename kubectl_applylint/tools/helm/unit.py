"""Charts that Helm installs or upgrades, with the stored release from a cluster or an earlier revision."""

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.appliers.unit_applier import AskedApplier
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.problem import Problem, UnreadableError
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.engine.cluster_model import is_definition
from kubectl_applylint.lint.model import Holder
from kubectl_applylint.run.compare.live_source import LiveSource
from kubectl_applylint.run.load.reading import Reading
from kubectl_applylint.run.load.unit_program import ReadingPair, UnitProgram
from kubectl_applylint.schema.types import Schema
from kubectl_applylint.tools.helm import controller_unit
from kubectl_applylint.tools.helm.flags import NO_FLAGS, read_flags
from kubectl_applylint.tools.helm.release import SERVER_SIDE, Release, ReleaseRevision, is_in_crds
from kubectl_applylint.tools.helm.stored import read_history
from kubectl_applylint.tools.helm.upgrade import HelmAction, HelmUnit, HelmUpgrade, install, upgrade
from kubectl_applylint.units.model import Form, Unit

Problems: TypeAlias = tuple[Problem, ...]


def upgrade_of(unit: HelmUnit, past: Sequence[Document], *, is_helm4: bool, is_new: bool = False) -> HelmUpgrade:
    """Return the upgrade of a release with the objects of ``past``, or an install.

    Helm 4 is assumed to have applied the release server-side from the start. ``past`` may be limited to the objects of
    a change.
    """
    if is_new:
        return install(unit.release, unit.flags, is_helm4=is_helm4)
    manifests = tuple(document.object for document in past)
    revision = ReleaseRevision(1, "deployed", manifests, SERVER_SIDE if is_helm4 else "")
    return upgrade(unit.release, [revision], unit.flags, is_helm4=is_helm4)


def upgrade_from_cluster(
    unit: HelmUnit, source: LiveSource, schema: Schema, *, is_helm4: bool
) -> tuple[HelmUpgrade, Problems]:
    """Return the upgrade of a release stored in a cluster or snapshot, or an install if none is.

    If the stored release cannot be read, the upgrade is unknown.
    """
    release = unit.release
    found = read_history(release, release.namespace, source, schema)
    if found.unknown:
        return HelmUpgrade(release, HelmAction.UPGRADE, unknown=found.unknown), found.problems
    if not found.revisions:
        return install(release, unit.flags, is_helm4=is_helm4), ()
    return upgrade(release, found.revisions, unit.flags, is_helm4=is_helm4), ()


def stored_documents(past: Sequence[Document]) -> tuple[Document, ...]:
    """Return the documents that a release stores, without ``crds``, which Helm creates and never deletes."""
    return tuple(one for one in past if not (is_definition(one.ref) and is_in_crds(one.file)))


_TOOLS: Final = ("helm", *(Applier.HELM3, Applier.HELM4))
"""The names of the tool for charts that Helm itself installs."""


def _unit_of(applier: Applier, asked: AskedApplier, unit: Unit, namespace: str) -> HelmUnit | None:
    """Return the release of a chart; raise ``UnreadableError`` for flags that this version of Helm does not have."""
    if applier is Applier.HELM_CONTROLLER:
        return controller_unit.unit_of_release(asked, unit, namespace)
    if not asked.is_supposed and (unit.form is not Form.CHART or unit.applied.tool not in _TOOLS):
        return None
    words = (*asked.flags, *dict(unit.applied.options).get("flags", ()))
    try:
        flags = read_flags(words, is_helm4=applier is Applier.HELM4)
    except ValueError as fault:
        raise UnreadableError(Problem(unit.shown, f"{applier} upgrade has no flag {fault}")) from None
    return HelmUnit(Release(asked.name or unit.release, namespace), flags)


def _with_earlier_revision(
    applier: Applier, units: tuple[object, HelmUnit], both: ReadingPair, source: LiveSource, is_new: bool
) -> ReadingPair:
    """Return both readings with their upgrades of the release that the earlier revision stored."""
    unit = units[1]
    if applier is Applier.HELM_CONTROLLER:
        return controller_unit.compared_with_earlier_revision(unit, both, is_new=is_new)
    past, now = both
    is_helm4 = applier is Applier.HELM4
    before = upgrade_of(replace(unit, flags=NO_FLAGS), past.here, is_helm4=is_helm4, is_new=is_new)
    after = upgrade_of(unit, stored_documents(past.here), is_helm4=is_helm4, is_new=is_new)
    return replace(past, policy=before), replace(now, policy=after)


def _with_cluster_state(applier: Applier, unit: HelmUnit, source: LiveSource, now: Reading) -> Reading:
    if applier is Applier.HELM_CONTROLLER:
        return controller_unit.recorded_in_cluster(unit, source, now)
    policy, problems = upgrade_from_cluster(unit, source, now.schema, is_helm4=applier is Applier.HELM4)
    return replace(now, policy=policy, problems=(*now.problems, *problems))


def _holder(unit: HelmUnit, document: Document) -> Holder | None:
    """Return the release, which rejects objects of other releases; existing ``crds`` are left alone."""
    if unit.settings is not None:
        return controller_unit.holder_of(unit, document)
    is_free = unit.flags.take_ownership or (is_definition(document.ref) and is_in_crds(document.file))
    return None if is_free else Holder(unit.release.name, unit.release.namespace)


def _uninstall_of(unit: HelmUnit) -> HelmUnit | None:
    """Return the release that helm-controller uninstalls with its HelmRelease; Helm itself leaves releases."""
    is_left = unit.settings is None or unit.settings.is_suspended
    return None if is_left else replace(unit, is_removed=True)


def _notes_on_rejection(policy: HelmUpgrade) -> Iterator[str]:
    if policy.after_rejection:
        yield policy.after_rejection


UNIT_PROGRAM: Final[UnitProgram[HelmUnit, HelmUpgrade]] = UnitProgram(
    _unit_of,
    _with_earlier_revision,
    _with_cluster_state,
    "charts",
    "{none} is a chart that Helm installs",
    remembered=lambda policy: map(ref_of, policy.originals),
    removed=_uninstall_of,
    on_rejection=_notes_on_rejection,
    holder=_holder,
)
