"""An Argo CD Application: how it tracks its objects, and what a sync of it prunes.

Mirrors ``util/argo/resource_tracking.go`` of Argo CD 3 and ``pruneObject`` of gitops-engine.
"""

import json
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.core import gotext
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.state import ObjectRef, annotations_of, ref_of
from kubectl_applylint.core.values import JsonObject, mapping, texts_at
from kubectl_applylint.merge.errors import go_type
from kubectl_applylint.tools.argocd.ignores import IgnoreRule
from kubectl_applylint.tools.argocd.options import (
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
    options_of,
    prune_option,
)

DEFINITION: Final = ("apiextensions.k8s.io", "CustomResourceDefinition")
_PRUNE: Final = (PRUNE_CONFIRM, PRUNE_FALSE)
_ID_PARTS: Final = 3
_MAP: Final = "map[string]interface{}"
_OWN_FINALIZERS: Final = ("kubernetes.io/", "foregroundDeletion", "orphan")


@dataclass(frozen=True, slots=True)
class ArgoApplication:
    """An Application by its name, the namespace of its destination, and its sync options.

    ``is_forced`` is what the operation says, as ``argocd app sync --force`` does.
    """

    name: str
    namespace: str
    options: frozenset[str] = frozenset()
    is_forced: bool = False
    migrated: str = KUBECTL
    """The manager whose fields are handed over before a server-side apply."""
    ignored: tuple[IgnoreRule, ...] = ()
    """The fields whose differences are ignored."""

    def has(self, option: str, *items: JsonObject | None) -> bool:
        """Tell whether the Application or one of these objects has a sync option."""
        return option in self.options or any(option in options_of(item) for item in items)

    def replaces(self, target: JsonObject, live: JsonObject | None) -> bool:
        """Tell whether an object is replaced, and not applied."""
        return self.has(REPLACE, target, live)

    def forces(self, target: JsonObject, live: JsonObject | None) -> bool:
        """Tell whether an object that may not be changed is deleted and created again."""
        return self.is_forced or FORCE in options_of(target) or FORCE in options_of(live)

    def applies_server_side(self, target: JsonObject) -> bool:
        """Tell whether an object is applied server-side; its own option comes before that of the Application."""
        return self.has(SERVER_SIDE, target) and "ServerSideApply=false" not in options_of(target)

    def compares_server_side(self, target: JsonObject) -> bool:
        """Tell whether an object is compared as server-side apply merges: its own option only ever adds to that."""
        return self.has(SERVER_SIDE, target)

    @property
    def respects_ignored(self) -> bool:
        """Whether a sync takes over the live values of what is ignored."""
        return RESPECT_IGNORED in self.options

    @property
    def skips_synced(self) -> bool:
        """Whether only what is out of sync is written."""
        return OUT_OF_SYNC_ONLY in self.options

    def with_tracking(self, manifest: JsonObject) -> JsonObject:
        """Return the manifest with the annotation by which the Application knows its objects; definitions have none."""
        ref = ref_of(manifest)
        if (ref.group, ref.kind) == DEFINITION:
            return manifest
        place = f"{ref.namespace or self.namespace}/{ref.name}"
        own = {**annotations_of(manifest), TRACKING: f"{self.name}:{ref.group}/{ref.kind}:{place}"}
        return {**manifest, "metadata": {**mapping(manifest.get("metadata")), "annotations": own}}

    def owns(self, live: JsonObject) -> bool:
        """Tell whether an object is one of the Application's, and not the copy of one, or the child of another."""
        parts = str(annotations_of(live).get(TRACKING, "")).split(":", 2)
        if len(parts) != _ID_PARTS or parts[0] != self.name or mapping(live.get("metadata")).get("ownerReferences"):
            return False
        ref = ref_of(live)
        group, _, kind = parts[1].partition("/")
        namespace, _, name = parts[2].partition("/")
        return (group, kind, name) == (ref.group, ref.kind, ref.name) and ref.namespace in ("", namespace)


def untrackable(manifest: JsonObject) -> str:
    """Return why an object cannot be tracked, empty where it can: one of its annotations is no string, but null, say.

    The words are those of ``SetAppInstance`` and apimachinery.
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
    group_version = ref.api_version if ref.group else f"/{ref.api_version}"
    place = f"{group_version}, Kind={ref.kind} {ref.namespace}/{ref.name}"
    return f"failed to get annotations for {place}: .metadata.annotations accessor error: {fault}"


@dataclass(frozen=True, slots=True)
class ArgoSync:
    """One sync of an Application; ``prunes`` is what the operation says, or automated pruning.

    ``is_confirmed`` tells that objects which ask for it may be pruned.
    """

    application: ArgoApplication
    prunes: bool = False
    is_confirmed: bool = False
    is_partial: bool = False
    """Whether other sources of the Application make objects, too, which it tracks alike."""
    unpredicted: tuple[str, ...] = ()
    """Fields of its sources that change what it applies, and that are not predicted."""
    unreadable: str = ""
    """The object that cannot be read, if there is one: then nothing is synced."""

    @property
    def applier(self) -> Applier:
        """The program."""
        return Applier.ARGOCD

    def leftovers(self, objects: Iterable[JsonObject], applied: Collection[ObjectRef]) -> Iterator[JsonObject]:
        """Yield the objects of the Application that are there and that its set has no more."""
        kept = {ref.identity for ref in applied}
        return (item for item in objects if ref_of(item).identity not in kept and self.application.owns(item))

    def targets(self, objects: Iterable[JsonObject], applied: Collection[ObjectRef]) -> Iterator[ObjectRef]:
        """Yield what is deleted of the objects that are there, when ``applied`` are those of the set."""
        return (ref_of(item) for item in self.leftovers(objects, applied) if self.prunes_item(item))

    def prunes_item(self, item: JsonObject) -> bool:
        """Tell whether an object that left the set is deleted."""
        return self.prunes and self._option(item) != PRUNE_FALSE

    def _option(self, item: JsonObject) -> str:
        """Return what an object says about pruning, else what the Application says."""
        return prune_option(item) or next((one for one in sorted(self.application.options) if one in _PRUNE), "")

    def keeps_waiting(self, item: JsonObject) -> bool:
        """Tell whether the sync waits for an object that it has pruned: for others than Kubernetes to let it go."""
        finalizers = texts_at(item, "metadata", "finalizers")
        return self.prunes_item(item) and any(not each.startswith(_OWN_FINALIZERS) for each in finalizers)

    def awaits_confirmation(self, item: JsonObject) -> bool:
        """Tell whether pruning an object waits for a confirmation, also where nothing is pruned."""
        return not self.is_confirmed and self._option(item) == PRUNE_CONFIRM

    def is_last(self, item: JsonObject) -> bool:
        """Tell whether an object is pruned after all waves."""
        return self.application.has(PRUNE_LAST, item)
