"""Relations between the objects of a run, for the checks about them."""

from collections.abc import Iterator

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.state import Absent, ObjectRef, Present, live_object
from kubectl_applylint.core.values import Json, JsonObject, mapping
from kubectl_applylint.lint.checks._selectors import accepts, is_empty, pod_labels
from kubectl_applylint.lint.model import Subject
from kubectl_applylint.lint.relations import Reference, kind_of, references, referrers


def after_run(subject: Subject, peer: Document) -> JsonObject:
    """Return a peer after the run: empty if it is deleted, its manifest if unknown."""
    match subject.cluster_diff.after(peer.ref):
        case Present(there):
            return there
        case Absent() if isinstance(subject.cluster_diff.before(peer.ref), Present):
            return {}
        case _:
            return peer.object


def before_run(subject: Subject, peer: Document) -> JsonObject:
    """Return a peer before the run, empty if it did not exist or is unknown."""
    return mapping(live_object(subject.cluster_diff.before(peer.ref)))


def referrers_of(subject: Subject) -> Iterator[tuple[Document, Reference]]:
    """Yield the peers that refer to the object after the run, once for each reference."""
    for peer in _candidates(subject):
        for reference in references(kind_of(peer), after_run(subject, peer)):
            if is_reference_to(subject, peer, reference):
                yield peer, reference


def is_reference_to(subject: Subject, peer: Document, reference: Reference) -> bool:
    """Return whether a reference of a peer names the object."""
    ref = subject.ref
    namespace = reference.namespace or peer.ref.namespace
    is_near = not ref.namespace or not namespace or namespace == ref.namespace
    return is_near and (reference.kind, reference.name) == (kind_of(subject.document), ref.name)


def _candidates(subject: Subject) -> Iterator[Document]:
    """Yield the peers that may refer to the object."""
    own, referrers_of = kind_of(subject.document), subject.cluster_diff.referrers_of
    kinds = referrers(own)
    if referrers_of is None:
        return (peer for peer in subject.peers if kind_of(peer) in kinds)
    return (peer for ref in referrers_of(own, subject.ref.name) for peer in subject.peers.at(ref))


def peers_named(subject: Subject, kind: str, name: str) -> Iterator[Document]:
    """Yield the peers of ``Kind.group`` with a name in the object's namespace, in any version."""
    short, _, group = kind.partition(".")
    return subject.peers.at(ObjectRef(f"{group}/*" if group else "*", short, subject.ref.namespace, name))


def selected_peers(subject: Subject, selector: Json, namespace: str | None = None) -> Iterator[Document]:
    """Yield the peers of any kind whose pods match a selector, according to their manifests.

    ``namespace`` is the scope of the selector, by default the namespace of the object.
    """
    near = (subject.ref.namespace if namespace is None else namespace, "")
    if is_empty(selector):
        return
    pairs = {**selector, **mapping(selector.get("matchLabels"))}
    plain = next(((key, value) for key, value in pairs.items() if isinstance(value, str)), None)
    look = subject.cluster_diff.pods_with_label
    few = (peer for ref in look(*plain) for peer in subject.peers.at(ref)) if look and plain else iter(subject.peers)
    for peer in few:
        labels = pod_labels(peer.object)
        if labels and peer.ref.namespace in near and accepts(selector, labels):
            yield peer


def names(peers: Iterator[Document] | list[Document]) -> str:
    """Return the names of peers as text, each once."""
    return ", ".join(dict.fromkeys(str(peer.ref) for peer in peers))
