"""Container ports whose number changes while a Service targets the old one."""

from collections.abc import Iterator

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.paths import Index, Path, fields, render
from kubectl_applylint.core.values import Json, objects_at
from kubectl_applylint.lint.checks._graph import after_run
from kubectl_applylint.lint.checks._moved_ports import moved_ports
from kubectl_applylint.lint.checks._ports import SERVICE, is_port_user
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the new number of a port once for each Service port that targets the old one of these pods.

    Facts: ``before``, ``after`` (the numbers), ``by`` (the Service), ``where`` (the place there).
    """
    moved = list(moved_ports(subject))
    targets = list(_targets(subject)) if moved else []
    for port in moved:
        for target, service, path in targets:
            if target == port.before:
                facts = {"before": port.before, "after": port.after, "by": str(service.ref), "where": render(path)}
                yield Hit(port.path, facts, ((service, path, "sends to the old number"),))


def _targets(subject: Subject) -> Iterator[tuple[Json, Document, Path]]:
    """Yield the ports of the pods that Services of the run target afterwards."""
    for peer in subject.peers.of_kind(SERVICE):
        service = after_run(subject, peer)
        for position, port in enumerate(objects_at(service, "spec", "ports")):
            if is_port_user(subject, SERVICE, service, ""):
                path = (*fields("spec", "ports"), Index(position))
                yield port.get("targetPort", port.get("port")), peer, path
