"""What is known around each object of a run when its turn comes: the cluster, and what was applied before."""

from collections.abc import Mapping, Sequence

from kubectl_applylint.model import Document
from kubectl_applylint.schema.types import Schema
from kubectl_applylint.server.decode import decode
from kubectl_applylint.server.defaults import apply_defaults
from kubectl_applylint.server.faults import DecodeError
from kubectl_applylint.sources.neighbours import NEIGHBOURS
from kubectl_applylint.state import Knowledge, ObjectRef, Present, Surroundings
from kubectl_applylint.values import JsonObject, dig, mapping


def along(
    documents: Sequence[Document], states: Mapping[ObjectRef, Knowledge], known: Surroundings, schema: Schema
) -> Mapping[ObjectRef, Surroundings]:
    """Return what is known around each object; of several documents of one object the first counts."""
    around: dict[ObjectRef, Surroundings] = {}
    for document in documents:
        around.setdefault(document.ref, known)
        if (document.ref.group, document.ref.kind) in NEIGHBOURS:
            known = known.joined(_applied(document, states[document.ref], schema))
    return around


def _applied(document: Document, live: Knowledge, schema: Schema) -> Sequence[JsonObject]:
    """Return the object as it is once it was applied, as far as others look at it; nothing if it cannot be read."""
    kind = schema.kind(document.ref.api_version, document.ref.kind)
    if kind is None:
        return ()
    try:
        new = apply_defaults(decode(document.object, kind, creating=True), kind, schema.version)
    except DecodeError:
        return ()
    return (_on_top(new, live.object),) if isinstance(live, Present) else (new,)


def _on_top(new: JsonObject, live: JsonObject) -> JsonObject:
    """Return an applied object with the status and the labels that the live one has."""
    labels = {**mapping(dig(live, "metadata", "labels")), **mapping(dig(new, "metadata", "labels"))}
    status = {"status": live["status"]} if "status" in live else {}
    return {**new, **status, "metadata": {**mapping(new.get("metadata")), "labels": labels}}
