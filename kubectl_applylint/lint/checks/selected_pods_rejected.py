"""Selectors that switch to pods which the run fails to create or to relabel."""

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.state import Absent, Present, live_object
from kubectl_applylint.core.values import Json, dig
from kubectl_applylint.lint.checks._graph import before_run, names, selected_peers
from kubectl_applylint.lint.checks._rejected import NAME, NOTE, is_applied
from kubectl_applylint.lint.checks._selectors import accepts, after_apply, is_empty, pod_labels, selector_text
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the selector once if the live one matches pods of the run, and the new one only rejected pods.

    Facts: ``selector``, ``missing`` (the objects whose apply is rejected).
    """
    selector = dig(after_apply(subject), "spec", "selector")
    wanted = list(selected_peers(subject, selector)) if is_applied(subject) and _had_pods(subject) else []
    if not wanted or not all(subject.cluster_diff.is_refused(peer.ref) for peer in wanted):
        return
    if not any(_is_selected_still(subject, peer, selector) for peer in wanted):
        facts = {"selector": selector_text(selector), "missing": names(wanted)}
        yield Hit(fields("spec", "selector"), facts, tuple((peer, NAME, NOTE) for peer in wanted))


def _had_pods(subject: Subject) -> bool:
    """Return whether the live selector matched pods of the run before."""
    selector = dig(live_object(subject.state.live), "spec", "selector")
    before = (pod_labels(before_run(subject, peer)) for peer in subject.peers)
    return not is_empty(selector) and any(labels and accepts(selector, labels) for labels in before)


def _is_selected_still(subject: Subject, peer: Document, selector: Json) -> bool:
    """Return whether a selector matches the former pods of a rejected peer, or may match them."""
    if not isinstance(subject.cluster_diff.before(peer.ref), Present | Absent):
        return True
    labels = pod_labels(before_run(subject, peer))
    return bool(labels) and accepts(selector, labels)
