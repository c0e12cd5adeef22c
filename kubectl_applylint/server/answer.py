"""What the API server answers to a write of one object.

The steps of a write, in the server's order: merge the patch into the live object, decode, default, run the built-in
admission, let the kind's strategy wipe and keep fields, allocate, write. What comes out equal is not written at all.
"""

from dataclasses import dataclass, field
from functools import cache
from typing import TypeAlias

from kubectl_applylint.merge import json_merge, strategic
from kubectl_applylint.merge.errors import MergeError
from kubectl_applylint.merge.managed_fields import read
from kubectl_applylint.merge.server_side import Applied, Context, Managers
from kubectl_applylint.outcome import Confidence, Level, Refusal, Write
from kubectl_applylint.schema.types import Kind, Node, Shape
from kubectl_applylint.server import admission, allocate, custom, update
from kubectl_applylint.server.apply import ApplyError, apply_patch, conflict_causes
from kubectl_applylint.server.decode import decode
from kubectl_applylint.server.defaults import apply_defaults
from kubectl_applylint.server.encode import encode
from kubectl_applylint.server.faults import DecodeError
from kubectl_applylint.server.ownership import after_write, with_managers
from kubectl_applylint.server.validate import validate, validate_custom
from kubectl_applylint.server.validate.custom import Judgement
from kubectl_applylint.values import Json, JsonObject, dig, mapping, reuse

STRATEGIC_PATCH = "application/strategic-merge-patch+json"
MERGE_PATCH = "application/merge-patch+json"
APPLY_PATCH = "application/apply-patch+yaml"
JSON_PATCH = "application/json-patch+json"
JSON_BODY = "application/json"
ANNOTATIONS_LIMIT = 262144
"""Bytes that the keys and values of all annotations of an object may take together."""

_UNTYPED = Node(Shape.ANY)


@dataclass(frozen=True, slots=True)
class Server:
    """The server that answers, as far as it matters to one object.

    ``kind`` is ``None`` where nobody knows the object's kind: a write is then only merged. ``version`` is that of
    Kubernetes (``1.36``), ``context`` what ownership needs to know of the kind (``None``: it is not followed), and
    ``disabled_admission`` names admission plugins that it does not run.
    """

    kind: Kind | None
    version: str
    context: Context | None = None
    disabled_admission: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Stored:
    """The write is accepted, and this is the object afterwards; ``confidence`` says how far that is certain."""

    object: JsonObject
    confidence: Confidence = field(default_factory=Confidence)


@dataclass(frozen=True, slots=True)
class Refused:
    """The write is refused; ``intended`` is what would have been stored, ``None`` where that cannot be said."""

    status: int
    causes: tuple[Refusal, ...]
    intended: JsonObject | None = None


Answer: TypeAlias = Stored | Refused


@dataclass(frozen=True, slots=True)
class _Draft:
    """What a write would store, and why it may not be; ``defaulted`` is what ownership is settled on."""

    object: JsonObject
    defaulted: JsonObject
    confidence: Confidence = field(default_factory=Confidence)
    causes: tuple[Refusal, ...] = ()


def answer(write: Write, live: JsonObject | None, server: Server) -> Answer:
    """Return the answer to a POST (``live`` is ``None``) or a PATCH of ``live``."""
    if write.content_type == JSON_PATCH and live is not None:
        return Stored(_patched(live, write.body))
    try:
        merged = _merged(write, live, server)
        if isinstance(merged, Applied) and merged.clashes and not _forced(write):
            return Refused(409, conflict_causes(merged.clashes), merged.object)
        draft = _drafted(merged, live, write, server)
    except MergeError as error:
        return Refused(error.status, (Refusal("", "", error.message),))
    except ApplyError as error:
        return Refused(error.status, (Refusal("", "", error.message),))
    except DecodeError as error:
        return Refused(error.status, (Refusal(error.field, error.reason, error.message),))
    version = dig(write.body, "metadata", "resourceVersion")
    if live is not None and isinstance(version, str) and version != dig(live, "metadata", "resourceVersion"):
        message = "the object has been modified; please apply your changes to the latest version and try again"
        return Refused(409, (Refusal("metadata.resourceVersion", "Conflict", message),), draft.object)
    return Refused(422, draft.causes, draft.object) if draft.causes else Stored(draft.object, draft.confidence)


def _patched(live: JsonObject, operations: list[JsonObject]) -> JsonObject:
    """Apply kubectl's migration patch: it replaces fields of the metadata."""
    metadata = dict(mapping(live.get("metadata")))
    metadata.update({each["path"].rpartition("/")[2]: each["value"] for each in operations})
    return {**live, "metadata": metadata}


def _forced(write: Write) -> bool:
    return ("force", "true") in write.query


def _manager(write: Write) -> str:
    return dict(write.query).get("fieldManager", "unknown")


def _merged(write: Write, live: JsonObject | None, server: Server) -> JsonObject | Applied:
    kind = server.kind
    if write.content_type == APPLY_PATCH and kind is not None and server.context is not None:
        return apply_patch(
            live,
            write.body,
            _blank(kind),
            manager=_manager(write),
            force=_forced(write),
            context=server.context,
        )
    if live is None:
        return mapping(write.body)
    if write.content_type == STRATEGIC_PATCH:
        return strategic.merge(live, write.body, kind.root if kind else _UNTYPED)
    return json_merge.merge(live, write.body)


@cache
def _blank(kind: Kind) -> JsonObject:
    """Return the object of a kind in which nothing is set but what is always written."""
    identity = {"apiVersion": kind.api_version, "kind": kind.name}
    return identity if kind.custom else encode(identity, kind)


def _drafted(merged: JsonObject | Applied, live: JsonObject | None, write: Write, server: Server) -> _Draft:
    """Return what is written of a merged object, ``live`` itself if nothing differs; raise ``DecodeError``."""
    kind = server.kind
    new = merged.object if isinstance(merged, Applied) else merged
    if kind is None:
        return _Draft(new, new, causes=_too_long(new))
    steps = _custom_steps if kind.custom else _steps
    draft = steps(new, live, kind, server)
    owned = with_managers(draft.object, _managers(merged, draft.defaulted, live, write, server))
    assumed = admission.assumptions(owned, live, kind, server.disabled_admission)
    return _Draft(reuse(live, owned), draft.defaulted, _lowered(draft.confidence, assumed), draft.causes)


def _managers(
    merged: JsonObject | Applied, new: JsonObject, live: JsonObject | None, write: Write, server: Server
) -> Managers:
    if isinstance(merged, Applied):
        return merged.managers
    if server.context is None or server.kind is None:
        return read(live or {})
    return after_write(new, live, _blank(server.kind), manager=_manager(write), context=server.context)


def _lowered(confidence: Confidence, assumed: tuple[str, ...]) -> Confidence:
    """Return the confidence in what is only so if something of the cluster is as assumed."""
    if not assumed:
        return confidence
    level = Level.MEDIUM if confidence.level is Level.HIGH else confidence.level
    return Confidence(level, (*confidence.reasons, *(f"taken for granted: {words}" for words in assumed)))


def _steps(merged: JsonObject, live: JsonObject | None, kind: Kind, server: Server) -> _Draft:
    try:
        old = decode(live, kind, creating=False) if live is not None else None
    except DecodeError as error:
        what = f"the live object does not fit Kubernetes {server.version} ({error.message}): the patch is only merged"
        return _Draft(merged, merged, Confidence(Level.LOW, (what,)), _too_long(merged))
    new = apply_defaults(decode(merged, kind, creating=live is None), kind, server.version)
    asked = _asked(new, old, kind, server)
    settled = allocate.allocate(asked, old, kind)
    causes = validate(settled, old, kind, server.version, asked=asked)
    return _Draft(encode(settled, kind), encode(new, kind), causes=causes)


def _custom_steps(merged: JsonObject, live: JsonObject | None, kind: Kind, server: Server) -> _Draft:
    new = custom.apply_defaults(custom.decode(merged, kind, creating=live is None), kind)
    asked = _asked(new, live, kind, server)
    judgement = validate_custom(asked, live, kind, server.version)
    written, confidence = custom.through_storage(asked, kind), _confidence(kind, judgement)
    return _Draft(written, new, confidence, judgement.refusals)


def _confidence(kind: Kind, judgement: Judgement) -> Confidence:
    """Return how certain the answer about a custom resource is: webhooks and some rules only the server knows."""
    reasons = [
        f"nobody evaluated the rule {rule.rule!r} of {rule.field or kind.name}: {rule.why}" for rule in judgement.open
    ]
    if dig(kind.definition, "spec", "conversion", "strategy") == "Webhook":
        reasons.append("a webhook converts these objects between versions: what it changes is not known")
        return Confidence(Level.LOW, tuple(reasons))
    return Confidence(Level.MEDIUM, tuple(reasons)) if reasons else Confidence()


def _asked(new: JsonObject, old: JsonObject | None, kind: Kind, server: Server) -> JsonObject:
    """Return an object with its defaults as it is asked for, before the server chooses what only it can."""
    admitted = admission.admit(new, old, kind, server.disabled_admission)
    return update.prepare(admitted, old, kind, server.version)


def _too_long(merged: JsonObject) -> tuple[Refusal, ...]:
    if annotations_size(merged) <= ANNOTATIONS_LIMIT:
        return ()
    message = f"Too long: may not be more than {ANNOTATIONS_LIMIT} bytes"
    return (Refusal("metadata.annotations", "FieldValueTooLong", message),)


def annotations_size(manifest: JsonObject) -> int:
    """Return the bytes that the annotations of an object take, as the server counts them: keys and values."""
    annotations = mapping(mapping(manifest.get("metadata")).get("annotations"))
    return sum(_bytes(key) + _bytes(value) for key, value in annotations.items())


def _bytes(text: Json) -> int:
    return len(text.encode()) if isinstance(text, str) else 0
