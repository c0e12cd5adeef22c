"""Selectors that match no pods of the run, not even those of the workload with the same name."""

from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.values import dig, mapping
from kubectl_applylint.lint.checks._graph import after_run, before_run, peers_named, selected_peers
from kubectl_applylint.lint.checks._selectors import (
    accepts,
    after_apply,
    is_empty,
    labels_text,
    selector_text,
    template_labels,
)
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject
from kubectl_applylint.lint.relations import SELECTORS, WORKLOADS, kind_of


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the selector once if no workload of the run matches it, and one of the same name shares a key with it.

    Skipped if that one matched before: other rules report it. Facts: ``selector``, ``pods`` (their object), ``labels``
    (theirs).
    """
    where = SELECTORS[kind_of(subject.document)]
    selector = dig(after_apply(subject), *where)
    if is_empty(selector) or any(selected_peers(subject, selector)):
        return
    wanted = {*mapping(selector), *mapping(dig(selector, "matchLabels"))}
    for peer in (peer for kind in WORKLOADS for peer in peers_named(subject, kind, subject.ref.name)):
        labels, before = (template_labels(side(subject, peer)) for side in (after_run, before_run))
        if wanted & labels.keys() and not accepts(selector, labels) and not (before and accepts(selector, before)):
            facts = {"selector": selector_text(selector), "pods": str(peer.ref), "labels": labels_text(labels)}
            yield Hit(fields(*where), facts, ((peer, fields("spec", "template", "metadata"), "these pods"),))
            return
