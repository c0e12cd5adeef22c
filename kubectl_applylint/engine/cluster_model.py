"""A cluster in memory: the state of each object, as the objects of a set find it."""

from collections.abc import Iterator, Mapping
from typing import Final

from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.state import Absent, Identity, Knowledge, ObjectRef, Present, State, Unknown, ref_of
from kubectl_applylint.core.values import JsonObject, dig, objects_at
from kubectl_applylint.schema.types import Gvk, Schema
from kubectl_applylint.server import custom
from kubectl_applylint.server.former import convert_former

BORN_NAMESPACES: Final = frozenset({"default", "kube-node-lease", "kube-public", "kube-system"})
"""Namespaces that every cluster has."""
CRD_GROUP: Final = "apiextensions.k8s.io"
CRD_KIND: Final = "CustomResourceDefinition"

_ABSENT: Final = Absent()


def as_version(found: Knowledge, ref: ObjectRef, schema: Schema | None, origin: str = "") -> Knowledge:
    """Return the state of an object in the version of ``ref``; unknown if the conversion is not known."""
    if not isinstance(found, Present) or found.object.get("apiVersion") == ref.api_version:
        return found
    gvk, earlier = (ref.api_version, ref.kind), found.object.get("apiVersion")
    read = (convert_former(found.object, gvk, schema) or custom.convert(found.object, gvk, schema)) if schema else None
    if schema is None or read is None:
        return Unknown(f"{origin or 'the cluster'} has {ref} as {earlier}, not as {ref.api_version}")
    return Present(read, str(earlier) if schema.kind(*gvk) is None else "")


@dataclass(frozen=True, slots=True)
class ClusterModel:
    """The state of the objects of one cluster.

    ``known`` maps names without the version to states; ``otherwise`` is the state of every other object: ``Absent`` in
    a complete model. ``origin`` and ``age_seconds`` describe the source of the states; ``simulated`` ones were
    predicted, not read.
    """

    known: Mapping[Identity, Knowledge] = field(default_factory=dict, repr=False)
    otherwise: Knowledge = _ABSENT
    origin: str = ""
    age_seconds: int | None = None
    simulated: bool = False
    schema: Schema | None = field(default=None, repr=False, compare=False)
    """The kinds that the server serves, to read objects in other versions than those they are stored in."""
    kinds: frozenset[Gvk] = frozenset()
    """The kinds that the cluster itself reported as served."""

    def state(self, ref: ObjectRef) -> State:
        """Return the state of one object, converted to the version of ``ref`` if possible."""
        return State(self._live(ref), self.origin, self.age_seconds, self.simulated)

    def _live(self, ref: ObjectRef) -> Knowledge:
        return as_version(self.known.get(ref.identity, self.otherwise), ref, self.schema, self.origin)

    @property
    def objects(self) -> Iterator[JsonObject]:
        """Every object that exists, in the order in which the model learned of them."""
        return (found.object for found in self.known.values() if isinstance(found, Present))

    def with_states(self, known: Mapping[Identity, Knowledge]) -> "ClusterModel":
        """Return the cluster with these states replaced or added."""
        return replace(self, known={**self.known, **known})

    def namespaces(self) -> frozenset[str]:
        """Return the namespaces that certainly exist: as objects, or because an object exists in them."""
        living = (ref_of(item) for item in self.objects)
        return BORN_NAMESPACES | {ref.name if _is_namespace(ref) else ref.namespace for ref in living}

    def definitions(self) -> Mapping[tuple[str, str], frozenset[str]]:
        """Return the served versions of custom resources by group and kind."""
        crds = (item for item in self.objects if is_definition(ref_of(item)))
        return {kind: versions for crd in crds if (kind := defined_kind(crd)) for versions in [served_versions(crd)]}


def _is_namespace(ref: ObjectRef) -> bool:
    return (ref.group, ref.kind) == ("", "Namespace")


def is_definition(ref: ObjectRef) -> bool:
    """Return whether an object is a CustomResourceDefinition."""
    return (ref.group, ref.kind) == (CRD_GROUP, CRD_KIND)


def defined_kind(crd: JsonObject) -> tuple[str, str] | None:
    """Return the group and kind of a CustomResourceDefinition, or ``None`` if it does not have them."""
    group, kind = dig(crd, "spec", "group"), dig(crd, "spec", "names", "kind")
    return (group, kind) if isinstance(group, str) and isinstance(kind, str) else None


def defines(crd: JsonObject, ref: ObjectRef) -> bool:
    """Return whether a CustomResourceDefinition serves the kind of an object in its version."""
    return defined_kind(crd) == (ref.group, ref.kind) and ref.api_version.rpartition("/")[2] in served_versions(crd)


def served_versions(crd: JsonObject) -> frozenset[str]:
    """Return the served versions of a CustomResourceDefinition, also of ``v1beta1`` with a single version."""
    versions = objects_at(crd, "spec", "versions")
    only = dig(crd, "spec", "version")
    if not versions and isinstance(only, str):
        return frozenset((only,))
    return frozenset(str(version.get("name")) for version in versions if version.get("served"))
