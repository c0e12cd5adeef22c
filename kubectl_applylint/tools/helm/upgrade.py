"""One install or upgrade of a Helm release as a whole: what it goes by, refuses, and deletes.

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
from kubectl_applylint.tools.helm.flags import NO_FLAGS, HelmFlags, ServerSide
from kubectl_applylint.tools.helm.method import HelmWrite, Method
from kubectl_applylint.tools.helm.release import SERVER_SIDE, Release, ReleaseRevision, current_revision, is_kept


class HelmAction(StrEnum):
    """The commands of Helm that are predicted."""

    INSTALL = "install"
    UPGRADE = "upgrade"


@dataclass(frozen=True, slots=True)
class HelmUnit:
    """A chart as Helm upgrades it: its release, and the flags of the call."""

    release: Release
    flags: HelmFlags = NO_FLAGS


_CONFLICTS_WITHOUT_APPLY: Final = "forceConflicts enabled when serverSideApply disabled"
_APPLY_AND_REPLACE: Final = "invalid operation: cannot use server-side apply and force replace together"
_CONFLICTS_AND_REPLACE: Final = "invalid operation: cannot use force conflicts and force replace together"


@dataclass(frozen=True, slots=True)
class HelmUpgrade:
    """One call of Helm. ``originals`` are the manifests that it goes by, with their namespaces filled in."""

    release: Release
    action: HelmAction
    originals: tuple[JsonObject, ...] = field(default=(), repr=False)
    is_server_side: bool = False
    migrates: bool = False
    """Whether the fields of the manager ``helm`` that were not applied are handed over to the one that applies."""
    flags: HelmFlags = NO_FLAGS
    is_helm4: bool = False
    adopted: frozenset[Identity] = field(default=frozenset(), repr=False)
    """Objects of the chart that exist, and that no revision has, when Helm begins."""
    left: frozenset[Identity] = field(default=frozenset(), repr=False)
    """Definitions in the directory ``crds`` of the chart that exist: Helm does not look at them."""
    refusal: str = ""
    """Why Helm refuses the call whatever the chart says, in its words."""
    remedy: str = ""
    """What to do about that, empty where the refusal says it."""
    unknown: str = ""
    """Why nobody can tell what the call does: what the release has stored is not known."""

    @property
    def applier(self) -> Applier:
        """The program."""
        return Applier.HELM4 if self.is_helm4 else Applier.HELM3

    @property
    def method(self) -> Method:
        """How objects that exist are written."""
        if not self.is_update:
            return Method.CREATE
        if self.flags.force_replace:
            return Method.REPLACE
        return Method.APPLY if self.is_server_side else Method.PATCH

    @property
    def is_update(self) -> bool:
        """Whether objects are looked at and written one by one; else all are created, whatever becomes of others."""
        return bool(self.adopted) or not self._installs

    def write(self, manifest: JsonObject, live: JsonObject | None) -> HelmWrite | None:
        """Return how an object is written, ``None`` where Helm stops at it.

        It does at what exists when its turn comes, is in no revision and was not adopted: a new object that the chart
        names twice.
        """
        identity = ref_of(manifest).identity
        if identity in self.left:
            return HelmWrite(self.release, None, Method.LEAVE)
        original = self.original(ref_of(manifest))
        if original is None and identity in self.adopted:
            original = self.release.with_release_marks(manifest)  # Adopted objects count as its own.
        if original is None and live is not None and self.is_update:
            return None
        return HelmWrite(
            self.release,
            original,
            self.method,
            migrates=self.migrates,
            is_strict=self.is_helm4 and self.method is not Method.PATCH,
            creates_by_apply=self.is_server_side,
            merges_custom=self._installs and self.flags.take_ownership and not self.is_server_side,
        )

    def original(self, ref: ObjectRef) -> JsonObject | None:
        """Return what the release has stored of an object, in whatever version, ``None`` for nothing."""
        return next((item for item in self.originals if ref_of(item).identity == ref.identity), None)

    def import_fault(self, ref: ObjectRef, live: JsonObject) -> str:
        """Return why Helm refuses to go on where an object exists; empty where it does not mind.

        Objects of the revision are compared with their versions here.
        """
        is_known = any(ref_of(item) == ref for item in self.originals)
        if is_known or self.flags.take_ownership:
            return ""
        fault = self.release.import_fault({**live, "apiVersion": ref.api_version})
        unable = "unable" if self.is_helm4 else "Unable"
        return f"{unable} to continue with {'install' if self._installs else 'update'}: {fault}" if fault else ""

    @property
    def _installs(self) -> bool:
        return self.action is HelmAction.INSTALL

    @property
    def option_fault(self) -> str:
        """Why Helm refuses its flags once it has looked at the objects, in its words."""
        flags = self.flags
        if flags.force_conflicts and not self.is_server_side:
            return f"invalid client update option(s): {_CONFLICTS_WITHOUT_APPLY}"
        if flags.force_conflicts and flags.force_replace:
            return _CONFLICTS_AND_REPLACE
        return _APPLY_AND_REPLACE if self.is_server_side and flags.force_replace else ""

    def targets(self, objects: Iterable[JsonObject], applied: Collection[ObjectRef]) -> Iterator[ObjectRef]:
        """Yield what is deleted of the objects that are there, when ``applied`` are those of the chart.

        In the order of the revision; what says ``helm.sh/resource-policy: keep`` in the cluster stays.
        """
        live = {ref_of(item).identity: item for item in objects}
        for identity, ref in self._left_out(applied).items():
            if identity in live and not is_kept(live[identity]):
                yield ref

    def _left_out(self, applied: Collection[ObjectRef]) -> dict[Identity, ObjectRef]:
        own = {ref.identity for ref in applied}
        refs = map(ref_of, self.originals)
        return {ref.identity: ref for ref in refs if ref.identity not in own}


def install(release: Release, flags: HelmFlags = NO_FLAGS, *, is_helm4: bool = False) -> HelmUpgrade:
    """Return the first install of a release; Helm 4 applies server-side unless told otherwise."""
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
    """Return an upgrade of a release with these revisions, the oldest first."""
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
    return recorded == SERVER_SIDE if asked is ServerSide.AUTO else asked is ServerSide.TRUE
