"""Pods that ask for an entry which the ConfigMap or Secret of the run does not have."""

from kubectl_applylint.core.paths import fields
from kubectl_applylint.lint.checks._entries import entries
from kubectl_applylint.lint.checks._graph import after_run, before_run, peers_named
from kubectl_applylint.lint.checks._selectors import made
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject
from kubectl_applylint.lint.relations import kind_of, references


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each place that asks for an entry by a name that the object does not have, and did not have before.

    One without any entries is filled by somebody else. Facts: ``key``, ``of``, ``keys`` (those that it has).
    """
    for reference in references(kind_of(subject.document), made(subject)):
        if not reference.key or reference.is_optional:
            continue
        for peer in peers_named(subject, reference.kind, reference.name):
            there = entries(after_run(subject, peer))
            if there and reference.key not in {**there, **entries(before_run(subject, peer))}:
                facts = {"key": reference.key, "of": str(peer.ref), "keys": ", ".join(sorted(there))}
                yield Hit(reference.path, facts, ((peer, fields("data"), "these are there"),))
