"""Ports that objects ask others for: a Service its pods by name, an Ingress its Services by name or number."""

from collections.abc import Iterator
from typing import TypeAlias

from kubectl_applylint.checks._selectors import accepts, is_empty
from kubectl_applylint.model import Document, Subject
from kubectl_applylint.paths import Field, Index, Path, fields, get
from kubectl_applylint.relations import WORKLOADS, kind_of, references
from kubectl_applylint.values import Json, JsonObject, dig, mapping

Port: TypeAlias = str | int
SERVICE = "Service."
INGRESS = "Ingress.networking.k8s.io"


def wanted(kind: str, manifest: JsonObject) -> Iterator[tuple[Port, str, Path]]:
    """Yield the ports that an object asks for, with the name of what has to have them (empty: the pods it selects)."""
    if kind == SERVICE:
        for position, port in enumerate(_list(dig(manifest, "spec", "ports"))):
            target = mapping(port).get("targetPort")
            if isinstance(target, str) and not target.isdigit():
                yield target, "", (*fields("spec", "ports"), Index(position), Field("targetPort"))
    if kind == INGRESS:
        for reference in references(kind, manifest):
            port = mapping(get(manifest, (*reference.path, Field("port"))))
            asked = port.get("name") or port.get("number")
            if isinstance(asked, str | int):
                yield asked, reference.name, (*reference.path, Field("port"))


def offered(manifest: JsonObject, kind: str) -> set[Port]:
    """Return the ports that an object has, by all that they can be called."""
    if kind == SERVICE:
        ports = map(mapping, _list(dig(manifest, "spec", "ports")))
        return {name for port in ports for name in (port.get("name"), port.get("port")) if isinstance(name, str | int)}
    spec = mapping(dig(manifest, "spec", "template", "spec"))
    containers = [*_list(spec.get("containers")), *_list(spec.get("initContainers"))]
    every = [mapping(port) for one in containers for port in _list(mapping(one).get("ports"))]
    return {port["name"] for port in every if isinstance(port.get("name"), str)}


def is_provider(asking: JsonObject, name: str, kind: str, provider: JsonObject) -> bool:
    """Tell whether an object has to have what another one asks for under a name, or of the pods that it selects."""
    if name:
        external = dig(provider, "spec", "type") == "ExternalName"
        return kind == SERVICE and dig(provider, "metadata", "name") == name and not external
    selector, labels = dig(asking, "spec", "selector"), mapping(dig(provider, "spec", "template", "metadata", "labels"))
    return kind in WORKLOADS and not is_empty(selector) and accepts(selector, labels)


def providers(subject: Subject) -> Iterator[Document]:
    """Yield the peers of the kinds that the object may ask for ports."""
    kinds = WORKLOADS if kind_of(subject.document) == SERVICE else (SERVICE,)
    return (peer for kind in kinds for peer in subject.peers.of_kind(kind))


def askers(subject: Subject) -> Iterator[Document]:
    """Yield the peers of the kind that may ask the object for ports."""
    return subject.peers.of_kind(INGRESS if kind_of(subject.document) == SERVICE else SERVICE)


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
