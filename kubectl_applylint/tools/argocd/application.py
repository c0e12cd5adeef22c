"""Argo CD Applications: how they track their objects, and which objects a sync prunes.

Mirrors ``util/argo/resource_tracking.go`` of Argo CD 3 and ``pruneObject`` of gitops-engine.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.core import gotext
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.state import ObjectRef, annotations_of, ref_of
from kubectl_applylint.core.values import JsonObject, mapping, text_at, texts_at
from kubectl_applylint.merge.errors import go_type
from kubectl_applylint.tools.argocd.ignores import IgnoreRule
from kubectl_applylint.tools.argocd.options import (
    DELETE,
    DELETE_CONFIRM,
    DELETE_FALSE,
    FORCE,
    KUBECTL,
    OUT_OF_SYNC_ONLY,
    PRUNE_CONFIRM,
    PRUNE_FALSE,
    PRUNE_LAST,
    REPLACE,
    RESPECT_IGNORED,
    SERVER_SIDE,
    TRACKING,
    is_hook,
    is_kept_by_helm,
    options_of,
    prune_option,
)
from kubectl_applylint.tools.argocd.projects import Permissions
from kubectl_applylint.tools.argocd.settings import ArgoSettings

DEFINITION: Final = ("apiextensions.k8s.io", "CustomResourceDefinition")
_PRUNE: Final = (PRUNE_CONFIRM, PRUNE_FALSE)
_ID_PARTS: Final = 3
_LONGEST_LABEL: Final = 63
_MAP: Final = "map[string]interface{}"
_OWN_FINALIZERS: Final = ("kubernetes.io/", "foregroundDeletion", "orphan")


@dataclass(frozen=True, slots=True)
class ArgoApplication:
    """The settings of an Application.

    ``namespace`` is the destination namespace. ``is_forced`` is the force option of the operation, as in ``argocd app
    sync --force``.
    """

    name: str
    namespace: str
    options: frozenset[str] = frozenset()
    is_forced: bool = False
    migrated: str = KUBECTL
    """The manager whose fields are handed over before a server-side apply."""
    ignored: tuple[IgnoreRule, ...] = ()
    """The fields whose differences are ignored."""
    settings: ArgoSettings = ArgoSettings()
    made_namespace: str = ""
    """The Namespace that the sync itself makes and does not track, empty for none."""
    is_live: bool = field(default=False, compare=False)
    """Whether it is compared with a cluster, where an earlier sync may have run its hooks."""

    def has(self, option: str, *items: JsonObject | None) -> bool:
        """Return whether the Application or any of these objects sets a sync option."""
        return option in self.options or any(option in options_of(item) for item in items)

    def replaces(self, target: JsonObject, live: JsonObject | None) -> bool:
        """Return whether an object is replaced instead of applied."""
        return self.has(REPLACE, target, live)

    def forces(self, target: JsonObject, live: JsonObject | None) -> bool:
        """Return whether an object is deleted and recreated if its update is rejected."""
        return self.is_forced or FORCE in options_of(target) or FORCE in options_of(live)

    def applies_server_side(self, target: JsonObject) -> bool:
        """Return whether an object is applied server-side; its own option overrides that of the Application."""
        return self.has(SERVER_SIDE, target) and "ServerSideApply=false" not in options_of(target)

    def compares_server_side(self, target: JsonObject) -> bool:
        """Return whether an object is compared server-side; its own option can only enable this."""
        return self.has(SERVER_SIDE, target)

    @property
    def respects_ignored(self) -> bool:
        """Whether a sync keeps the live values of ignored fields."""
        return RESPECT_IGNORED in self.options

    @property
    def skips_synced(self) -> bool:
        """Whether a sync writes only objects that are out of sync."""
        return OUT_OF_SYNC_ONLY in self.options

    def with_tracking(self, manifest: JsonObject) -> JsonObject:
        """Return the manifest with the tracking annotation or label; definitions and a made Namespace get none."""
        ref, metadata = ref_of(manifest), dict(mapping(manifest.get("metadata")))
        is_made = (ref.group, ref.kind) == ("", "Namespace") and ref.name == self.made_namespace
        if is_made or (ref.group, ref.kind) == DEFINITION:
            return manifest
        if self.settings.uses_annotation:
            place = f"{ref.namespace or self.namespace}/{ref.name}"
            tracked = {TRACKING: f"{self.name}:{ref.group}/{ref.kind}:{place}"}
            metadata["annotations"] = {**annotations_of(manifest), **tracked}
        if self.settings.uses_label:
            # Beside the annotation, the label only informs.
            name = _as_label(self.name) if self.settings.uses_annotation else self.name
            metadata["labels"] = {**mapping(metadata.get("labels")), self.settings.label_key: name}
        return {**manifest, "metadata": metadata}

    def owns(self, live: JsonObject) -> bool:
        """Return whether the Application tracks a live object; its children do not count.

        The annotation also names the object, so that copies do not count.
        """
        metadata, ref = mapping(live.get("metadata")), ref_of(live)
        if metadata.get("ownerReferences") or self.tracked_by(live) != self.name:
            return False
        if not self.settings.uses_annotation:
            return True
        parts = _tracking_parts(live)
        group, _, kind = parts[1].partition("/")
        namespace, _, name = parts[2].partition("/")
        return (group, kind, name) == (ref.group, ref.kind, ref.name) and ref.namespace in ("", namespace)

    def tracked_by(self, live: JsonObject) -> str:
        """Return the name of the Application that tracks a live object, empty if none does."""
        if not self.settings.uses_annotation:
            return text_at(live, "metadata", "labels", self.settings.label_key)
        return next(iter(_tracking_parts(live)), "")


def _tracking_parts(live: JsonObject) -> Sequence[str]:
    """Return the Application, the kind and the place in the annotation of an object; nothing if it is not valid."""
    parts = str(annotations_of(live).get(TRACKING, "")).split(":", 2)
    return parts if len(parts) == _ID_PARTS else ()


def _as_label(name: str) -> str:
    return name[:_LONGEST_LABEL].rstrip("-._")


def untrackable(manifest: JsonObject) -> str:
    """Return why an object cannot be tracked, or ``""``: its annotations are not all strings.

    The message is that of ``SetAppInstance`` and apimachinery.
    """
    annotations, ref = mapping(manifest.get("metadata")).get("annotations"), ref_of(manifest)
    if annotations is None or (ref.group, ref.kind) == DEFINITION:
        return ""
    if not isinstance(annotations, dict):
        return _inaccessible(ref, f"{gotext.show(annotations)} is of the type {go_type(annotations)}, expected {_MAP}")
    wrong = sorted(key for key, text in annotations.items() if not isinstance(text, str))
    if not wrong:
        return ""
    key, value = json.dumps(wrong[0], ensure_ascii=False), annotations[wrong[0]]
    found = f"{gotext.show(value)} is of the type {go_type(value)}, expected string"
    return _inaccessible(ref, f"contains non-string value in the map under key {key}: {found}")


def _inaccessible(ref: ObjectRef, fault: str) -> str:
    """Return the error of apimachinery for unreadable annotations."""
    group_version = ref.api_version if ref.group else f"/{ref.api_version}"
    place = f"{group_version}, Kind={ref.kind} {ref.namespace}/{ref.name}"
    return f"failed to get annotations for {place}: .metadata.annotations accessor error: {fault}"


@dataclass(frozen=True, slots=True)
class ArgoSync:
    """One sync of an Application.

    ``prunes`` is set by the operation or by automated pruning. ``is_confirmed`` allows objects with ``Prune=confirm``
    to be pruned.
    """

    application: ArgoApplication
    prunes: bool = False
    is_confirmed: bool = False
    is_partial: bool = False
    """Whether the Application has other sources, whose objects it also tracks."""
    unpredicted: tuple[str, ...] = ()
    """Fields of the sources that change what is applied and are not predicted."""
    deletes: bool = False
    """Whether the objects are deleted with the Application, which has a finalizer for that."""
    is_removed: bool = False
    """Whether the Application is deleted."""
    unreadable: str = ""
    """The first object that cannot be read, or ``""``. If there is one, nothing is synced."""
    permissions: Permissions = Permissions()
    namespace: Document | None = field(default=None, repr=False, compare=False)
    """The Namespace that the sync makes unless it exists; ``None`` if it makes none."""
    makes_namespace: bool = field(default=False, compare=False)
    """Whether the Namespace did not exist before a change."""

    @property
    def applier(self) -> Applier:
        """The applier."""
        return Applier.ARGOCD

    def leftovers(self, objects: Iterable[JsonObject], applied: Collection[ObjectRef]) -> Iterator[JsonObject]:
        """Yield the live objects of the Application that are no longer in its manifests; hooks are not pruned."""
        kept = {ref.identity for ref in applied}
        live = (item for item in objects if ref_of(item).identity not in kept and self.application.owns(item))
        return (item for item in live if not self.excludes(ref_of(item)) and not is_hook(item))

    def excludes(self, ref: ObjectRef) -> bool:
        """Return whether Argo CD leaves out the kind of an object; it neither applies nor prunes it."""
        return self.application.settings.excludes(ref, self.permissions.destination.server)

    def targets(self, objects: Iterable[JsonObject], applied: Collection[ObjectRef]) -> Iterator[ObjectRef]:
        """Yield the live objects to delete, given the references of the applied objects."""
        return (ref_of(item) for item in self.leftovers(objects, applied) if self.prunes_item(item))

    def prunes_item(self, item: JsonObject) -> bool:
        """Return whether an object that left the manifests is deleted."""
        if self.is_removed:
            return self._delete_option(item) != DELETE_FALSE and not is_kept_by_helm(item)
        return self.prunes and self._option(item) != PRUNE_FALSE

    def _option(self, item: JsonObject) -> str:
        """Return the prune option of an object, else that of the Application."""
        return prune_option(item) or next((one for one in sorted(self.application.options) if one in _PRUNE), "")

    def _delete_option(self, item: JsonObject) -> str:
        """Return the option of an object for the deletion of its Application, else that of the Application."""
        options = (*options_of(item), *sorted(self.application.options))
        return next((one for one in options if one.startswith(DELETE)), "")

    def keeps_waiting(self, item: JsonObject) -> bool:
        """Return whether the sync waits for finalizers of other programs after it prunes an object."""
        finalizers = texts_at(item, "metadata", "finalizers")
        return self.prunes_item(item) and any(not each.startswith(_OWN_FINALIZERS) for each in finalizers)

    def awaits_confirmation(self, item: JsonObject) -> bool:
        """Return whether pruning an object needs a confirmation, even if the sync does not prune."""
        option = self._delete_option(item) if self.is_removed else self._option(item)
        return not self.is_confirmed and option == (DELETE_CONFIRM if self.is_removed else PRUNE_CONFIRM)

    def is_last(self, item: JsonObject) -> bool:
        """Return whether an object is pruned after all waves."""
        return self.application.has(PRUNE_LAST, item)


@dataclass(frozen=True, slots=True)
class ArgoWrite:
    """The settings for writing one object; ``only_checks`` stops after the checks that precede all writes."""

    application: ArgoApplication
    only_checks: bool = False
