"""The revisions of Helm releases, from the Secrets ``sh.helm.release.v1.NAME.vN`` that store them.

Mirrors ``decodeRelease`` of ``pkg/storage/driver`` of Helm 3.18 and 4.1: the data is base64 of gzip of JSON, and the
server adds another base64. The contents of a release are never printed: values and rendered charts may be secret.
"""

import base64
import binascii
import json
import zlib
from collections.abc import Iterable
from typing import Final

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.state import labels_of
from kubectl_applylint.core.values import JsonObject, dig, mapping, text_at
from kubectl_applylint.sources.text.manifests import Input, read_text

_TYPE: Final = "helm.sh/release.v1"
_LARGEST: Final = 64 * 1024**2
"""Maximum size of a decompressed release in bytes; Secrets hold a compressed megabyte."""
_GZIP: Final = 16 + zlib.MAX_WBITS


@dataclass(frozen=True, slots=True)
class StoredRelease:
    """A stored revision of a release."""

    name: str
    namespace: str
    version: int
    status: str
    apply_method: str
    given: Input = field(repr=False)
    """The rendered manifests of the chart, without hooks."""


def stored_releases(
    secrets: Iterable[JsonObject], name: str, namespace: str
) -> tuple[tuple[StoredRelease, ...], tuple[Problem, ...]]:
    """Return the revisions of one release, the oldest first, and the problems of those that cannot be read.

    Damaged Secrets are problems, and no revision is made up for them.
    """
    found = [_read(secret, name, namespace) for secret in secrets if _is_release_secret(secret, name, namespace)]
    releases = sorted((each for each in found if isinstance(each, StoredRelease)), key=lambda each: each.version)
    return tuple(releases), tuple(each for each in found if isinstance(each, Problem))


def _is_release_secret(secret: JsonObject, name: str, namespace: str) -> bool:
    metadata, labels = mapping(secret.get("metadata")), labels_of(secret)
    is_release = secret.get("kind") == "Secret" and secret.get("type") == _TYPE
    is_named = labels.get("owner") == "helm" and labels.get("name") == name
    return is_release and is_named and metadata.get("namespace") == namespace


def _read(secret: JsonObject, name: str, namespace: str) -> StoredRelease | Problem:
    where = f"secret/{text_at(secret, 'metadata', 'name')} in {namespace}"
    try:
        content = _content(dig(secret, "data", "release"))
    except ValueError as fault:
        advice = "restore it, or name the installed revision: --against REVISION"
        return Problem(where, f"the stored Helm release cannot be read: {fault}", advice)
    version, status = content.get("version"), dig(content, "info", "status")
    return StoredRelease(
        name,
        namespace,
        version if isinstance(version, int) else 0,
        status if isinstance(status, str) else "",
        text_at(content, "apply_method"),
        read_text(text_at(content, "manifest"), where),
    )


def _content(data: object) -> JsonObject:
    """Return the JSON of a release; raises ``ValueError`` with a reason that quotes nothing of it."""
    if not isinstance(data, str):
        raise ValueError("it has no data.release")
    try:
        packed = base64.b64decode(base64.b64decode(data, validate=True), validate=True)
    except binascii.Error:
        raise ValueError("it is not base64") from None
    unpacking = zlib.decompressobj(_GZIP)
    try:
        text = unpacking.decompress(packed, _LARGEST)
    except zlib.error:
        raise ValueError("it is not gzip") from None
    if not unpacking.eof:
        raise ValueError("it is cut off or too large")
    return _object(text)


def _object(text: bytes) -> JsonObject:
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError("it is not JSON") from None
    if not isinstance(content, dict):
        raise ValueError("it is not a JSON object")
    return content
