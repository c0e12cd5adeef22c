"""Default classes: the common part of DefaultStorageClass and DefaultIngressClass."""

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.state import ClusterView, Unknown, annotations_of
from kubectl_applylint.core.values import Json, JsonObject, dig, mapping
from kubectl_applylint.server.admission.attributes import AdmissionAttributes, Mutation, with_spec
from kubectl_applylint.server.admission_inputs import GroupKind


@dataclass(frozen=True, slots=True)
class DefaultClass:
    """A kind of classes, and how its default is chosen."""

    kind: GroupKind
    """Group and kind of the classes."""
    marks: tuple[str, ...]
    """The annotations that make a class the default one."""
    field: str
    """The field of the spec that names a class."""
    older: str
    """The annotation that named the class before the field existed."""


def with_default_class(attributes: AdmissionAttributes, default: DefaultClass) -> Mutation:
    """Return a new object with the default class, if it names none and the default is known."""
    new = attributes.new
    name = _default_name(default, attributes.cluster_view)
    if name is None or not _is_open(attributes, default) or default.older in annotations_of(new):
        return Mutation(new)
    return Mutation(with_spec(new, {default.field: name}))


def is_assumed(attributes: AdmissionAttributes, default: DefaultClass) -> bool:
    """Return whether a new object names no class, and not all classes are known."""
    return _is_open(attributes, default) and isinstance(attributes.cluster_view.all_objects(*default.kind), Unknown)


def _is_open(attributes: AdmissionAttributes, default: DefaultClass) -> bool:
    return attributes.creating and mapping(attributes.new.get("spec")).get(default.field) is None


def _default_name(default: DefaultClass, cluster_view: ClusterView) -> str | None:
    """Return the name of the known default class: of several the newest one, then the first by name."""
    marked = [item for item in cluster_view.known_objects(*default.kind) if _is_marked(item, default)]
    newest = sorted(marked, key=lambda item: str(dig(item, "metadata", "creationTimestamp")), reverse=True)
    return str(dig(newest[0], "metadata", "name")) if newest else None


def _is_marked(item: JsonObject, default: DefaultClass) -> bool:
    annotations: Json = annotations_of(item)
    return any(annotations.get(mark) == "true" for mark in default.marks)
