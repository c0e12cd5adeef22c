"""What a field of an object refers to, by the names that Kubernetes and controllers use for such fields."""

from collections.abc import Mapping
from typing import Final, TypeAlias

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.paths import Field, Index, Path, get
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.values import Json, JsonObject, text_at

_NAMES: Final[Mapping[str, str]] = {
    "claimName": "PersistentVolumeClaim",
    "ingressClassName": "IngressClass",
    "priorityClassName": "PriorityClass",
    "runtimeClassName": "RuntimeClass",
    "secretName": "Secret",
    "serviceAccountName": "ServiceAccount",
    "serviceName": "Service",
    "storageClassName": "StorageClass",
    "volumeName": "PersistentVolume",
}
"""The fields with the name of an object, and its kind."""
_REFERENCES: Final[Mapping[str, str]] = {
    "claimRef": "PersistentVolumeClaim",
    "configMap": "ConfigMap",
    "configMapKeyRef": "ConfigMap",
    "configMapRef": "ConfigMap",
    "imagePullSecrets": "Secret",
    "secret": "Secret",
    "secretKeyRef": "Secret",
    "secretRef": "Secret",
    "service": "Service",
}
"""The fields with an object that has the name of another one, and the kind of that unless the field names it."""
_SELECTORS: Final = ("labelSelector", "podSelector", "selector")
_PATHS: Final = ("chart", "path")
"""The fields of Flux and Argo CD with a directory."""
_GROUPS: Final = ("argoproj.io", "fluxcd.io")
_SAME_KIND: Final = "dependsOn"


@dataclass(frozen=True, slots=True)
class ObjectLink:
    """A reference to an object by its name; ``namespace`` is empty for that of the referring object."""

    kind: str
    name: str
    namespace: str = ""


@dataclass(frozen=True, slots=True)
class SelectorLink:
    """A label selector of pods in the namespace of the referring object."""

    selector: JsonObject


@dataclass(frozen=True, slots=True)
class DirectoryLink:
    """A directory, relative to the top of the source."""

    path: str


Link: TypeAlias = ObjectLink | SelectorLink | DirectoryLink


def link_at(document: Document, path: Path) -> Link | None:
    """Return what the field at a path, or the innermost field around it, refers to."""
    for length in range(len(path), 0, -1):
        found = _link(document, path[:length])
        if found is not None:
            return found
    return None


def _link(document: Document, path: Path) -> Link | None:
    value, name = get(document.object, path), _field_name(path)
    if isinstance(value, str) and value:
        if name in _NAMES:
            return ObjectLink(_NAMES[name], value)
        return DirectoryLink(value) if name in _PATHS and document.ref.group.endswith(_GROUPS) else None
    if not isinstance(value, dict):
        return None
    if name in _SELECTORS and isinstance(path[-1], Field):
        return SelectorLink(value) if value else None
    return _object_link(value, document.ref.kind if name == _SAME_KIND else _REFERENCES.get(name, ""))


def _object_link(value: JsonObject, kind: str) -> ObjectLink | None:
    """Return the link of an object with a name, if its kind is known: its own or the default."""
    named, found = text_at(value, "name") or text_at(value, "secretName"), text_at(value, "kind") or kind
    return ObjectLink(found, named, text_at(value, "namespace")) if named and found else None


def _field_name(path: Path) -> str:
    """Return the name of the field at a path, for an element of a list that of the list."""
    steps = path[:-1] if isinstance(path[-1], Index) else path
    last = steps[-1] if steps else None
    return last.name if isinstance(last, Field) else ""


def is_link_to(link: ObjectLink, source: Document, target: Document) -> bool:
    """Return whether a link of an object names another one; an unknown namespace matches any."""
    namespace = link.namespace or source.ref.namespace
    is_near = not namespace or not target.ref.namespace or namespace == target.ref.namespace
    return is_near and (target.ref.kind, target.ref.name) == (link.kind, link.name)


def words_of(link: Link) -> frozenset[str]:
    """Return words that each file with a target contains at least one of; none if any file may have one."""
    match link:
        case ObjectLink(name=name):
            return frozenset({name})
        case SelectorLink(selector=selector):
            return frozenset(_values(selector))
        case DirectoryLink():
            return frozenset()


def _values(selector: Json) -> list[str]:
    """Return the texts in a selector of labels."""
    if isinstance(selector, str):
        return [selector]
    inner = selector.values() if isinstance(selector, dict) else selector if isinstance(selector, list) else ()
    return [text for one in inner for text in _values(one)]
