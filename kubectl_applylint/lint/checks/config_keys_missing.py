"""Pods that require an entry which the ConfigMap or Secret of the run does not have."""

from kubectl_applylint.core.paths import fields
from kubectl_applylint.lint.checks._entries import entries
from kubectl_applylint.lint.checks._graph import after_run, before_run, peers_named
from kubectl_applylint.lint.checks._selectors import after_apply
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject
from kubectl_applylint.lint.relations import kind_of, references


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each reference to an entry that the object does not have and did not have before.

    Objects without any entries are skipped: another client fills them. Facts: ``key``, ``of``, ``keys`` (existing
    ones).
    """
    for reference in references(kind_of(subject.document), after_apply(subject)):
        if not reference.key or reference.is_optional:
            continue
        for peer in peers_named(subject, reference.kind, reference.name):
            there = entries(after_run(subject, peer))
            if there and reference.key not in {**there, **entries(before_run(subject, peer))}:
                facts = {"key": reference.key, "of": str(peer.ref), "keys": ", ".join(sorted(there))}
                yield Hit(reference.path, facts, ((peer, fields("data"), "the existing entries"),))
