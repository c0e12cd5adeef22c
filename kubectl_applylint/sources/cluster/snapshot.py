"""A file with what ``kubectl get … -o json --show-managed-fields`` printed, standing for the whole cluster."""

import os
from collections.abc import Mapping

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.state import Absent, Knowledge, ObjectRef, Present, State, Unknown
from kubectl_applylint.core.values import JsonObject, mapping
from kubectl_applylint.sources.cluster.response_schema import metadata_fault
from kubectl_applylint.sources.system import contents
from kubectl_applylint.sources.text.manifests import Input, first_document, read_text

MAX_BYTES = 512 * 1024**2
"""The largest snapshot that is read: some 50,000 objects with their managed fields."""

_ADVICE = "create it with kubectl get KINDS --all-namespaces --show-managed-fields -o json"
_CRD = ("apiextensions.k8s.io", "CustomResourceDefinition")
_NAMESPACES = {"": ("", "default"), "default": ("default", "")}


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The objects of a cluster at some moment.

    ``origin`` is for people (``snapshot prod.json``), ``age_seconds`` the age of the file.
    """

    origin: str
    age_seconds: int
    objects: Mapping[ObjectRef, JsonObject] = field(repr=False)
    """By their names as they are written, in the order of the file; of two with one name the last."""
    refs: Mapping[ObjectRef, ObjectRef] = field(repr=False)
    """The names as they are written, by the same names with nothing but the group in place of the apiVersion."""
    namespaced: frozenset[ObjectRef] = field(repr=False)
    """The names of objects in namespaces, without these."""

    def live(self, ref: ObjectRef) -> Knowledge:
        """Return what is known of ``ref``: it is there, it is not, or it is there in another version of its group.

        It is not known, either, where it has no namespace and such an object is in one: a kind without a definition.
        No namespace and ``default`` count as one: a name that is both cluster-scoped and namespaced does not exist.
        """
        candidates = [replace(ref, namespace=one) for one in _NAMESPACES.get(ref.namespace, (ref.namespace,))]
        present = next((self.objects[one] for one in candidates if one in self.objects), None)
        if present is not None:
            return Present(present)
        other = self.elsewhere(ref)
        if other is not None:
            earlier = other.get("apiVersion")
            return Unknown(f"the {self.origin} has {ref} as {earlier}, not as {ref.api_version}")
        if ref in self.namespaced:
            return Unknown(
                f"the {self.origin} has {ref} in namespaces, and no definition that says whether the kind has them"
            )
        return Absent()

    def elsewhere(self, ref: ObjectRef) -> JsonObject | None:
        """Return the object that ``ref`` names in whatever version it is there."""
        candidates = [replace(ref, namespace=one) for one in _NAMESPACES.get(ref.namespace, (ref.namespace,))]
        found = next((self.refs[key] for key in map(_without_version, candidates) if key in self.refs), None)
        return self.objects[found] if found else None

    def state(self, ref: ObjectRef) -> State:
        """Return what is known of ``ref``, and from where."""
        return State(self.live(ref), self.origin, self.age_seconds)

    @property
    def crds(self) -> tuple[JsonObject, ...]:
        """The CustomResourceDefinitions in it."""
        return tuple(value for ref, value in self.objects.items() if (ref.group, ref.kind) == _CRD)


def read(path: str, *, now: float) -> Snapshot | Problem:
    """Return the snapshot in the file ``path``: a List or documents, JSON or YAML.

    ``now`` is the time in seconds since 1970, from which the age of the file is told. What cannot be read completely
    is a ``Problem``: half a snapshot would call objects absent that exist.
    """
    content = contents.of_file(path, MAX_BYTES)
    if isinstance(content, Problem):
        return content
    found = read_text(content, path)
    if found.problems:
        return found.problems[0]
    fault = _fault(found, content, path)
    if fault:
        return fault
    objects = {document.ref: document.object for document in found.documents}
    refs = {_without_version(ref): ref for ref in objects}
    namespaced = frozenset(replace(ref, namespace="") for ref in objects if ref.namespace)
    return Snapshot(f"snapshot {path}", _age(path, now), objects, refs, namespaced)


def _fault(found: Input, content: bytes, path: str) -> Problem | None:
    """Return what in a snapshot is neither an object nor a list of them: then nobody knows what the cluster holds."""
    if found.skipped:
        message = "this document is not a cluster object or a list: apiVersion or kind is missing"
        return Problem(f"{path}:{found.skipped[0].line}", message, _ADVICE)
    if not found.documents and not str(mapping(first_document(content)).get("kind")).endswith("List"):
        return Problem(path, "the snapshot contains no objects", _ADVICE)
    faults = ((document, metadata_fault(document.object)) for document in found.documents)
    document, why = next((each for each in faults if each[1]), (None, ""))
    if document is None:
        return None
    return Problem(str(document.locate(())), f"this is not a cluster object: {why}", _ADVICE)


def _without_version(ref: ObjectRef) -> ObjectRef:
    return replace(ref, api_version=ref.identity[0])


def _age(path: str, now: float) -> int:
    try:
        return max(0, int(now - os.stat(path).st_mtime))
    except OSError:
        return 0
