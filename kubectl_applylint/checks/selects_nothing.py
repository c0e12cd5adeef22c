"""Selectors that fit no pods of the run, not even those of the workload that has their object's name."""

from collections.abc import Iterator, Mapping

from kubectl_applylint.checks._graph import now, then
from kubectl_applylint.checks._selectors import accepts, is_empty, labels_text, made, template_labels, text
from kubectl_applylint.model import Hit, Subject
from kubectl_applylint.paths import fields
from kubectl_applylint.relations import SELECTORS, WORKLOADS, kind_of
from kubectl_applylint.values import Json, dig, mapping


def check(subject: Subject, *, params: Mapping[str, Json]) -> Iterator[Hit]:
    """Yield the selector once if no workload of the run fits it, and one of the same name shares a key with it.

    Not where one has fitted it before: other rules tell of that. Facts: ``selector``, ``pods`` (whose they are),
    ``labels`` (theirs).
    """
    where = SELECTORS[kind_of(subject.document)]
    selector = dig(made(subject), *where)
    peers = [peer for kind in WORKLOADS for peer in subject.peers.of_kind(kind)]
    states = [template_labels(side(subject, peer)) for peer in peers for side in (now, then)]
    if is_empty(selector) or any(labels and accepts(selector, labels) for labels in states):
        return
    wanted = {*mapping(selector), *mapping(dig(selector, "matchLabels"))}
    for peer in peers:
        labels = template_labels(now(subject, peer))
        if peer.ref.name == subject.ref.name and wanted & labels.keys():
            facts = {"selector": text(selector), "pods": str(peer.ref), "labels": labels_text(labels)}
            yield Hit(fields(*where), facts, ((peer, fields("spec", "template", "metadata"), "these pods"),))
            return
