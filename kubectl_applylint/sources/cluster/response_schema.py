"""Checks that an answer has the requested form; if not, it proves nothing, above all not absence.

A login page, a proxy or another program at the address may answer any request with 200 and some JSON object.
"""

from collections.abc import Mapping
from typing import Final

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.sources.cluster.discovery import ServedKind
from kubectl_applylint.sources.cluster.http_result import FailedRequest, FailureClass

_ADVICE: Final = "check that this is the address of a Kubernetes API server, not of a login page of a proxy"


def unexpected_form(wanted: str, why: str) -> FailedRequest:
    """Return the failure for an answer that is not ``wanted``."""
    return FailedRequest(FailureClass.GARBLED, f"the response is not {wanted}: {why}", _ADVICE)


def check_object(body: JsonObject, kind: ServedKind, namespace: str, name: str) -> FailedRequest | None:
    """Return the failure of an answer that is not the object of this name, or ``None``."""
    why = _object_fault(body, kind) or _name_fault(body["metadata"], namespace, name)
    return unexpected_form(f"the requested {kind.kind}", why) if why else None


def check_list(body: JsonObject, kind: ServedKind) -> FailedRequest | None:
    """Return the failure of an answer that is not a list of this kind, or ``None``."""
    why = _list_fault(body, kind)
    return unexpected_form(f"a list of {kind}", why) if why else None


def _list_fault(body: JsonObject, kind: ServedKind) -> str:
    actual = body.get("kind", "")
    if not isinstance(actual, str) or actual in (kind.kind, "Status"):
        return f"it is of kind {actual}" if isinstance(actual, str) else "its kind is not text"
    if body.get("apiVersion", kind.api_version) != kind.api_version:
        return f"it is not of {kind.api_version}"
    metadata = body.get("metadata")
    if not isinstance(metadata, dict) or not isinstance(metadata.get("continue") or "", str):
        return "it has no list metadata"
    items = body.get("items")
    if items is None and "items" in body:  # A server written in Go may encode an empty list as null.
        return ""
    if not isinstance(items, list):
        return "its items are not a list"
    faults = ((number, _item_fault(item, kind)) for number, item in enumerate(items))
    return next((f"items[{number}] {fault}" for number, fault in faults if fault), "")


def _item_fault(item: Json, kind: ServedKind) -> str:
    if not isinstance(item, dict):
        return "is not an object"
    why = _object_fault(item, kind)
    return why and f"is not an object of this kind: {why}"


def _object_fault(body: JsonObject, kind: ServedKind) -> str:
    if body.get("kind", kind.kind) != kind.kind:
        return f"it is of kind {body['kind']}" if isinstance(body["kind"], str) else "its kind is not text"
    if body.get("apiVersion", kind.api_version) != kind.api_version:
        return f"it is not of {kind.api_version}"
    return metadata_fault(body)


def metadata_fault(body: JsonObject) -> str:
    """Return the first fault in the metadata of an object: a missing field or a wrong type; empty for none."""
    metadata = body.get("metadata")
    if not isinstance(metadata, dict):
        return "it has no metadata"
    if not isinstance(metadata.get("name"), str) or not metadata["name"]:
        return "it has no name"
    if not isinstance(metadata.get("namespace") or "", str):
        return "its namespace is not text"
    for field in ("labels", "annotations"):
        entries = metadata.get(field) or {}
        if not isinstance(entries, Mapping) or not all(isinstance(value, str) for value in entries.values()):
            return f"its {field} are not a map of strings"
    managed = metadata.get("managedFields") or []
    if not isinstance(managed, list) or not all(isinstance(entry, dict) for entry in managed):
        return "its managedFields are not a list of objects"
    return ""


def _name_fault(metadata: JsonObject, namespace: str, name: str) -> str:
    if metadata["name"] != name:
        return "it has another name"
    if namespace and metadata.get("namespace", namespace) != namespace:
        return "it is in another namespace"
    return ""
