"""Names that a generator makes: those of kustomize end in a hash of what the object holds."""

from collections.abc import Iterator
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.regex import regex
from kubectl_applylint.lint.model import Subject
from kubectl_applylint.lint.relations import kind_of

_HASHED: Final = regex(r"(.+)-[2456789bcdfghkmt]{10}")


def stem(name: str) -> str:
    """Return a name without the hash that kustomize appends (``configMapGenerator``), empty if it has none."""
    match = _HASHED.fullmatch(name)
    return match[1] if match else ""


def generations(subject: Subject) -> Iterator[Document]:
    """Yield the peers of its kind that only the hash in the name tells apart from the object."""
    own = stem(subject.ref.name)
    if own:
        for peer in subject.peers.of_kind(kind_of(subject.document)):
            if stem(peer.ref.name) == own:
                yield peer
