"""Ports that are removed from an object while others of the run refer to them."""

from kubectl_applylint.core.paths import fields, render
from kubectl_applylint.core.state import live_object
from kubectl_applylint.core.values import mapping
from kubectl_applylint.lint.checks._graph import after_run
from kubectl_applylint.lint.checks._ports import is_port_user, offered_ports, wanted_ports
from kubectl_applylint.lint.checks._selectors import after_apply
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject
from kubectl_applylint.lint.relations import kind_of


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield ``params["path"]`` once for each removed port that a peer refers to.

    Facts: ``port``, ``by`` (the peer), ``where`` (the place there).
    """
    kind, own = kind_of(subject.document), after_apply(subject)
    lost = offered_ports(mapping(live_object(subject.state.live)), kind) - offered_ports(own, kind)
    for peer in subject.peers.of_kind(params["by"]) if lost else ():
        asking = after_run(subject, peer)
        for port, name, path in wanted_ports(kind_of(peer), asking):
            if port in lost and is_port_user(subject, kind_of(peer), asking, name):
                facts = {"port": str(port), "by": str(peer.ref), "where": render(path)}
                yield Hit(fields(*params["path"].split(".")), facts, ((peer, path, "referenced here"),))
