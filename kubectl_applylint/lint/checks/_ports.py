"""Ports that objects ask others for: a Service and a NetworkPolicy pods by name, an Ingress Services by either."""

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
"""What the AWS Load Balancer Controller has written for a backend that an annotation of the Ingress describes."""


def wanted_ports(kind: str, manifest: JsonObject) -> Iterator[tuple[Port, str, Path]]:
    """Yield the ports that an object asks for, with the name of what has to have them (empty: the pods it selects)."""
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
    for position, port in enumerate(items(get(manifest, path))):
        target = mapping(port).get(key)
        if isinstance(target, str) and not target.isdigit():
            yield target, "", (*path, Index(position), Field(key))


def offered_ports(manifest: JsonObject, kind: str) -> set[Port]:
    """Return the ports that an object has, by all that they can be called."""
    if kind == SERVICE:
        ports = objects_at(manifest, "spec", "ports")
        return {name for port in ports for name in (port.get("name"), port.get("port")) if isinstance(name, str | int)}
    spec = mapping(dig(manifest, *POD_SPECS.get(kind, (*TEMPLATE, "spec"))))
    containers = [*items(spec.get("containers")), *items(spec.get("initContainers"))]
    every = [mapping(port) for one in containers for port in items(mapping(one).get("ports"))]
    return {port["name"] for port in every if isinstance(port.get("name"), str)}


def providers(subject: Subject, asking: JsonObject, name: str) -> Iterator[Document]:
    """Yield the peers that have to have what the object asks for: of that name, or else with pods that it selects."""
    if not name:
        return selected_peers(subject, dig(asking, *SELECTORS[kind_of(subject.document)]))
    return (peer for peer in peers_named(subject, SERVICE, name) if dig(peer.object, "spec", "type") != "ExternalName")


def is_asked(subject: Subject, kind: str, asking: JsonObject, name: str) -> bool:
    """Tell whether another object of ``Kind.group`` means this one by a name, or because it selects its pods."""
    if name:
        return name == subject.ref.name
    selector = dig(asking, *SELECTORS[kind])
    return not is_empty(selector) and accepts(selector, template_labels(subject.manifest))
