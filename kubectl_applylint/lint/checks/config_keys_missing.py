"""Pods that require an entry which the ConfigMap or Secret of the run does not have."""

from collections.abc import Collection

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.state import annotations_of, labels_of
from kubectl_applylint.core.values import JsonObject, text_at, texts_at
from kubectl_applylint.lint.checks._entries import entries
from kubectl_applylint.lint.checks._graph import after_run, before_run, peers_named
from kubectl_applylint.lint.checks._selectors import after_apply
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject
from kubectl_applylint.lint.relations import kind_of, references

_EXTERNAL = "ExternalSecret.external-secrets.io"


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each reference to an entry that the object does not have and did not have before.

    Objects that another client fills are skipped: those without any entries, with one of the annotations or labels
    ``fillers``, or with an ExternalSecret. Facts: ``key``, ``of``, ``keys`` (existing ones).
    """
    fillers = texts_at(params, "fillers")
    for reference in references(kind_of(subject.document), after_apply(subject)):
        if not reference.key or reference.is_optional:
            continue
        for peer in peers_named(subject, reference.kind, reference.name):
            after = after_run(subject, peer)
            there = entries(after)
            is_missing = bool(there) and reference.key not in {**there, **entries(before_run(subject, peer))}
            if is_missing and not (_has_filler(after, fillers) or _is_target(peer, subject)):
                facts = {"key": reference.key, "of": str(peer.ref), "keys": ", ".join(sorted(there))}
                yield Hit(reference.path, facts, ((peer, fields("data"), "the existing entries"),))


def _has_filler(manifest: JsonObject, fillers: Collection[str]) -> bool:
    """Return whether an annotation or a label asks a controller for entries."""
    return any(name in fillers for name in (*annotations_of(manifest), *labels_of(manifest)))


def _is_target(peer: Document, subject: Subject) -> bool:
    """Return whether a peer is the Secret that an ExternalSecret of the run adds entries to."""
    externals = subject.peers.of_kind(_EXTERNAL) if peer.ref.kind == "Secret" else ()
    targets = ((one.ref.namespace, text_at(one.object, "spec", "target", "name") or one.ref.name) for one in externals)
    return (peer.ref.namespace, peer.ref.name) in targets
