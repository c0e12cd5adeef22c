"""``kubectl apply --prune --applyset``: the members carry a label, and the parent object tracks their kinds.

Mirrors kubectl 1.36 (``pkg/cmd/apply/applyset.go``, ``applyset_pruner.go``; KEP-3659), with ``KUBECTL_APPLYSET`` set.
"""

import base64
from collections.abc import Collection, Iterable, Iterator
from typing import Final, TypeAlias

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.state import Absent, Knowledge, ObjectRef, Present, annotations_of, labels_of, ref_of
from kubectl_applylint.core.values import JsonObject, mapping
from kubectl_applylint.schema.types import Kind

GroupKind: TypeAlias = tuple[str, str]

MANAGER: Final = "kubectl-applyset"
PART_OF: Final = "applyset.kubernetes.io/part-of"
ID: Final = "applyset.kubernetes.io/id"
TOOLING: Final = "applyset.kubernetes.io/tooling"
KINDS: Final = "applyset.kubernetes.io/contains-group-kinds"
NAMESPACES: Final = "applyset.kubernetes.io/additional-namespaces"
PARENT_TYPE: Final = "applyset.kubernetes.io/is-parent-type"
"""The label of a CustomResourceDefinition whose objects may be parents."""
NO_NAMESPACE: Final = "namespace is required to use namespace-scoped ApplySet"
NOT_CREATED: Final = "custom resource ApplySet parents cannot be created automatically"
_TOOL: Final = "kubectl"
_BUILT_IN: Final = {
    "secrets": "Secret",
    "secret": "Secret",
    "configmaps": "ConfigMap",
    "configmap": "ConfigMap",
    "cm": "ConfigMap",
}


@dataclass(frozen=True, slots=True)
class Tracked:
    """The kinds and namespaces that a parent object tracks, including its own namespace."""

    kinds: frozenset[GroupKind] = frozenset()
    namespaces: frozenset[str] = frozenset()

    def __or__(self, other: "Tracked") -> "Tracked":
        return Tracked(self.kinds | other.kinds, self.namespaces | other.namespaces)


@dataclass(frozen=True, slots=True)
class ApplySet:
    """A set, identified by its parent: a Secret, a ConfigMap, or a custom resource of a labelled kind."""

    parent: ObjectRef
    """The parent object; without kind and version until ``resource`` is resolved."""
    resource: str = ""
    """The resource name and group of a custom kind, ``widgets.example.com``; empty for built-in kinds."""
    fault: str = ""
    """Why kubectl does not accept this kind as a parent."""

    @property
    def is_open(self) -> bool:
        """Whether the kind of the parent is still unknown."""
        return not self.parent.kind

    def of_kind(self, kind: Kind) -> "ApplySet":
        """Return the set with a parent of this kind (``Validate`` of kubectl's ``ApplySet``)."""
        group, _, _ = kind.api_version.rpartition("/")
        namespace = self.parent.namespace if kind.namespaced else ""
        parent = ObjectRef(kind.api_version, kind.name, namespace, self.parent.name)
        fault = ""
        if PARENT_TYPE not in labels_of(kind.definition):
            resource = f"{kind.api_version}, Resource={kind.resource}"
            fault = f'resource "{resource}" is not permitted as an ApplySet parent'
        if kind.namespaced and not namespace:
            fault = NO_NAMESPACE
        return ApplySet(parent, f"{kind.resource}.{group}", fault)

    @property
    def id(self) -> str:
        """The value of the label of the members."""
        import hashlib  # noqa: PLC0415  it takes 5 ms to import, and most runs have no ApplySet

        ref = self.parent
        digest = hashlib.sha256(f"{ref.name}.{ref.namespace}.{ref.kind}.{ref.group}".encode()).digest()
        return f"applyset-{base64.urlsafe_b64encode(digest).decode().rstrip('=')}-v1"

    def with_label(self, manifest: JsonObject) -> JsonObject:
        """Return a manifest as kubectl applies it: with the label, which is also in last-applied."""
        metadata = mapping(manifest.get("metadata"))
        labels = {**mapping(metadata.get("labels")), PART_OF: self.id}
        return {**manifest, "metadata": {**metadata, "labels": labels}}

    def read_tracked(self, live: JsonObject | None) -> Tracked:
        """Return the kinds and namespaces that the parent object tracks; nothing if it does not exist."""
        if live is None:
            return Tracked()
        annotations = annotations_of(live)
        kinds = frozenset(_group_kind(word) for word in _words(annotations.get(KINDS)))
        return Tracked(kinds, frozenset(_words(annotations.get(NAMESPACES))) | {self.parent.namespace})

    def parent_object(self, tracked: Tracked, version: str) -> JsonObject:
        """Return the parent object as kubectl ``version`` (``1.36``) writes it."""
        ref = self.parent
        kinds = sorted(f"{kind}.{group}".rstrip(".") for group, kind in tracked.kinds)
        annotations = {
            TOOLING: f"{_TOOL}/v{version}",
            KINDS: ",".join(kinds),
            NAMESPACES: ",".join(sorted(tracked.namespaces - {ref.namespace, ""})),
        }
        metadata = {"name": ref.name, "namespace": ref.namespace, "annotations": annotations, "labels": {ID: self.id}}
        return {"apiVersion": ref.api_version, "kind": ref.kind, "metadata": metadata}

    def complaint(self, live: Knowledge) -> str:
        """Return why kubectl rejects the existing parent of this set; empty if it does not."""
        match live:
            case Absent() if self.resource:
                return self.fault or NOT_CREATED
            case Present(found) if not self.fault:
                return next(_faults(self, found), "")
            case _:
                return self.fault

    def targets(
        self, objects: Iterable[JsonObject], applied: Collection[ObjectRef], tracked: Tracked
    ) -> Iterator[ObjectRef]:
        """Yield the live objects that are pruned: members of the kinds and namespaces tracked before."""
        own = {ref.identity for ref in applied}
        for item in objects:
            ref = ref_of(item)
            is_member = labels_of(item).get(PART_OF) == self.id
            is_remembered = (ref.group, ref.kind) in tracked.kinds and ref.namespace in tracked.namespaces | {""}
            if is_member and is_remembered and ref.identity not in own:
                yield ref


def tracked_after(refs: Iterable[ObjectRef]) -> Tracked:
    """Return the kinds and namespaces that a parent object tracks after an apply of these objects."""
    every = tuple(refs)
    namespaces = frozenset(ref.namespace for ref in every if ref.namespace)
    return Tracked(frozenset((ref.group, ref.kind) for ref in every), namespaces)


def read(text: str, namespace: str) -> ApplySet:
    """Return the set that ``--applyset`` names, in the namespace of ``-n``; raise ``ValueError`` if it is not valid."""
    resource, slash, name = text.rpartition("/")
    if not name:
        raise ValueError(f"invalid parent reference {text!r}: name cannot be blank")
    kind = _BUILT_IN.get(resource if slash else "secrets")
    if kind is None:
        return ApplySet(ObjectRef("", "", namespace, name), resource)
    if not namespace:
        raise ValueError(f"{NO_NAMESPACE}: name it with -n")
    return ApplySet(ObjectRef("v1", kind, namespace, name))


def _words(annotation: object) -> list[str]:
    return annotation.split(",") if isinstance(annotation, str) and annotation else []


def _group_kind(word: str) -> GroupKind:
    kind, _, group = word.partition(".")
    return (group, kind)


def _faults(applyset: ApplySet, live: JsonObject) -> Iterator[str]:
    """Yield kubectl's errors about an existing parent object, in its order."""
    ref = applyset.parent
    resource = applyset.resource or f"{ref.kind.lower()}s."
    name = f'ApplySet parent object "{resource}/{ref.name}"'
    annotations = annotations_of(live)
    labels = labels_of(live)
    if TOOLING not in annotations:
        yield f'{name} already exists and is missing required annotation "{TOOLING}"'
    tool = str(annotations.get(TOOLING)).rpartition("/")[0] or str(annotations.get(TOOLING))
    if tool != _TOOL:
        yield f'{name} already exists and is managed by tooling "{tool}" instead of "{_TOOL}"'
    if ID not in labels:
        yield f"{name} exists and does not have required label {ID}"
    if labels.get(ID) != applyset.id:
        yield f'{name} exists and has incorrect value for label "{ID}" (got: {labels.get(ID)}, want: {applyset.id})'
    if KINDS not in annotations:
        yield f'kubectl requires the "{KINDS}" annotation to be set on all ApplySet parent objects'
