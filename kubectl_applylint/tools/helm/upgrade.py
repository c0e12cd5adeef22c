"""One install or upgrade of a Helm release: its original manifests, rejections, and deletions.

Mirrors ``pkg/action`` and ``pkg/kube/client.go`` of Helm 3.18 and 4.1.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import field
from enum import StrEnum
from typing import Final

from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.state import Identity, ObjectRef, ref_of
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.tools.flux.helm_release import HelmReleaseSettings
from kubectl_applylint.tools.helm.drift import NO_DRIFT_DETECTION, DriftDetection
from kubectl_applylint.tools.helm.flags import NO_FLAGS, HelmFlags, ServerSide
from kubectl_applylint.tools.helm.method import HelmWrite, Method
from kubectl_applylint.tools.helm.release import SERVER_SIDE, Release, ReleaseRevision, current_revision, is_kept


class HelmAction(StrEnum):
    """What Helm does with a release."""

    INSTALL = "install"
    UPGRADE = "upgrade"
    UNINSTALL = "uninstall"
    DRIFT = "drift"
    """No command: helm-controller compares a release that has not changed with the cluster."""


@dataclass(frozen=True, slots=True)
class HelmUnit:
    """A chart with its release and the flags of the call; ``settings`` are those of its HelmRelease, if it has one."""

    release: Release
    flags: HelmFlags = NO_FLAGS
    settings: HelmReleaseSettings | None = None
    is_removed: bool = False
    """Whether the HelmRelease is deleted."""


_CONFLICTS_WITHOUT_APPLY: Final = "forceConflicts enabled when serverSideApply disabled"
_APPLY_AND_REPLACE: Final = "invalid operation: cannot use server-side apply and force replace together"
_CONFLICTS_AND_REPLACE: Final = "invalid operation: cannot use force conflicts and force replace together"


@dataclass(frozen=True, slots=True)
class HelmUpgrade:
    """One call of Helm. ``originals`` are the manifests of the current revision, with namespaces filled in."""

    release: Release
    action: HelmAction
    originals: tuple[JsonObject, ...] = field(default=(), repr=False)
    is_server_side: bool = False
    migrates: bool = False
    """Whether client-side fields of the manager ``helm`` are moved to its server-side entry."""
    flags: HelmFlags = NO_FLAGS
    is_helm4: bool = False
    adopted: frozenset[Identity] = field(default=frozenset(), repr=False)
    """Objects of the chart that exist before the call and are in no revision."""
    definitions: frozenset[Identity] = field(default=frozenset(), repr=False)
    """Definitions in the ``crds`` directory of the chart, which helm-controller applies before the chart."""
    replaces_definitions: bool = False
    """Whether a client-side call of helm-controller replaces definitions that exist (``crds: CreateReplace``)."""
    drift: DriftDetection = NO_DRIFT_DETECTION
    """The drift detection of helm-controller."""
    left: frozenset[Identity] = field(default=frozenset(), repr=False)
    """Existing definitions in the ``crds`` directory of the chart, which Helm ignores."""
    refusal: str = ""
    """Helm's reason to reject the call regardless of the chart, or ``""``."""
    remedy: str = ""
    """What to do about the rejection; ``""`` if its text states it."""
    after_rejection: str = ""
    """What helm-controller does after a rejection, as a note; ``""`` if it stops."""
    unknown: str = ""
    """Why the call cannot be predicted: the stored release is not known."""

    @property
    def applier(self) -> Applier:
        """The applier."""
        if self.flags.is_by_controller:
            return Applier.HELM_CONTROLLER
        return Applier.HELM4 if self.is_helm4 else Applier.HELM3

    @property
    def method(self) -> Method:
        """How existing objects are written."""
        if self.action is HelmAction.DRIFT:
            return Method.CORRECT
        if not self.is_update:
            return Method.CREATE
        if self.flags.force_replace and not (self.flags.is_by_controller and self.is_server_side):
            return Method.REPLACE
        return Method.APPLY if self.is_server_side else Method.PATCH

    @property
    def is_update(self) -> bool:
        """Whether objects are read and written one by one; otherwise all are created despite failures."""
        return bool(self.adopted) or not self._installs

    def write(self, manifest: JsonObject, live: JsonObject | None) -> HelmWrite | None:
        """Return how an object is written, or ``None`` if Helm stops at it.

        Helm stops at an object that exists when it is written, is in no revision and was not adopted: a new object that
        the chart has twice. The Helm of helm-controller, 4.2, patches it, based on the live object.
        """
        identity = ref_of(manifest).identity
        if identity in self.left:
            return HelmWrite(self.release, None, Method.LEAVE)
        if identity in self.definitions:
            return self._definition_write
        original = self.original(ref_of(manifest))
        if original is None and identity in self.adopted:
            original = self.release.with_release_marks(manifest)  # Adopted objects count as its own.
        if original is None and live is not None and self.is_update:
            if not self.flags.is_by_controller:
                return None
            original = live
        return HelmWrite(
            self.release,
            original,
            self.method,
            migrates=self.migrates,
            is_strict=self.is_helm4 and self.method is not Method.PATCH,
            creates_by_apply=self.is_server_side,
            merges_custom=self._installs and self.flags.take_ownership and not self.is_server_side,
            drift=self.drift,
        )

    @property
    def _definition_write(self) -> HelmWrite:
        """How helm-controller writes a definition: server-side apply also changes one that exists."""
        if self.action is HelmAction.DRIFT:
            return HelmWrite(self.release, None, Method.CORRECT, is_marked=False, drift=NO_DRIFT_DETECTION)
        method = Method.APPLY if self.is_server_side else Method.REPLACE if self.replaces_definitions else Method.LEAVE
        return HelmWrite(
            self.release, None, method, is_strict=True, creates_by_apply=self.is_server_side, is_marked=False
        )

    def original(self, ref: ObjectRef) -> JsonObject | None:
        """Return the manifest of an object in the release, in any version, or ``None``."""
        return next((item for item in self.originals if ref_of(item).identity == ref.identity), None)

    def import_fault(self, ref: ObjectRef, live: JsonObject) -> str:
        """Return Helm's reason to stop because an object exists, or ``""``.

        Objects of the revision are compared by version.
        """
        is_known = any(ref_of(item) == ref for item in self.originals)
        if is_known or self.flags.take_ownership or ref.identity in self.definitions:
            return ""
        fault = self.release.import_fault({**live, "apiVersion": ref.api_version})
        unable = "unable" if self.is_helm4 else "Unable"
        return f"{unable} to continue with {'install' if self._installs else 'update'}: {fault}" if fault else ""

    @property
    def _installs(self) -> bool:
        """Whether the call is an install."""
        return self.action is HelmAction.INSTALL

    @property
    def option_fault(self) -> str:
        """Helm's error for its flags after it has read the objects."""
        flags = self.flags
        if flags.is_by_controller:
            return ""  # It sets only flags that fit.
        if flags.force_conflicts and not self.is_server_side:
            return f"invalid client update option(s): {_CONFLICTS_WITHOUT_APPLY}"
        if flags.force_conflicts and flags.force_replace:
            return _CONFLICTS_AND_REPLACE
        return _APPLY_AND_REPLACE if self.is_server_side and flags.force_replace else ""

    def targets(self, objects: Iterable[JsonObject], applied: Collection[ObjectRef]) -> Iterator[ObjectRef]:
        """Yield the live objects to delete, given the references of the chart's objects.

        In the order of the revision. Objects with ``helm.sh/resource-policy: keep`` in the cluster stay; in an
        uninstall those that have it in the revision.
        """
        live = {ref_of(item).identity: item for item in objects}
        own = {ref_of(item).identity: item for item in self.originals}
        decisive = own if self.action is HelmAction.UNINSTALL else live
        for identity, ref in self._left_out(applied).items():
            if identity in live and not is_kept(decisive[identity]):
                yield ref

    def _left_out(self, applied: Collection[ObjectRef]) -> dict[Identity, ObjectRef]:
        """Return the objects of the release that the chart no longer has."""
        own = {ref.identity for ref in applied}
        refs = map(ref_of, self.originals)
        return {ref.identity: ref for ref in refs if ref.identity not in own}


def install(release: Release, flags: HelmFlags = NO_FLAGS, *, is_helm4: bool = False) -> HelmUpgrade:
    """Return the first install of a release; Helm 4 applies server-side by default."""
    is_server_side = is_helm4 and flags.server_side is not ServerSide.FALSE
    return HelmUpgrade(
        release,
        HelmAction.INSTALL,
        is_server_side=is_server_side,
        migrates=is_server_side,
        flags=flags,
        is_helm4=is_helm4,
    )


def upgrade(
    release: Release, history: Sequence[ReleaseRevision], flags: HelmFlags = NO_FLAGS, *, is_helm4: bool = False
) -> HelmUpgrade:
    """Return an upgrade of a release with these revisions, sorted from oldest to newest."""
    current = current_revision(history)
    if current is None:
        pending = "another operation (install/upgrade/rollback) is in progress"
        missing = f'"{release.name}" has no deployed releases'
        undo = "rollback" if len(history) > 1 else "uninstall"
        back = f"wait until it ends; if it was interrupted: helm {undo} {release.name} -n {release.namespace}"
        refusal, remedy = (pending, back) if history else (missing, "")
        return HelmUpgrade(release, HelmAction.UPGRADE, refusal=refusal, remedy=remedy)
    is_server_side = is_helm4 and _applies(flags.server_side, history[-1].apply_method)
    return HelmUpgrade(
        release,
        HelmAction.UPGRADE,
        current.manifests,
        is_server_side,
        migrates=is_server_side and current.apply_method != SERVER_SIDE,
        flags=flags,
        is_helm4=is_helm4,
    )


def _applies(asked: ServerSide, recorded: str) -> bool:
    """Return whether an upgrade applies server-side."""
    return recorded == SERVER_SIDE if asked is ServerSide.AUTO else asked is ServerSide.TRUE
