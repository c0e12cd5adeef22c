"""Normalization of manifests by Flux: a round trip through the Go type of the kind.

Unknown fields and empty values disappear, structs that Go always writes appear, and quantities become canonical.
Mirrors ``normalize.UnstructuredList`` of ``github.com/fluxcd/pkg/ssa`` 0.77.
"""

from base64 import b64encode
from collections.abc import Callable
from typing import Final

from kubectl_applylint.core.values import Json, JsonObject, dig, mapping
from kubectl_applylint.schema.types import Kind
from kubectl_applylint.server.decode import decode, drop_unknown_fields
from kubectl_applylint.server.encode import encode
from kubectl_applylint.server.faults import DecodeError

_OUTSIDE_THE_SCHEME: Final = frozenset({"APIService", "CustomResourceDefinition"})
"""Built-in kinds without Go types in client-go."""
_LEFT_ALONE: Final = frozenset({"ClusterRole", "Role"})
_PODS: Final = {
    "CronJob": ("spec", "jobTemplate", "spec", "template", "spec"),
    "DaemonSet": ("spec", "template", "spec"),
    "Deployment": ("spec", "template", "spec"),
    "Job": ("spec", "template", "spec"),
    "Pod": ("spec",),
    "ReplicaSet": ("spec", "template", "spec"),
    "StatefulSet": ("spec", "template", "spec"),
}
"""The path of the pod spec whose ports get a default protocol, by kind."""


def normalize_manifest(manifest: JsonObject, kind: Kind | None) -> JsonObject:
    """Return the manifest as Flux sends it; unchanged if it does not fit its type."""
    if kind is not None and kind.name in _LEFT_ALONE and not kind.custom:
        return manifest
    typed = manifest if kind is None else _round_trip(manifest, kind)
    bare = typed if kind is not None and kind.name == "CustomResourceDefinition" else _without_status(typed)
    return {**bare, "metadata": {**mapping(bare.get("metadata")), "creationTimestamp": None}}


def _without_status(manifest: JsonObject) -> JsonObject:
    return {key: value for key, value in manifest.items() if key != "status"}


def _round_trip(manifest: JsonObject, kind: Kind) -> JsonObject:
    """Return the manifest after decoding and encoding."""
    if kind.custom or kind.name in _OUTSIDE_THE_SCHEME:
        return manifest
    try:
        decoded = decode(drop_unknown_fields(manifest, kind.root), kind, creating=False)
    except DecodeError:
        return manifest
    return encode(_with_defaults(decoded, kind.name), kind)


def _with_defaults(decoded: JsonObject, kind: str) -> JsonObject:
    """Return the object with the defaults that Flux sets itself."""
    if kind == "Secret":
        return _with_data(decoded)
    if kind == "Service":
        return _at(decoded, ("spec", "ports"), _with_protocol)
    return _at(decoded, (*_PODS[kind], "containers"), _with_ports) if kind in _PODS else decoded


def _with_data(secret: JsonObject) -> JsonObject:
    """Return a Secret with its stringData moved to data."""
    texts = mapping(secret.get("stringData"))
    if not texts:
        return secret
    data = {key: b64encode(text.encode()).decode() for key, text in texts.items()}
    kept = {key: value for key, value in secret.items() if key != "stringData"}
    return {**kept, "data": {**mapping(secret.get("data")), **data}}


def _at(tree: JsonObject, path: tuple[str, ...], change: Callable[[JsonObject], JsonObject]) -> JsonObject:
    """Return the tree with a change applied to each object of the list at ``path``, if it exists."""
    found: Json = dig(tree, *path)
    if not isinstance(found, list):
        return tree
    first, *rest = path
    return {**tree, first: _at(tree[first], tuple(rest), change) if rest else [*map(change, found)]}


def _with_ports(container: JsonObject) -> JsonObject:
    """Return a container with the default protocol of its ports."""
    return _at(container, ("ports",), _with_protocol)


def _with_protocol(port: JsonObject) -> JsonObject:
    return {"protocol": "TCP", **port}
