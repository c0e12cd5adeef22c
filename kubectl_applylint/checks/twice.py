"""Objects that the same run applies more than once."""

from collections.abc import Iterator, Mapping

from kubectl_applylint.model import Document, Hit, Subject
from kubectl_applylint.paths import fields
from kubectl_applylint.values import Json, equal


def check(subject: Subject, *, params: Mapping[str, Json]) -> Iterator[Hit]:
    """Yield the name once if an earlier document of the run has the same one and says something else.

    The version of the API does not matter. Facts: first (where the earlier document stands).
    """
    for peer in subject.peers:
        if _is_before(peer, subject.document) and not equal(peer.object, subject.manifest):
            place = str(peer.locate(()))
            yield Hit(fields("metadata", "name"), {"first": place}, ((peer, fields("metadata", "name"), "first here"),))
            return


def _is_before(peer: Document, document: Document) -> bool:
    return _name(peer) == _name(document) and (peer.file, peer.index) < (document.file, document.index)


def _name(document: Document) -> tuple[str, str, str, str]:
    ref = document.ref
    return (ref.group, ref.kind, ref.namespace, ref.name)
