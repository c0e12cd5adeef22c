"""Stored objects without what differs from one run to the next, so that they can be kept and compared."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Final

from kubectl_applylint.core.paths import Path, leaves, render
from kubectl_applylint.core.values import Json, JsonObject, equal, mapping

UID: Final = "00000000-0000-0000-0000-000000000000"
TIME: Final = "2026-01-01T00:00:00Z"
RESOURCE_VERSION: Final = "1"
ALLOCATED: Final = "<allocated>"
_TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z\Z")
_PORT_RANGE = range(30000, 32768)


def live_form(stored: JsonObject, *, namespace: str, since: str) -> JsonObject:
    """Return ``stored`` as ``kubectl get --show-managed-fields`` prints it, with fixed uid, version and times.

    ``namespace`` becomes ``default``; timestamps from ``since`` (as the server writes them) on become ``TIME``. Entries
    of managedFields stand as they do when all were written in the same second, for the server sorts them by time.
    """
    text = json.dumps(stored, sort_keys=True).replace(namespace, "default")
    uid = mapping(stored.get("metadata")).get("uid")
    fixed = json.loads(text.replace(uid, UID) if uid else text)
    fixed = _leaves(fixed, lambda leaf: TIME if _is_timestamp(leaf) and leaf >= since else leaf)
    metadata = {**fixed["metadata"], "resourceVersion": RESOURCE_VERSION}
    if "managedFields" in metadata:
        metadata["managedFields"] = sorted(metadata["managedFields"], key=_server_order)
    return {**fixed, "metadata": metadata}


def _server_order(entry: JsonObject) -> tuple[str, str, str, str]:
    keys = ("operation", "time", "manager", "apiVersion")
    operation, time, manager, version = (str(entry.get(key, "")) for key in keys)
    return operation, time, manager, version + str(entry.get("subresource", ""))


def after_form(stored: JsonObject, *, namespace: str, since: str) -> JsonObject:
    """Return ``stored`` without status, uid, resourceVersion, generation and the times that the server notes."""
    fixed = live_form(stored, namespace=namespace, since=since)
    made = {"uid", "resourceVersion", "creationTimestamp", "generation"}
    metadata = {key: value for key, value in fixed["metadata"].items() if key not in made}
    if "managedFields" in metadata:
        untimed = [{key: value for key, value in entry.items() if key != "time"} for entry in metadata["managedFields"]]
        metadata["managedFields"] = untimed
    return {**{key: value for key, value in fixed.items() if key != "status"}, "metadata": metadata}


def differing(left: Json, right: Json) -> list[str]:
    """Return the paths at which two normal forms differ; addresses and ports that the server hands out are alike."""
    old, new = (dict(leaves(_without_allocations(_without_late_status(side)))) for side in (left, right))
    return sorted(render(path) for path in old.keys() | new.keys() if not _has_same(old, new, path))


def _without_late_status(stored: Json) -> Json:
    """Return a definition without its status: the server continues to write it for a while after the definition."""
    if mapping(stored).get("kind") != "CustomResourceDefinition":
        return stored
    metadata = mapping(stored.get("metadata"))
    entries = [entry for entry in metadata.get("managedFields", []) if entry.get("subresource") != "status"]
    return {
        **{key: stored[key] for key in stored if key != "status"},
        "metadata": {**metadata, "managedFields": entries},
    }


def _has_same(old: Mapping[Path, Json], new: Mapping[Path, Json], path: Path) -> bool:
    return path in old and path in new and equal(old[path], new[path])


def _without_allocations(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _ALLOCATED.get(key, _without_allocations)(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_allocations(item) for item in value]
    return value


def _address(value: Json) -> Json:
    return value if value in ("", "None") else ALLOCATED


def _addresses(value: Json) -> Json:
    return [_address(item) for item in value] if isinstance(value, list) else value


def _port(value: Json) -> Json:
    return ALLOCATED if isinstance(value, int) and value in _PORT_RANGE else value


_ALLOCATED: Mapping[str, Callable[[Json], Json]] = {
    "clusterIP": _address,
    "clusterIPs": _addresses,
    "nodePort": _port,
    "healthCheckNodePort": _port,
}


def _leaves(value: Json, change: Callable[[Json], Json]) -> Json:
    if isinstance(value, dict):
        return {key: _leaves(item, change) for key, item in value.items()}
    if isinstance(value, list):
        return [_leaves(item, change) for item in value]
    return change(value)


def _is_timestamp(value: Json) -> bool:
    return isinstance(value, str) and _TIMESTAMP.match(value) is not None
