"""Objects that a run deletes although it fails."""

from kubectl_applylint.core.paths import fields
from kubectl_applylint.engine.cluster_diff import Unapplied
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the name once if the object is deleted and another one of the run is rejected.

    Facts: failed (the first rejected one).
    """
    if subject.unapplied is not Unapplied.PRUNED:
        return
    failed = [str(peer.ref) for peer in subject.peers if subject.cluster_diff.is_refused(peer.ref)]
    if failed:
        yield Hit(fields("metadata", "name"), {"failed": failed[0]})
