"""Pods that get other labels and no longer match a selector of the same run."""

from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.state import live_object
from kubectl_applylint.core.values import dig, mapping
from kubectl_applylint.lint.checks._graph import after_run
from kubectl_applylint.lint.checks._selectors import (
    accepts,
    after_apply,
    is_empty,
    labels_text,
    selector_text,
    template_labels,
)
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the labels of the pod template once for each peer whose selector matches the old ones, but not the new.

    ``params.selectors`` has the path of the selector by kind. Facts: ``selector``, ``by`` (its object), ``labels``.
    """
    old, new = template_labels(mapping(live_object(subject.state.live))), template_labels(after_apply(subject))
    path = fields("spec", "template", "metadata", "labels")
    for kind, where in params["selectors"].items():
        for peer in subject.peers.of_kind(kind):
            selector = dig(after_run(subject, peer), *where.split("."))
            if not is_empty(selector) and accepts(selector, old) and not accepts(selector, new):
                facts = {"selector": selector_text(selector), "by": str(peer.ref), "labels": labels_text(new)}
                yield Hit(path, facts, ((peer, fields(*where.split(".")), "what selects them"),))
