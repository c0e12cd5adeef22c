"""Objects of a run whose apply is rejected, for the checks about the consequences for others."""

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
    """Return whether the object itself is stored."""
    return not subject.predict(Scenario.APPLY).refused


def is_missing(subject: Subject, peer: Document) -> bool:
    """Return whether a peer stays missing because its apply is rejected."""
    return subject.cluster_diff.is_refused(peer.ref) and isinstance(subject.cluster_diff.before(peer.ref), Absent)


def referenced_peers(subject: Subject, reference: Reference) -> Iterator[Document]:
    """Yield the peers that a reference of the object names, in any version."""
    kind, _, group = reference.kind.partition(".")
    namespace = reference.namespace or subject.ref.namespace
    return subject.peers.at(ObjectRef(f"{group}/*" if group else "*", kind, namespace, reference.name))
