"""Objects around a write, and what the server that knows them answers to it."""

from collections.abc import Iterable

from kubectl_applylint.core.outcome import Write
from kubectl_applylint.core.state import UNSEEN, ClusterView, ListScope
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.server.admission.attributes import AdmissionAttributes
from kubectl_applylint.server.write import JSON_BODY, MERGE_PATCH, Answer, Refused, Server, Stored, answer
from tests.server.stored import kind_of

DISABLED = frozenset({"ServiceAccount"})
"""The admission plugins that the recorded server did not run."""
NAMESPACES: ListScope = ("", "Namespace", "")


def namespace(name: str, labels: JsonObject | None = None, phase: str = "Active") -> JsonObject:
    """Return a live namespace."""
    metadata = {"name": name, "labels": labels or {}}
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": metadata, "status": {"phase": phase}}


def namespaced_object(api_version: str, kind: str, place: str, **content: Json) -> JsonObject:
    """Return an object ``x`` in a namespace."""
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": "x", "namespace": place}, **content}


def cluster_view(*objects: JsonObject, whole: Iterable[ListScope] = ()) -> ClusterView:
    """Return what is known where ``objects`` are."""
    return ClusterView(whole=frozenset(whole)).with_objects(objects)


def write_of(
    api_version: str, kind: str, new: JsonObject, old: JsonObject | None = None, known: ClusterView = UNSEEN
) -> AdmissionAttributes:
    """Return a write as plugins of a server of 1.36 get it."""
    return AdmissionAttributes(new, old, kind_of({"apiVersion": api_version, "kind": kind}), 36, known)


def write_of_pod(spec: JsonObject, old: JsonObject | None = None, known: ClusterView = UNSEEN) -> AdmissionAttributes:
    """Return a write of a pod with a spec, over one with the spec ``old``."""
    return write_of("v1", "Pod", {"spec": spec}, None if old is None else {"spec": old}, known)


def of_cluster(api_version: str, kind: str, name: str, marks: JsonObject | None = None, **content: Json) -> JsonObject:
    """Return an object outside of namespaces, with ``marks`` for annotations."""
    metadata = {"name": name, "annotations": marks or {}}
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, **content}


def answer_to_create(manifest: JsonObject, known: ClusterView, *, disabled: frozenset[str] = DISABLED) -> Answer:
    """Return the answer to a create."""
    server = Server(kind_of(manifest), "1.36", disabled_admission=disabled, cluster_view=known)
    return answer(Write("POST", JSON_BODY, manifest), None, server)


def answer_to_patch(live: JsonObject, patch: Json, known: ClusterView) -> Answer:
    """Return the answer to a merge patch of a live object."""
    server = Server(kind_of(live), "1.36", disabled_admission=DISABLED, cluster_view=known)
    return answer(Write("PATCH", MERGE_PATCH, patch), live, server)


def status_and_messages(given: Answer) -> tuple[int, list[str]]:
    """Return the status of an answer (0 for a stored object), and the messages of its rejection or its warnings."""
    match given:
        case Stored():
            return 0, list(given.warnings)
        case Refused():
            return given.status, [cause.message for cause in given.causes]
