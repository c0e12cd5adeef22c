"""A Helm release: its revisions, and the labels and annotations of its objects.

Mirrors ``pkg/action`` of Helm 3.18 and 4.1 (``validate.go``, ``upgrade.go``, ``rollback.go``).
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Final

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.state import ObjectRef, annotations_of, labels_of, ref_of
from kubectl_applylint.core.values import JsonObject, mapping

MANAGED_BY: Final = "app.kubernetes.io/managed-by"
RELEASE_NAME: Final = "meta.helm.sh/release-name"
RELEASE_NAMESPACE: Final = "meta.helm.sh/release-namespace"
SERVER_SIDE: Final = "ssa"
"""The method recorded by Helm 4 for a server-side revision; others record ``csa`` or nothing."""
_HELM: Final = "Helm"
_RESOURCE_POLICY: Final = "helm.sh/resource-policy"
_UNFINISHED: Final = frozenset({"failed", "superseded"})
_IN_CRDS: Final = regex(r"(?:^|[/:])crds/")


def is_in_crds(file: str) -> bool:
    """Return whether a chart file is in the ``crds`` directory, which Helm installs only if missing."""
    return _IN_CRDS.search(file) is not None


@dataclass(frozen=True, slots=True)
class Release:
    """The name of a release and its namespace, the default for its objects."""

    name: str
    namespace: str

    @property
    def annotations(self) -> Mapping[str, str]:
        """The annotations that Helm adds to each object."""
        return {RELEASE_NAME: self.name, RELEASE_NAMESPACE: self.namespace}

    def with_release_marks(self, manifest: JsonObject) -> JsonObject:
        """Return the manifest with the label and annotations that mark objects of the release.

        Null labels and annotations become empty (``NestedNullCoercingStringMap`` of apimachinery).
        """
        metadata = {
            **mapping(manifest.get("metadata")),
            "labels": {**_without_nulls(labels_of(manifest)), MANAGED_BY: _HELM},
            "annotations": {**_without_nulls(annotations_of(manifest)), **self.annotations},
        }
        return {**manifest, "metadata": metadata}

    def import_fault(self, live: JsonObject) -> str:
        """Return Helm's reason not to adopt an existing object, or ``""``."""
        label = _value_fault("label", labels_of(live), MANAGED_BY, _HELM)
        others = (_value_fault("annotation", annotations_of(live), *each) for each in self.annotations.items())
        faults = [fault for fault in (label, *others) if fault]
        if not faults:
            return ""
        ref = ref_of(live)
        why = "; ".join(("invalid ownership metadata", *faults))
        return f"{object_description(ref)} exists and cannot be imported into the current release: {why}"


def _without_nulls(texts: JsonObject) -> JsonObject:
    """Return labels or annotations with nulls as empty strings."""
    return {key: "" if text is None else text for key, text in texts.items()}


def _value_fault(what: str, found: JsonObject, key: str, wanted: str) -> str:
    """Return the error for a label or annotation with an unexpected value, or ``""``."""
    if key not in found:
        return f'{what} validation error: missing key "{key}": must be set to "{wanted}"'
    if found[key] == wanted:
        return ""
    current = json.dumps(found[key], ensure_ascii=False)
    return f'{what} validation error: key "{key}" must equal "{wanted}": current value is {current}'


def object_description(ref: ObjectRef) -> str:
    """Return Helm's name for an object in such a message."""
    return f'{ref.kind} "{ref.name}" in namespace "{ref.namespace}"'


def is_kept(live: JsonObject) -> bool:
    """Return whether an object has the annotation that prevents its deletion by Helm."""
    return annotations_of(live).get(_RESOURCE_POLICY) == "keep"


@dataclass(frozen=True, slots=True)
class ReleaseRevision:
    """The stored result of an install, upgrade or rollback; ``status`` and ``apply_method`` as Helm writes them."""

    version: int
    status: str
    manifests: tuple[JsonObject, ...] = field(repr=False)
    apply_method: str = ""


def current_revision(history: Sequence[ReleaseRevision]) -> ReleaseRevision | None:
    """Return the revision that an upgrade starts from, or ``None`` if Helm rejects the upgrade.

    It is the last one if it is deployed, else the newest deployed one: failed upgrades do not count, although they may
    have written objects. ``history`` is sorted from oldest to newest.
    """
    last = history[-1] if history else None
    if last is None or last.status.startswith("pending"):
        return None
    deployed = next(_newest(history, "deployed"), None)
    return deployed or (last if last.status in _UNFINISHED else None)


def _newest(history: Sequence[ReleaseRevision], status: str) -> Iterator[ReleaseRevision]:
    """Yield the revisions with a status, the newest first."""
    return (revision for revision in reversed(history) if revision.status == status)
