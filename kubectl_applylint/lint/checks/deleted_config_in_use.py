"""Objects that the run deletes while existing pods use them."""

from kubectl_applylint.core.paths import fields
from kubectl_applylint.lint.checks._graph import before_run, is_reference_to, names
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject
from kubectl_applylint.lint.relations import WORKLOADS, references


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the name once if the run deletes the object and a workload of the run required it so far.

    Facts: ``users``.
    """
    if subject.unapplied is None or not subject.unapplied.is_deletion:
        return
    peers = ((kind, peer) for kind in WORKLOADS for peer in subject.peers.of_kind(kind))
    found = [
        peer
        for kind, peer in peers
        if any(
            is_reference_to(subject, peer, one) and not one.is_optional
            for one in references(kind, before_run(subject, peer))
        )
    ]
    if found:
        places = tuple((peer, fields("spec", "template"), "its pods") for peer in found)
        yield Hit(fields("metadata", "name"), {"users": names(found)}, places)
