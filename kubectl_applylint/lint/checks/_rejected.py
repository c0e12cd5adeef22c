"""Objects of a run whose apply is rejected, for the checks about what the others then meet."""

from collections.abc import Iterator
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.state import Absent, ObjectRef
from kubectl_applylint.lint.model import Scenario, Subject
from kubectl_applylint.lint.relations import Reference

NOTE: Final = "rejected"
NAME: Final = fields("metadata", "name")


def is_applied(subject: Subject) -> bool:
    """Tell whether the object itself is stored."""
    return not subject.predict(Scenario.APPLY).refused


def is_missing(subject: Subject, peer: Document) -> bool:
    """Tell whether the run does not create a peer because its apply is rejected, and the peer was not there before."""
    return subject.cluster_diff.is_refused(peer.ref) and isinstance(subject.cluster_diff.before(peer.ref), Absent)


def named(subject: Subject, reference: Reference) -> Iterator[Document]:
    """Yield the peers that a reference of the object means, whatever their version."""
    kind, _, group = reference.kind.partition(".")
    namespace = reference.namespace or subject.ref.namespace
    return subject.peers.at(ObjectRef(f"{group}/*" if group else "*", kind, namespace, reference.name))
