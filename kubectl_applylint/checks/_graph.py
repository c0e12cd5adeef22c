"""What objects of a run have to do with one another, for the checks about that."""

from collections.abc import Iterator

from kubectl_applylint.model import Document, Subject
from kubectl_applylint.relations import Reference, kind_of, references, referrers
from kubectl_applylint.state import Absent, Present, present
from kubectl_applylint.values import JsonObject, mapping

_NAMED_ACROSS = ("ServiceAccount.",)
"""Namespaced kinds that objects of other namespaces name."""


def now(subject: Subject, peer: Document) -> JsonObject:
    """Return a peer as it is after the run: empty where it is gone, its manifest where that cannot be told."""
    match subject.passage.after(peer.ref):
        case Present(there):
            return there
        case Absent() if isinstance(subject.passage.before(peer.ref), Present):
            return {}
        case _:
            return peer.object


def then(subject: Subject, peer: Document) -> JsonObject:
    """Return a peer as it was before the run, empty where it was not there and where nobody knows."""
    return mapping(present(subject.passage.before(peer.ref)))


def users(subject: Subject) -> Iterator[tuple[Document, Reference]]:
    """Yield the peers that name the object once the run is over, with each place where they do."""
    for peer in _candidates(subject):
        for reference in references(kind_of(peer), now(subject, peer)):
            if is_named(subject, peer, reference):
                yield peer, reference


def is_named(subject: Subject, peer: Document, reference: Reference) -> bool:
    """Tell whether a reference of a peer means the object."""
    ref = subject.ref
    namespace = reference.namespace or peer.ref.namespace
    is_near = not ref.namespace or not namespace or namespace == ref.namespace
    return is_near and (reference.kind, reference.name) == (kind_of(subject.document), ref.name)


def _candidates(subject: Subject) -> Iterator[Document]:
    own = kind_of(subject.document)
    if not subject.ref.namespace or own in _NAMED_ACROSS:
        kinds = referrers(own)
        return (peer for peer in subject.peers if kind_of(peer) in kinds)
    return (peer for kind in referrers(own) for peer in subject.peers.of_kind(kind))


def names(peers: Iterator[Document] | list[Document]) -> str:
    """Return peers by name, each once, for people."""
    return ", ".join(dict.fromkeys(str(peer.ref) for peer in peers))
