"""The comparison before a sync: Argo CD does not sync objects that it cannot compare.

Mirrors ``pkg/diff/diff.go`` of gitops-engine: three-way where the object has a last-applied annotation, else two-way,
or as server-side apply merges.
"""

from typing import Final

from kubectl_applylint.appliers.attempt import Ask
from kubectl_applylint.appliers.last_applied import annotation_of
from kubectl_applylint.appliers.request import ApplyRequest
from kubectl_applylint.core import gotext
from kubectl_applylint.core.outcome import Write
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.state import LAST_APPLIED, annotations_of
from kubectl_applylint.core.values import MISSING, Json, JsonObject, Missing, equal, mapping
from kubectl_applylint.merge.errors import MergeError
from kubectl_applylint.merge.three_way import three_way
from kubectl_applylint.merge.typed_check import check
from kubectl_applylint.schema.types import Kind, Node
from kubectl_applylint.server.decode import decode
from kubectl_applylint.server.encode import encode
from kubectl_applylint.server.faults import DecodeError
from kubectl_applylint.server.write import APPLY_PATCH, Refused

INCOMPARABLE: Final = "ComparisonError"
"""The reason of a rejection: Argo CD cannot compare an object with its manifest."""
UNRESPECTED: Final = "NotRespected"
"""The reason of a rejection: the live values of ignored fields cannot be merged into a manifest."""
_SERVER_METADATA: Final = frozenset({"managedFields", "resourceVersion", "generation", "creationTimestamp", "uid"})
_UNTYPED: Final = 500
_UNREADABLE: Final = "error applying default values in predicted live: error unmarshaling merged bytes into object: "
_TYPED: Final = regex(r"^failed to create typed patch object \([^)]*\): ")
_CONVERTED: Final = regex(
    r"^failed to convert new object \([^)]*\) to proper version: unable to convert unstructured object to [^:]*: "
    r"(?:error decoding from json: )?"
)
"""The server's error for a value that fits the schema but not the Go type, such as invalid base64."""


def fault(request: ApplyRequest, live: JsonObject, ask: Ask, *, is_server_side: bool) -> str:
    """Return why a live object cannot be compared, or ``""``."""
    if is_server_side:
        return _server_side_fault(request, live, ask)
    kind = request.kind
    if kind is None or not kind.strategic:
        return ""
    wanted = typed_manifest(request.manifest, kind)
    for original in (_original(live), wanted):
        try:
            three_way(original if original is not None else wanted, wanted, live, kind.root)
        except MergeError as error:
            found = error.message
        else:
            return ""
    return f"failed to construct thre way merge patch: {found}"


def _server_side_fault(request: ApplyRequest, live: JsonObject, ask: Ask) -> str:
    """Return why a live object cannot be compared server-side, or ``""``."""
    found = _typing_fault(request, typed_manifest(request.manifest, request.kind), live, ask)
    if not found:
        return ""
    # The live object is read first: stored values that do not fit the schema fail in both.
    stored = _typing_fault(request, _without_server_metadata(live), live, ask)
    which, fault = ("live", stored) if stored else ("config", found)
    message = _TYPED.sub(f"error building typed value from {which} resource: ", fault)
    message = _CONVERTED.sub(_UNREADABLE, message)
    return f"error calculating structured merge diff: {message}"


def _typing_fault(request: ApplyRequest, body: JsonObject, live: JsonObject, ask: Ask) -> str:
    """Return the error with which a server fails to read an object to apply, or ``""``."""
    kind = request.kind
    own = check(_without_defaults(kind.root), body) if kind is not None and kind.custom else ""
    if own:
        return f"failed to create typed patch object (of Argo CD): {own}"
    query = (("fieldManager", request.manager), ("fieldValidation", "Warn"), ("force", "true"))
    match ask(Write("PATCH", APPLY_PATCH, body, query), live):
        case Refused(status, causes) if status == _UNTYPED:
            return causes[0].message
        case _:
            return ""


def _without_defaults(node: Node) -> Node:
    """Return the type of a custom resource without defaults, as Argo CD reads it from the OpenAPI document."""
    return replace(
        node,
        default=MISSING,
        item=_without_defaults(node.item) if node.item is not None else None,
        value=_without_defaults(node.value) if node.value is not None else None,
        load_fields=lambda: {name: _without_defaults(field) for name, field in node.fields.items()},
    )


def _without_server_metadata(live: JsonObject) -> JsonObject:
    """Return a live object without the metadata that the server sets, so that it can be applied."""
    metadata = {key: value for key, value in mapping(live.get("metadata")).items() if key not in _SERVER_METADATA}
    return {**live, "metadata": metadata}


def typed_manifest(manifest: JsonObject, kind: Kind | None) -> JsonObject:
    """Return a manifest after a round trip through its Go type, or unchanged if the type cannot read it.

    A null element becomes an empty one of its type (``remarshal``). Custom resources have no Go type.
    """
    if kind is None or not kind.strategic:
        return manifest
    try:
        return mapping(_restrict_to_manifest(manifest, encode(decode(manifest, kind, creating=True), kind)))
    except DecodeError:
        return manifest


def _restrict_to_manifest(manifest: Json, typed: Json) -> Json:
    """Return a typed value without the fields that the manifest does not have.

    Go keeps empty lists and maps; ``encode`` drops them.
    """
    if typed is None and manifest in ([], {}):
        return manifest
    if isinstance(manifest, dict) and isinstance(typed, dict):
        return {key: _restrict_to_manifest(value, typed[key]) for key, value in manifest.items() if key in typed}
    if isinstance(manifest, list) and isinstance(typed, list) and len(manifest) == len(typed):
        return [_restrict_to_manifest(one, other) for one, other in zip(manifest, typed, strict=True)]
    return typed


def _original(live: JsonObject) -> JsonObject | None:
    """Return the last-applied configuration, or ``None`` if it is missing or unreadable."""
    text = annotation_of(live)
    if text is None:
        return None
    try:
        found = gotext.decode(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def is_synced(target: JsonObject, live: JsonObject, after: JsonObject) -> bool:
    """Return whether Argo CD sees no difference between an object and the predicted result of a sync.

    A field that the server drops is a lasting difference: Argo CD computes the expected object without the server.
    """
    return equal(_comparable_object(live), _comparable_object(after)) and not _is_lost(_manifest_fields(target), after)


def deletes(patch: Json, live: Json) -> bool:
    """Return whether a patch deletes a field of the live object, even if the server restores it."""
    if not isinstance(patch, dict) or not isinstance(live, dict):
        return False
    return any(key in live and (value is None or deletes(value, live[key])) for key, value in patch.items())


def _manifest_fields(target: JsonObject) -> JsonObject:
    """Return the fields of a manifest that are compared directly: no metadata, status or write-only fields."""
    return {key: value for key, value in target.items() if key not in ("metadata", "status", "stringData")}


def _is_lost(wanted: Json, stored: Json | Missing) -> bool:
    """Return whether a value has a non-empty field that the stored object does not have."""
    if isinstance(wanted, dict):
        there = stored if isinstance(stored, dict) else {}
        return any(value and _is_lost(value, there.get(key, MISSING)) for key, value in wanted.items())
    if isinstance(wanted, list):
        there_too = stored if isinstance(stored, list) and len(stored) == len(wanted) else []
        return any(_is_lost(one, other) for one, other in zip(wanted, there_too, strict=False))
    return isinstance(stored, Missing)


def _comparable_object(item: JsonObject) -> JsonObject:
    """Return an object without server metadata, last-applied annotation and status."""
    metadata = {key: value for key, value in mapping(item.get("metadata")).items() if key not in _SERVER_METADATA}
    annotations = {key: text for key, text in annotations_of(item).items() if key != LAST_APPLIED}
    return {**item, "metadata": {**metadata, "annotations": annotations}, "status": None}
