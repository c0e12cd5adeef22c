"""``metadata.managedFields``: from the object's list to managers, and back in the server's order."""

from kubectl_applylint.merge.fieldset import parse
from kubectl_applylint.merge.server_side import APPLY, Identity, Managers, Owned
from kubectl_applylint.state import Unknown
from kubectl_applylint.values import Json, JsonObject, mapping


def read(live: JsonObject) -> Managers:
    """Return the managers of an object; entries that are no managed fields are left out."""
    entries = mapping(live.get("metadata")).get("managedFields")
    found = [mapping(entry) for entry in (entries if isinstance(entries, list) else [])]
    return {_identity(entry): _owned(entry) for entry in found if entry.get("fieldsType") == "FieldsV1"}


def _identity(entry: JsonObject) -> Identity:
    operation = str(entry.get("operation", ""))
    version = "" if operation == APPLY else str(entry.get("apiVersion", ""))
    return Identity(str(entry.get("manager", "")), operation, version, str(entry.get("subresource", "")))


def _owned(entry: JsonObject) -> Owned:
    time = entry.get("time")
    known = time if isinstance(time, str) else None
    return Owned(parse(mapping(entry.get("fieldsV1"))), str(entry.get("apiVersion", "")), known)


def entries(managers: Managers) -> list[Json]:
    """Return the list as the server stores it: appliers first, then by time, manager, version and subresource."""
    return [_entry(identity, owned) for identity, owned in sorted(managers.items(), key=_rank)]


def _rank(manager: tuple[Identity, Owned]) -> tuple[str, ...]:
    identity, owned = manager
    moment = "~" if isinstance(owned.time, Unknown) else owned.time or ""
    return identity.operation, moment, identity.name, owned.api_version, identity.subresource


def _entry(identity: Identity, owned: Owned) -> dict[str, Json]:
    return {
        "manager": identity.name,
        "operation": identity.operation,
        "apiVersion": owned.api_version,
        **({} if owned.time is None else {"time": owned.time}),
        "fieldsType": "FieldsV1",
        "fieldsV1": owned.fields.to_json(),
        **({"subresource": identity.subresource} if identity.subresource else {}),
    }
