"""Objects that the same run applies more than once."""

from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.values import equal
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the name once if an earlier document of the run is the same object with other content.

    The version of the API does not matter; objects without a name are skipped.
    Facts: first (the place of the earlier document).
    """
    own = subject.document
    for peer in subject.peers.namesakes() if own.ref.name else ():
        if (peer.file, peer.index) < (own.file, own.index) and not equal(peer.object, subject.manifest):
            place = str(peer.locate(()))
            yield Hit(fields("metadata", "name"), {"first": place}, ((peer, fields("metadata", "name"), "first here"),))
            return
