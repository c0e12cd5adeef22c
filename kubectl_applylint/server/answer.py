"""What the API server answers to a write of one object."""

from dataclasses import dataclass
from typing import TypeAlias

from kubectl_applylint.merge import json_merge, strategic
from kubectl_applylint.merge.errors import MergeError
from kubectl_applylint.outcome import Refusal, Write
from kubectl_applylint.schema.types import Kind, Node, Shape
from kubectl_applylint.values import Json, JsonObject, dig, mapping

STRATEGIC_PATCH = "application/strategic-merge-patch+json"
MERGE_PATCH = "application/merge-patch+json"
JSON_BODY = "application/json"
ANNOTATIONS_LIMIT = 262144
"""Bytes that the keys and values of all annotations of an object may take together."""

_UNTYPED = Node(Shape.ANY)


@dataclass(frozen=True, slots=True)
class Stored:
    """The write is accepted, and this is the object afterwards."""

    object: JsonObject


@dataclass(frozen=True, slots=True)
class Refused:
    """The write is refused; ``intended`` is what would have been stored, ``None`` where that cannot be said."""

    status: int
    causes: tuple[Refusal, ...]
    intended: JsonObject | None = None


Answer: TypeAlias = Stored | Refused


def answer(write: Write, live: JsonObject | None, kind: Kind | None) -> Answer:
    """Return the answer to a POST (``live`` is ``None``) or a PATCH of ``live``."""
    try:
        merged = _merged(write, live, kind)
    except MergeError as error:
        return Refused(error.status, (Refusal("", "", error.message),))
    version = dig(write.body, "metadata", "resourceVersion")
    if live is not None and isinstance(version, str) and version != dig(live, "metadata", "resourceVersion"):
        message = "the object has been modified; please apply your changes to the latest version and try again"
        return Refused(409, (Refusal("metadata.resourceVersion", "Conflict", message),), merged)
    if annotations_size(merged) > ANNOTATIONS_LIMIT:
        message = f"Too long: may not be more than {ANNOTATIONS_LIMIT} bytes"
        return Refused(422, (Refusal("metadata.annotations", "FieldValueTooLong", message),), merged)
    return Stored(merged)


def _merged(write: Write, live: JsonObject | None, kind: Kind | None) -> JsonObject:
    if live is None:
        return mapping(write.body)
    if write.content_type == STRATEGIC_PATCH:
        return strategic.merge(live, write.body, kind.root if kind else _UNTYPED)
    return json_merge.merge(live, write.body)


def annotations_size(manifest: JsonObject) -> int:
    """Return the bytes that the annotations of an object take, as the server counts them: keys and values."""
    annotations = mapping(mapping(manifest.get("metadata")).get("annotations"))
    return sum(_bytes(key) + _bytes(value) for key, value in annotations.items())


def _bytes(text: Json) -> int:
    return len(text.encode()) if isinstance(text, str) else 0
