"""A snapshot of a cluster: a file with the output of ``kubectl get … -o json --show-managed-fields``."""

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
"""Maximum size of a snapshot in bytes: some 50,000 objects with their managed fields."""

_ADVICE = "create it with kubectl get KINDS --all-namespaces --show-managed-fields -o json"
_CRD = ("apiextensions.k8s.io", "CustomResourceDefinition")
_NAMESPACES = {"": ("", "default"), "default": ("default", "")}


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The objects of a cluster at some moment.

    ``origin`` is the displayed name (``snapshot prod.json``), ``age_seconds`` the age of the file.
    """

    origin: str
    age_seconds: int
    objects: Mapping[ObjectRef, JsonObject] = field(repr=False)
    """By their refs as written, in the order of the file; the last one of duplicates."""
    refs: Mapping[ObjectRef, ObjectRef] = field(repr=False)
    """The refs as written, by the same refs with the group in place of the apiVersion."""
    namespaced: frozenset[ObjectRef] = field(repr=False)
    """The refs of namespaced objects, without namespace."""

    def live(self, ref: ObjectRef) -> Knowledge:
        """Return the state of ``ref``: present, absent, or unknown if it exists in another version of its group.

        It is also unknown if ``ref`` has no namespace but such an object is in one: a kind without a definition. No
        namespace and ``default`` are equivalent, as no kind is both cluster-scoped and namespaced.
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
            return Unknown(f"the {self.origin} has {ref} in namespaces, and no definition of whether the kind has them")
        return Absent()

    def elsewhere(self, ref: ObjectRef) -> JsonObject | None:
        """Return the object of ``ref`` in any version."""
        candidates = [replace(ref, namespace=one) for one in _NAMESPACES.get(ref.namespace, (ref.namespace,))]
        found = next((self.refs[key] for key in map(_without_version, candidates) if key in self.refs), None)
        return self.objects[found] if found else None

    def state(self, ref: ObjectRef) -> State:
        """Return the state of ``ref``, and its source."""
        return State(self.live(ref), self.origin, self.age_seconds)

    @property
    def crds(self) -> tuple[JsonObject, ...]:
        """The CustomResourceDefinitions in the snapshot."""
        return tuple(value for ref, value in self.objects.items() if (ref.group, ref.kind) == _CRD)


def read(path: str, *, now: float) -> Snapshot | Problem:
    """Read a snapshot from a file: a List or documents, JSON or YAML.

    ``now`` is the time in seconds since 1970, for the age of the file. An incomplete file is a ``Problem``: with half a
    snapshot, existing objects would appear to be absent.
    """
    content = contents.read_file(path, MAX_BYTES)
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
    """Return the problem of a document that is neither an object nor a list, which makes the snapshot incomplete."""
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
