"""Selectors that matched pods of the run and match none after the apply."""

from collections.abc import Iterator

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.state import live_object
from kubectl_applylint.core.values import dig
from kubectl_applylint.lint.checks._selectors import accepts, after_apply, is_empty, selector_text, template_labels
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject
from kubectl_applylint.lint.relations import WORKLOADS


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield ``params.path`` once if the live selector matches pods of peers and the new one matches none.

    Facts: ``before`` and ``after`` (the selectors), ``pods`` (their objects).
    """
    names = params["path"].split(".")
    old, new = dig(live_object(subject.state.live), *names), dig(after_apply(subject), *names)
    if is_empty(old) or is_empty(new):
        return
    lost = [peer for peer in _workloads(subject) if accepts(old, template_labels(peer.object))]
    if lost and not any(accepts(new, template_labels(peer.object)) for peer in _workloads(subject)):
        facts = {
            "before": selector_text(old),
            "after": selector_text(new),
            "pods": ", ".join(str(peer.ref) for peer in lost),
        }
        yield Hit(fields(*names), facts, tuple((peer, fields("spec", "template"), "these pods") for peer in lost))


def _workloads(subject: Subject) -> Iterator[Document]:
    """Yield the workloads of the run with pod labels."""
    return (peer for kind in WORKLOADS for peer in subject.peers.of_kind(kind) if template_labels(peer.object))
