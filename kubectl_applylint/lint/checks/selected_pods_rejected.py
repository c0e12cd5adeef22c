"""Selectors that fit only pods which the run fails to create or to relabel."""

from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.state import Present
from kubectl_applylint.core.values import dig
from kubectl_applylint.lint.checks._graph import before_run, names, selected
from kubectl_applylint.lint.checks._rejected import NAME, NOTE, is_applied, is_selected_still
from kubectl_applylint.lint.checks._selectors import accepts, is_empty, made, pod_labels, text
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the selector once if all pods of the run that it fits belong to objects whose apply is rejected.

    ``params["had"]``: whether the rule is about a live selector that fitted pods of them, or about a new object.
    Facts: ``selector``, ``missing`` (the rejected objects).
    """
    selector = dig(made(subject), "spec", "selector")
    wanted = list(selected(subject, selector)) if is_applied(subject) else []
    if not wanted or not all(subject.cluster_diff.is_refused(peer.ref) for peer in wanted):
        return
    if any(is_selected_still(subject, peer, selector) for peer in wanted) or _had(subject) is not params["had"]:
        return
    facts = {"selector": text(selector), "missing": names(wanted)}
    yield Hit(fields("spec", "selector"), facts, tuple((peer, NAME, NOTE) for peer in wanted))


def _had(subject: Subject) -> bool | None:
    """Tell whether the live selector fitted pods of the run before; ``None`` where it is there and fitted none."""
    if not isinstance(subject.state.live, Present):
        return False
    selector = dig(subject.state.live.object, "spec", "selector")
    before = (pod_labels(before_run(subject, peer)) for peer in subject.peers)
    has_fitted = not is_empty(selector) and any(labels and accepts(selector, labels) for labels in before)
    return True if has_fitted else None
