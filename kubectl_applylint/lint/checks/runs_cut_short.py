"""Rejected objects at which a program stops in a set, with the objects that it has written or skips."""

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.name_lists import first_names
from kubectl_applylint.core.paths import fields, get, leaves
from kubectl_applylint.core.state import Unknown, live_object
from kubectl_applylint.core.values import equal
from kubectl_applylint.engine.set_refusals import NOT_REACHED
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject
from kubectl_applylint.tools.argocd.comparison import INCOMPARABLE


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the name of a rejected object once if other objects of its unit are still ``written``, or ``left`` out.

    ``params["others"]`` selects one of these; unchanged objects are neither. Skipped are objects that were already
    rejected before the change, whose live state is unknown, and those at which the program does not start. Facts:
    others
    (the first three), count.
    """
    outcome = subject.predict(Scenario.APPLY)
    is_sent = outcome.refused and outcome.status is not None
    is_other = any(cause.reason in (NOT_REACHED, INCOMPARABLE) for cause in outcome.errors)
    if not is_sent or is_other or isinstance(subject.state.live, Unknown):
        return
    concerns = is_skipped if params["others"] == "left" else _is_written
    others = [str(peer.ref) for peer in subject.peers if concerns(subject, peer)]
    if others:
        yield Hit(fields("metadata", "name"), {"others": first_names(others, 3), "count": len(others)})


def _is_written(subject: Subject, peer: Document) -> bool:
    """Return whether the run writes a peer."""
    around = subject.cluster_diff
    return not around.is_refused(peer.ref) and around.before(peer.ref) != around.after(peer.ref)


def is_skipped(subject: Subject, peer: Document) -> bool:
    """Return whether an object differs from its manifest and is not written."""
    around = subject.cluster_diff
    if not around.is_refused(peer.ref):
        return False
    there = live_object(around.after(peer.ref))
    return any(not equal(get(there, path), wanted) for path, wanted in leaves(peer.object))
