"""The API server's answer to a write of one object.

The steps of a write, in the server's order: merge the patch into the live object, decode, default, run the built-in
admission, let the kind's strategy drop and keep fields, allocate, write. An object that is equal afterwards is not
written.
"""

from typing import TypeAlias

from kubectl_applylint.core.outcome import CERTAIN, Confidence, FieldError, Level, Write
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.state import UNSEEN, ClusterView, annotations_of
from kubectl_applylint.core.values import Json, JsonObject, dig, mapping, reuse
from kubectl_applylint.merge import json_merge, strategic
from kubectl_applylint.merge.errors import MergeError
from kubectl_applylint.merge.json_patch import apply_operations
from kubectl_applylint.merge.managed_fields import ManagedFieldsCodec
from kubectl_applylint.merge.server_side import ApplyResult, Clash, Clashed, Managers, MergeContext
from kubectl_applylint.schema.types import Kind, Node, Shape
from kubectl_applylint.server import allocate, custom, status, update
from kubectl_applylint.server.admission import chain
from kubectl_applylint.server.admission.attributes import ALLOWED, AdmissionAttributes, AdmissionDenied
from kubectl_applylint.server.apply import apply_patch, object_description
from kubectl_applylint.server.conflicts import conflict_errors
from kubectl_applylint.server.decode import decode, drop_unknown_fields
from kubectl_applylint.server.defaults import apply_defaults
from kubectl_applylint.server.encode import encode
from kubectl_applylint.server.faults import DecodeError
from kubectl_applylint.server.kinds import behaviour_of
from kubectl_applylint.server.ownership import after_write, blank, to_store, with_managers, without_managed_fields
from kubectl_applylint.server.sent_values import restore_sent_values
from kubectl_applylint.server.validate import validate, validate_custom, validate_metadata
from kubectl_applylint.server.validate.result import ValidationResult

STRATEGIC_PATCH = "application/strategic-merge-patch+json"
MERGE_PATCH = "application/merge-patch+json"
APPLY_PATCH = "application/apply-patch+yaml"
JSON_PATCH = "application/json-patch+json"
JSON_BODY = "application/json"
ANNOTATIONS_LIMIT = 262144
"""The maximum size of the keys and values of all annotations of an object, in bytes."""

_UNTYPED = Node(Shape.ANY)


@dataclass(frozen=True, slots=True)
class Server:
    """The properties of a server that matter to one object.

    ``kind`` is ``None`` without a known schema: then only the metadata of a merged write is validated. ``version`` is
    that of Kubernetes (``1.36``), ``context`` has the properties for ownership (``None``: it is not predicted),
    ``disabled_admission`` names admission plugins that it does not run, and ``cluster_view`` has the state of other
    objects.
    """

    kind: Kind | None
    version: str
    context: MergeContext | None = None
    disabled_admission: frozenset[str] = frozenset()
    cluster_view: ClusterView = UNSEEN
    subresource: str = ""
    """``status`` if the writes go there; empty for the object itself."""
    codec: ManagedFieldsCodec = field(default_factory=ManagedFieldsCodec, repr=False, compare=False)
    """Reads and writes the managedFields of the objects of one request."""


@dataclass(frozen=True, slots=True)
class Stored:
    """The write is accepted: the stored object, and the confidence in it."""

    object: JsonObject
    confidence: Confidence = CERTAIN
    warnings: tuple[str, ...] = ()
    """The server's warnings."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The write is rejected; ``intended`` is the object that would have been stored, ``None`` if unknown."""

    status: int
    causes: tuple[FieldError, ...]
    intended: JsonObject | None = None
    clashes: tuple[Clash, ...] = ()
    """The fields of other managers that made the server reject an apply."""


Answer: TypeAlias = Stored | Refused


@dataclass(frozen=True, slots=True)
class _Draft:
    """The object that a write would store, and its errors; ownership is computed on ``defaulted``."""

    object: JsonObject
    defaulted: JsonObject
    confidence: Confidence = CERTAIN
    causes: tuple[FieldError, ...] = ()
    status: int = 422
    warnings: tuple[str, ...] = ()


def answer(write: Write, live: JsonObject | None, server: Server, *, settled: bool = False) -> Answer:
    """Return the answer to a POST (``live`` is ``None``), or to a PATCH or PUT of ``live``.

    ``settled`` states that ``live`` is itself an answer to a write of this apply: if another one changes only the
    managers, the object is not defaulted and validated a second time.
    """
    try:
        merged = _merge(write, live, server)
        if isinstance(merged, Clashed):
            return Refused(409, conflict_errors(merged.clashes), _if_forced(write, live, server), merged.clashes)
        draft = _settled_draft(merged, live, write, server) if settled and live is not None else None
        draft = draft or _draft(merged, live, write, server)
    except MergeError as error:
        return Refused(error.status, (FieldError("", "", error.message),))
    except DecodeError as error:
        return Refused(error.status, (FieldError(error.field, error.reason, error.message),))
    mistaken = _precondition_errors(write, live)
    if mistaken:
        return Refused(409, mistaken, draft.object)
    if draft.causes:
        return Refused(draft.status, draft.causes, draft.object)
    return Stored(draft.object, draft.confidence, draft.warnings)


def _precondition_errors(write: Write, live: JsonObject | None) -> tuple[FieldError, ...]:
    """Return the errors of a write whose resourceVersion or uid differs from the live object."""
    version, uid = dig(write.body, "metadata", "resourceVersion"), dig(write.body, "metadata", "uid")
    if live is not None and isinstance(version, str) and version != dig(live, "metadata", "resourceVersion"):
        message = "the object has been modified; please apply your changes to the latest version and try again"
        return (FieldError("metadata.resourceVersion", "Conflict", message),)
    if live is None and write.content_type == APPLY_PATCH and uid and isinstance(uid, str):
        message = f"uid mismatch: the provided object specified uid {uid}, and no existing object was found"
        return (FieldError("metadata.uid", "Conflict", message),)
    return ()


def _if_forced(write: Write, live: JsonObject | None, server: Server) -> JsonObject | None:
    """Return the object that a rejected apply would store if it were forced."""
    unforced = (pair for pair in write.query if pair[0] != "force")
    forced = answer(replace(write, query=(*unforced, ("force", "true"))), live, server)
    return forced.object if isinstance(forced, Stored) else forced.intended


def _merge(write: Write, live: JsonObject | None, server: Server) -> JsonObject | ApplyResult | Clashed:
    """Return the object after the patch or body of a write, by its content type."""
    kind = server.kind
    if write.content_type == APPLY_PATCH:
        return _apply(write, live, server)
    if live is None or write.content_type == JSON_BODY:
        return mapping(write.body)
    if write.content_type == STRATEGIC_PATCH:
        return strategic.merge(live, write.body, kind.root if kind else _UNTYPED)
    if write.content_type == JSON_PATCH:
        # managedFields in a write to a subresource are ignored.
        return live if server.subresource else mapping(apply_operations(live, write.body))
    return json_merge.merge(live, write.body)


def _apply(write: Write, live: JsonObject | None, server: Server) -> ApplyResult | Clashed:
    context = server.context
    if context is None:
        raise MergeError("server-side apply needs the schema of the kind", status=415)
    empty = blank(server.kind) if server.kind else {name: write.body.get(name) for name in ("apiVersion", "kind")}
    forced = ("force", "true") in write.query
    managers = server.codec.read(live or {})
    return apply_patch(live, write.body, empty, managers, manager=_manager(write), force=forced, context=context)


def _manager(write: Write) -> str:
    return dict(write.query).get("fieldManager", "unknown")


def _draft(merged: JsonObject | ApplyResult, live: JsonObject | None, write: Write, server: Server) -> _Draft:
    """Return the draft of a merged object, with ``live`` itself if nothing differs; raise ``DecodeError``."""
    kind = server.kind
    new = merged.object if isinstance(merged, ApplyResult) else merged
    if kind is None:
        # Nearly every definition has a status that only controllers write.
        new = new if server.subresource else update.with_stored_status(new, live)
        owned = with_managers(new, merged.managers, server.codec) if isinstance(merged, ApplyResult) else new
        return _Draft(to_store(owned, live), new, causes=validate_metadata(new, live, server.version))
    if ("fieldValidation", "Warn") in write.query or ("fieldValidation", "Ignore") in write.query:
        new = custom.prune(new, kind.root) if kind.custom else drop_unknown_fields(new, kind.root)
    creating = write.method in ("POST", "PUT")
    try:
        if kind.custom:
            read_in = custom.decode(new, kind, creating=creating, applied=isinstance(merged, ApplyResult))
            draft = _custom_steps(read_in, live, server, kind)
        else:
            draft = _steps(new, live, server, kind=kind, creating=creating)
    except DecodeError as error:
        raise _apply_error(error, write.body, kind) if write.content_type == APPLY_PATCH else error from None
    managers = (
        merged.managers if isinstance(merged, ApplyResult) else _managers(merged, draft.defaulted, live, write, server)
    )
    owned = with_managers(draft.object, managers, server.codec)
    if server.subresource:
        return replace(draft, object=to_store(owned, live))
    attributes = _attributes(owned, live, kind, server)
    assumed = chain.assumptions(attributes, server.disabled_admission)
    stored = to_store(owned, live)
    result = replace(draft, object=stored, confidence=_with_assumptions(draft.confidence, assumed))
    return _validate(result, attributes if stored is owned else replace(attributes, new=stored), server)


def _settled_draft(merged: JsonObject | ApplyResult, live: JsonObject, write: Write, server: Server) -> _Draft | None:
    """Return the draft if only the managers change, else ``None``."""
    new = merged.object if isinstance(merged, ApplyResult) else merged
    before = without_managed_fields(live)
    if reuse(before, without_managed_fields(new)) is not before or server.kind is None or server.context is None:
        return None
    if isinstance(merged, ApplyResult):
        managers = merged.managers
    else:
        empty = blank(server.kind)
        managers = after_write(new, live, empty, _manager(write), context=server.context, codec=server.codec)
    return _Draft(to_store(with_managers(live, managers, server.codec), live), live)


def _attributes(new: JsonObject, old: JsonObject | None, kind: Kind, server: Server) -> AdmissionAttributes:
    return AdmissionAttributes(new, old, kind, int(server.version.split(".")[1]), server.cluster_view)


def _validate(draft: _Draft, attributes: AdmissionAttributes, server: Server) -> _Draft:
    """Return the draft with the results of validating plugins, if it has no other errors."""
    if draft.causes:
        return draft
    result = chain.validate(attributes, server.disabled_admission)
    if result == ALLOWED:
        return draft
    if result.denied is None:
        return replace(draft, warnings=result.warnings, confidence=_left_open(draft.confidence, result.open))
    return replace(draft, causes=result.denied.causes, status=result.denied.status)


def _left_open(confidence: Confidence, what: tuple[str, ...]) -> Confidence:
    """Return the confidence, lowered by questions that admission leaves open."""
    return replace(confidence.with_doubts(*what), open=(*confidence.open, *what)) if what else confidence


def _apply_error(error: DecodeError, config: JsonObject, kind: Kind) -> DecodeError:
    """Return the server's error for an applied object that cannot be read, which it reports as its own."""
    if kind.custom:
        return error
    which = object_description(config)
    words = f"failed to convert new object ({which}) to proper version"
    return DecodeError(
        500, "", "", f"{words}: unable to convert unstructured object to {which.partition('; ')[2]}: {error.message}"
    )


def _managers(merged: JsonObject, new: JsonObject, live: JsonObject | None, write: Write, server: Server) -> Managers:
    """Return the managers after a write that is not an apply and leads to ``new``, an object with its defaults."""
    kind, context = server.kind, server.context
    if kind is None or context is None:
        return server.codec.read(live or {})
    # An object without managers stays without any (``after_write``).
    if live is not None and not any(mapping(each.get("metadata")).get("managedFields") for each in (live, merged)):
        return {}
    seen = new if kind.custom else restore_sent_values(encode(new, kind), merged, kind.root)
    return after_write(seen, live, blank(kind), _manager(write), context=context, codec=server.codec)


def _with_assumptions(confidence: Confidence, assumed: tuple[str, ...]) -> Confidence:
    """Return the confidence, lowered by assumptions about the cluster."""
    return confidence.with_doubts(*(f"assumed: {words}" for words in assumed))


def _steps(merged: JsonObject, live: JsonObject | None, server: Server, *, kind: Kind, creating: bool) -> _Draft:
    """Return the draft of an object of a built-in kind, after all steps of a write."""
    try:
        old = decode(live, kind, creating=False) if live is not None else None
    except DecodeError as error:
        what = f"the live object does not fit Kubernetes {server.version} ({error.message}): the patch is only merged"
        return _Draft(merged, merged, Confidence(Level.LOW, (what,)), _too_long(merged))
    new = behaviour_of(kind).convert(apply_defaults(decode(merged, kind, creating=creating), kind, server.version))
    prepared = _prepare(new, old, kind, server)
    stored = encode(update.as_read(prepared.object, kind), kind)
    if prepared.denied is not None:
        return _Draft(stored, new, causes=prepared.denied.causes, status=prepared.denied.status)
    causes = validate(prepared.object, old, kind, server.version, asked=prepared.requested)
    if server.subresource:
        causes = tuple(cause for cause in causes if cause.field.startswith("metadata"))
        return _Draft(stored, new, CERTAIN.with_doubts(*status.doubts(kind)), causes)
    doubts = _definition_doubts(prepared.object) if kind.name == "CustomResourceDefinition" and not causes else ()
    return _Draft(stored, new, CERTAIN.with_doubts(*doubts), causes)


def _definition_doubts(definition: JsonObject) -> tuple[str, ...]:
    from kubectl_applylint.server.validate.definitions.costs import cost_doubts  # noqa: PLC0415  2 ms, for definitions

    return cost_doubts(definition)


def _custom_steps(decoded: JsonObject, live: JsonObject | None, server: Server, kind: Kind) -> _Draft:
    """Return the draft of a custom resource, after all steps of a write."""
    new = custom.apply_defaults(decoded, kind)
    prepared = _prepare(new, live, kind, server)
    stored = custom.through_storage(prepared.object, kind)
    if prepared.denied is not None:
        return _Draft(stored, new, causes=prepared.denied.causes, status=prepared.denied.status)
    result = validate_custom(prepared.object, live, kind, server.version)
    return _Draft(stored, new, _confidence(kind, result), result.refusals)


def _confidence(kind: Kind, result: ValidationResult) -> Confidence:
    """Return the confidence in a custom resource, which webhooks and unsupported rules lower."""
    unknown = tuple(
        f"not evaluated: the rule {rule.rule!r} of {rule.field or kind.name}: {rule.why}" for rule in result.open
    )
    confidence = _left_open(CERTAIN, unknown)
    if dig(kind.definition, "spec", "conversion", "strategy") != "Webhook":
        return confidence
    words = "a webhook converts these objects between versions: its changes are unknown"
    return replace(confidence, level=Level.LOW, reasons=(*confidence.reasons, words))


@dataclass(frozen=True, slots=True)
class _Prepared:
    """An object as it would be stored, before and after the server allocates addresses and ports."""

    requested: JsonObject
    object: JsonObject
    denied: AdmissionDenied | None = None
    """Why mutating admission rejects the object, which the server then does not validate."""


def _prepare(new: JsonObject, old: JsonObject | None, kind: Kind, server: Server) -> _Prepared:
    """Return an object with its defaults after admission, the kind's strategy and allocation."""
    if server.subresource and old is not None:
        kept = status.prepare(new, old, kind, server.version)
        return _Prepared(kept, kept)
    mutation = chain.mutate(_attributes(new, old, kind, server), server.disabled_admission)
    requested = update.prepare(mutation.object, old, kind, server.version)
    denied = None if server.subresource else mutation.denied
    return _Prepared(requested, allocate.allocate(requested, old, kind), denied)


def _too_long(merged: JsonObject) -> tuple[FieldError, ...]:
    if annotations_size(merged) <= ANNOTATIONS_LIMIT:
        return ()
    message = f"Too long: may not be more than {ANNOTATIONS_LIMIT} bytes"
    return (FieldError("metadata.annotations", "FieldValueTooLong", message),)


def annotations_size(manifest: JsonObject) -> int:
    """Return the size of an object's annotations in bytes, as the server counts it: keys and values."""
    annotations = annotations_of(manifest)
    return sum(_bytes(key) + _bytes(value) for key, value in annotations.items())


def _bytes(text: Json) -> int:
    if not isinstance(text, str):
        return 0
    return len(text) if text.isascii() else len(text.encode())
