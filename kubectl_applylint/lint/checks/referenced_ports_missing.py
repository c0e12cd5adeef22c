"""References to ports that the referenced objects do not have."""

from kubectl_applylint.lint.checks._graph import after_run, before_run, names
from kubectl_applylint.lint.checks._ports import offered_ports, providers, wanted_ports
from kubectl_applylint.lint.checks._selectors import after_apply
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject
from kubectl_applylint.lint.relations import kind_of


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each reference to a port that no suitable object of the run has or had before.

    A word in capitals is a placeholder for a port name.
    Facts: ``port``, ``of`` (the suitable objects), ``ports`` (their ports).
    """
    own = after_apply(subject)
    for port, name, path in wanted_ports(kind_of(subject.document), own):
        if isinstance(port, str) and port.isupper():
            continue
        found = list(providers(subject, own, name))
        there = {one for peer in found for one in offered_ports(after_run(subject, peer), kind_of(peer))}
        were = {one for peer in found for one in offered_ports(before_run(subject, peer), kind_of(peer))}
        if found and port not in there | were:
            facts = {"port": str(port), "of": names(found), "ports": ", ".join(sorted(map(str, there))) or "none"}
            yield Hit(path, facts, tuple((peer, (), "the referenced object") for peer in found))
