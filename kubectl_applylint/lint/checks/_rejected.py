"""Objects of a run whose apply is rejected, for the checks about what the others then meet."""

from collections.abc import Iterator
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.state import Absent, ObjectRef, Present
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.lint.checks._graph import before_run
from kubectl_applylint.lint.checks._selectors import accepts, pod_labels
from kubectl_applylint.lint.model import Scenario, Subject
from kubectl_applylint.lint.relations import Reference, kind_of, references

NOTE: Final = "rejected"
NAME: Final = fields("metadata", "name")


def is_applied(subject: Subject) -> bool:
    """Tell whether the object itself is stored."""
    return not subject.predict(Scenario.APPLY).refused


def is_missing(subject: Subject, peer: Document) -> bool:
    """Tell whether the run does not create a peer because its apply is rejected, and the peer was not there before."""
    return subject.cluster_diff.is_refused(peer.ref) and isinstance(subject.cluster_diff.before(peer.ref), Absent)


def missing_references(subject: Subject, manifest: JsonObject) -> Iterator[tuple[Reference, Document]]:
    """Yield the places where an object names a peer that it cannot do without, and that is missing."""
    for reference in references(kind_of(subject.document), manifest):
        for peer in () if reference.is_optional else named(subject, reference):
            if is_missing(subject, peer):
                yield reference, peer


def named(subject: Subject, reference: Reference) -> Iterator[Document]:
    """Yield the peers that a reference of the object means, whatever their version."""
    kind, _, group = reference.kind.partition(".")
    namespace = reference.namespace or subject.ref.namespace
    return subject.peers.at(ObjectRef(f"{group}/*" if group else "*", kind, namespace, reference.name))


def is_selected_still(subject: Subject, peer: Document, selector: Json) -> bool:
    """Tell whether a selector fits the pods of a rejected peer as they were before the run, or may do so."""
    if not isinstance(subject.cluster_diff.before(peer.ref), Present | Absent):
        return True
    labels = pod_labels(before_run(subject, peer))
    return bool(labels) and accepts(selector, labels)
