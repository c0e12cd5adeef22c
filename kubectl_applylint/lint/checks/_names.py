"""Generated names: those of kustomize end in a hash of the content."""

from collections.abc import Iterator
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.regex import regex
from kubectl_applylint.lint.model import Subject
from kubectl_applylint.lint.relations import kind_of

_HASHED: Final = regex(r"(.+)-[2456789bcdfghkmt]{10}")


def name_without_hash(name: str) -> str:
    """Return a name without the hash that kustomize appends (``configMapGenerator``), empty if it has none."""
    match = _HASHED.fullmatch(name)
    return match[1] if match else ""


def generations(subject: Subject) -> Iterator[Document]:
    """Yield the peers of the same kind whose name differs from the object's only in the hash."""
    own = name_without_hash(subject.ref.name)
    if own:
        for peer in subject.peers.of_kind(kind_of(subject.document)):
            if name_without_hash(peer.ref.name) == own:
                yield peer
