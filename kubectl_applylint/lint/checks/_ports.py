"""Ports that objects refer to: a Service and a NetworkPolicy refer to pods by name, an Ingress to Services."""

from collections.abc import Iterator
from typing import Final, TypeAlias

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.paths import Field, Index, Path, fields, get
from kubectl_applylint.core.values import JsonObject, dig, items, mapping, objects_at
from kubectl_applylint.lint.checks._graph import peers_named, selected_peers
from kubectl_applylint.lint.checks._selectors import accepts, is_empty, template_labels
from kubectl_applylint.lint.model import Subject
from kubectl_applylint.lint.relations import POD_SPECS, SELECTORS, TEMPLATE, kind_of, references

Port: TypeAlias = str | int
SERVICE = "Service."
INGRESS = "Ingress.networking.k8s.io"
POLICY = "NetworkPolicy.networking.k8s.io"
_NO_PORT: Final = "use-annotation"
"""The port name of the AWS Load Balancer Controller for a backend defined by an annotation."""


def wanted_ports(kind: str, manifest: JsonObject) -> Iterator[tuple[Port, str, Path]]:
    """Yield the ports that an object refers to, with the name of the required object (empty: the selected pods)."""
    if kind == SERVICE:
        yield from _named_ports(manifest, fields("spec", "ports"), "targetPort")
    if kind == POLICY:
        for position, _ in enumerate(items(dig(manifest, "spec", "ingress"))):
            yield from _named_ports(manifest, (*fields("spec", "ingress"), Index(position), Field("ports")), "port")
    if kind == INGRESS:
        for reference in references(kind, manifest):
            port = mapping(get(manifest, (*reference.path, Field("port"))))
            asked = port.get("name") or port.get("number")
            if isinstance(asked, str | int) and asked != _NO_PORT:
                yield asked, reference.name, (*reference.path, Field("port"))


def _named_ports(manifest: JsonObject, path: Path, key: str) -> Iterator[tuple[Port, str, Path]]:
    """Yield the ports that a list refers to by name."""
    for position, port in enumerate(items(get(manifest, path))):
        target = mapping(port).get(key)
        if isinstance(target, str) and not target.isdigit():
            yield target, "", (*path, Index(position), Field(key))


def offered_ports(manifest: JsonObject, kind: str) -> set[Port]:
    """Return the names and numbers by which an object's ports can be referred to."""
    if kind == SERVICE:
        ports = objects_at(manifest, "spec", "ports")
        return {name for port in ports for name in (port.get("name"), port.get("port")) if isinstance(name, str | int)}
    spec = mapping(dig(manifest, *POD_SPECS.get(kind, (*TEMPLATE, "spec"))))
    containers = [*items(spec.get("containers")), *items(spec.get("initContainers"))]
    every = [mapping(port) for one in containers for port in items(mapping(one).get("ports"))]
    return {port["name"] for port in every if isinstance(port.get("name"), str)}


def providers(subject: Subject, asking: JsonObject, name: str) -> Iterator[Document]:
    """Yield the peers that must have a required port: the one of that name, or else those with selected pods."""
    if not name:
        return selected_peers(subject, dig(asking, *SELECTORS[kind_of(subject.document)]))
    return (peer for peer in peers_named(subject, SERVICE, name) if dig(peer.object, "spec", "type") != "ExternalName")


def is_port_user(subject: Subject, kind: str, asking: JsonObject, name: str) -> bool:
    """Return whether an object of ``Kind.group`` refers to this one by a name, or because it selects its pods."""
    if name:
        return name == subject.ref.name
    selector = dig(asking, *SELECTORS[kind])
    return not is_empty(selector) and accepts(selector, template_labels(subject.manifest))
