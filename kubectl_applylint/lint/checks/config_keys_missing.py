"""Pods that require an entry which the ConfigMap or Secret of the run does not have."""

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.state import annotations_of, labels_of
from kubectl_applylint.core.values import text_at, texts_at
from kubectl_applylint.lint.checks._entries import entries
from kubectl_applylint.lint.checks._graph import after_run, before_run, peers_named
from kubectl_applylint.lint.checks._selectors import after_apply
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject
from kubectl_applylint.lint.relations import kind_of, references

_EXTERNAL = "ExternalSecret.external-secrets.io"


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each reference to an entry that the object does not have and did not have before.

    Objects without any entries are skipped: another client fills them. So are objects with one of the annotations or
    labels ``fillers``, and those that an ExternalSecret writes, too. Facts: ``key``, ``of``, ``keys`` (existing ones).
    """
    fillers = {*texts_at(params, "fillers")}
    for reference in references(kind_of(subject.document), after_apply(subject)):
        if not reference.key or reference.is_optional:
            continue
        for peer in peers_named(subject, reference.kind, reference.name):
            after = after_run(subject, peer)
            there = entries(after)
            if (
                not there
                or fillers & {*annotations_of(after), *labels_of(after)}
                or _has_external_secret(subject, peer)
            ):
                continue
            if reference.key not in {**there, **entries(before_run(subject, peer))}:
                facts = {"key": reference.key, "of": str(peer.ref), "keys": ", ".join(sorted(there))}
                yield Hit(reference.path, facts, ((peer, fields("data"), "the existing entries"),))


def _has_external_secret(subject: Subject, peer: Document) -> bool:
    """Return whether an ExternalSecret of the run has the peer as its target, and adds entries to it."""
    return any(
        one.ref.namespace == peer.ref.namespace
        and (text_at(one.object, "spec", "target", "name") or one.ref.name) == peer.ref.name
        for one in subject.peers.of_kind(_EXTERNAL)
        if peer.ref.kind == "Secret"
    )
