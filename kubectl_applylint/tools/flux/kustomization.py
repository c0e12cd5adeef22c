"""Flux Kustomizations: owner labels, annotations for Flux, and the objects that a reconciliation prunes.

Mirrors ``internal/controller`` of kustomize-controller 1.9 and ``manager.go``, ``manager_delete.go`` of
``github.com/fluxcd/pkg/ssa`` 0.77.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import field
from typing import Final

from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.state import ObjectRef, annotations_of, labels_of, ref_of
from kubectl_applylint.core.values import JsonObject, dig, mapping, objects_at, text_at
from kubectl_applylint.tools.flux.order import rank

GROUP: Final = "kustomize.toolkit.fluxcd.io"
SKIPPED: Final = ((f"{GROUP}/reconcile", "disabled"), (f"{GROUP}/ssa", "Ignore"))
"""Labels or annotations, in manifest or cluster, of objects that Flux does not touch."""
IF_NOT_PRESENT: Final = ((f"{GROUP}/ssa", "IfNotPresent"),)
MERGED: Final = ((f"{GROUP}/ssa", "Merge"),)
FORCED: Final = ((f"{GROUP}/force", "enabled"),)
KEPT: Final = ((f"{GROUP}/prune", "disabled"), *SKIPPED)


@dataclass(frozen=True, slots=True)
class FluxKustomization:
    """A Flux Kustomization: its name and namespace, with ``spec.force`` and ``spec.prune``.

    ``deletes``: whether its objects are deleted with it (``finalizerShouldDeleteResources``).
    """

    name: str
    namespace: str
    is_forced: bool = False
    prunes: bool = False
    deletes: bool = False
    common_labels: tuple[tuple[str, str], ...] = ()
    """From ``spec.commonMetadata``."""
    common_annotations: tuple[tuple[str, str], ...] = ()
    ignored: tuple[JsonObject, ...] = field(default=(), repr=False)
    """The rules of ``spec.ignore``: paths and selected objects."""
    health_checks: tuple[ObjectRef, ...] = ()
    """The objects that must be ready after each apply."""
    is_removed: bool = False
    """Whether the Kustomization is deleted."""

    @property
    def labels(self) -> Mapping[str, str]:
        """The owner labels of each object."""
        return {f"{GROUP}/name": self.name, f"{GROUP}/namespace": self.namespace}

    def with_owner_labels(self, manifest: JsonObject) -> JsonObject:
        """Return the manifest with the owner labels of the Kustomization.

        A null label becomes empty; if a label is not a string, all labels are replaced (``GetLabels`` in Go).
        """
        labels = {**_texts(labels_of(manifest)), **self.labels}
        return {**manifest, "metadata": {**mapping(manifest.get("metadata")), "labels": labels}}

    def with_common(self, manifest: JsonObject) -> JsonObject:
        """Return a normalized manifest with the common labels and annotations, which override its own.

        Null becomes empty. If a label or annotation is not a string, none of its kind is kept (``SetCommonMetadata``).
        """
        if not self.common_labels and not self.common_annotations:
            return manifest
        labels = {**_texts(labels_of(manifest)), **dict(self.common_labels)}
        annotations = {**_texts(annotations_of(manifest)), **dict(self.common_annotations)}
        found = {name: texts for name, texts in (("labels", labels), ("annotations", annotations)) if texts}
        return {**manifest, "metadata": {**mapping(manifest.get("metadata")), **found}}


@dataclass(frozen=True, slots=True)
class Reconciliation:
    """One reconciliation; ``inventory`` has the objects of the previous one in any order."""

    source: FluxKustomization
    inventory: tuple[ObjectRef, ...] = field(default=(), repr=False)

    @property
    def applier(self) -> Applier:
        """The applier."""
        return Applier.FLUX

    def targets(self, objects: Iterable[JsonObject], applied: Collection[ObjectRef]) -> Iterator[ObjectRef]:
        """Yield the live objects to delete, in deletion order, given the references of the applied objects.

        Objects that another Kustomization has taken over have other owner labels and stay.
        """
        kept = {ref.identity for ref in applied}
        live = {ref_of(item).identity: item for item in objects}
        stale = {ref.identity: ref for ref in self.inventory if self.source.prunes and ref.identity not in kept}
        for ref in sorted(stale.values(), key=rank, reverse=True):
            found = live.get(ref.identity)
            if found is not None and self._is_own(found) and not is_marked(found, KEPT):
                yield ref

    def _is_own(self, live: JsonObject) -> bool:
        """Return whether a live object has the owner labels of the Kustomization."""
        found = labels_of(live)
        return all(found.get(key) == value for key, value in self.source.labels.items())


def common_metadata(kustomization: JsonObject) -> tuple[tuple[tuple[str, str], ...], ...]:
    """Return the labels and the annotations of ``spec.commonMetadata``, sorted."""
    found = (dig(kustomization, "spec", "commonMetadata", name) for name in ("labels", "annotations"))
    return tuple(
        tuple((key, value) for key, value in sorted(mapping(texts).items()) if isinstance(value, str))
        for texts in found
    )


def health_checks(kustomization: JsonObject) -> tuple[ObjectRef, ...]:
    """Return the objects of ``spec.healthChecks``, without a default namespace; none with ``spec.wait``.

    Mirrors ``ReferenceToObjMetadataSet`` of kustomize-controller.
    """
    if dig(kustomization, "spec", "wait") is True:
        return ()
    return tuple(_checked_object(one) for one in objects_at(kustomization, "spec", "healthChecks"))


def _checked_object(entry: JsonObject) -> ObjectRef:
    version, kind, namespace, name = (text_at(entry, key) for key in ("apiVersion", "kind", "namespace", "name"))
    return ObjectRef(version or "apps/v1", kind, namespace, name)


def is_marked(item: JsonObject | None, marks: Iterable[tuple[str, str]]) -> bool:
    """Return whether an object has one of these labels or annotations, ignoring case."""
    texts = (labels_of(item or {}), annotations_of(item or {}))
    return any(_is_same(found.get(key), value) for key, value in marks for found in texts)


def _is_same(found: object, value: str) -> bool:
    """Return whether labels or annotations include an entry, ignoring case."""
    return isinstance(found, str) and found.lower() == value.lower()


def _texts(found: JsonObject) -> JsonObject:
    """Return labels or annotations as Go reads them: null is empty, and none if one is not a string."""
    own = {key: "" if text is None else text for key, text in found.items()}
    return own if all(isinstance(text, str) for text in own.values()) else {}


@dataclass(frozen=True, slots=True)
class FluxWrite:
    """The settings for writing one object; ``only_checks`` stops before the apply."""

    source: FluxKustomization
    only_checks: bool = False
