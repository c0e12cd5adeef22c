"""Removed workloads whose pods are the only ones that a selector of the run matches."""

from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.values import dig
from kubectl_applylint.lint.checks._graph import after_run, selected_peers
from kubectl_applylint.lint.checks._selectors import accepts, is_empty, selector_text, template_labels
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject
from kubectl_applylint.lint.relations import SELECTORS


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the name once for each peer whose selector matches only the pods of this object.

    Facts: ``by`` (the peer), ``selector``.
    """
    own = template_labels(subject.manifest)
    for kind, where in SELECTORS.items():
        for peer in subject.peers.of_kind(kind):
            selector = dig(peer.object, *where)
            if is_empty(selector) or not accepts(selector, own) or any(selected_peers(subject, selector)):
                continue
            if accepts(dig(after_run(subject, peer), *where), own):
                facts = {"by": str(peer.ref), "selector": selector_text(selector)}
                yield Hit(fields("metadata", "name"), facts, ((peer, fields(*where), "what selects them"),))
