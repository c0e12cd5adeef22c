"""Objects that leave the files or are deleted while others of the run require them."""

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.paths import Path, fields, render
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.engine.cluster_diff import Unapplied
from kubectl_applylint.lint.checks._graph import names, referrers_of
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the name once if an object of the run requires it.

    ``params["deleted"]`` is whether the rule is about objects that the run deletes, or about those that stay. Facts:
    ``users`` (the requiring objects), ``where`` (the first reference).
    """
    unapplied = subject.unapplied
    if unapplied in (None, Unapplied.OTHER_TOOL) or unapplied.is_deletion is not params["deleted"]:
        return
    found = [(peer, reference) for peer, reference in referrers_of(subject) if not reference.is_optional]
    if found:
        places: dict[ObjectRef, tuple[Document, Path, str]] = {}
        for peer, reference in found:
            places.setdefault(peer.ref, (peer, reference.path, "needed here"))
        facts = {"users": names([peer for peer, _ in found]), "where": render(found[0][1].path)}
        yield Hit(fields("metadata", "name"), facts, tuple(places.values()))
