"""``metadata.managedFields``: from the object's list to managers, and back in the server's order."""

from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import Json, JsonObject, mapping
from kubectl_applylint.merge.fieldset import parse, written
from kubectl_applylint.merge.memory import remembering
from kubectl_applylint.merge.server_side import APPLY, UPDATE, Identity, Managers, Owned


def read(live: JsonObject) -> Managers:
    """Return the managers of an object in the order of the list; entries that are no managed fields are left out."""
    listed = mapping(live.get("metadata")).get("managedFields")
    return _read(listed) if isinstance(listed, list) else {}


@remembering
def _read(listed: list[Json]) -> Managers:
    return {_identity(each): _owned(each) for each in map(mapping, listed) if _is_entry(each)}


def _is_entry(found: JsonObject) -> bool:
    return found.get("fieldsType") == "FieldsV1" and found.get("operation") in (APPLY, UPDATE)


def _identity(found: JsonObject) -> Identity:
    operation = found["operation"]
    version = "" if operation == APPLY else _text(found.get("apiVersion"))
    return Identity(_text(found.get("manager")), operation, version, _text(found.get("subresource")))


def _owned(found: JsonObject) -> Owned:
    time = found.get("time")
    known = time if isinstance(time, (str, Unknown)) else None
    return Owned(parse(mapping(found.get("fieldsV1"))), _text(found.get("apiVersion")), known)


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""


def entries(managers: Managers) -> list[Json]:
    """Return the list as the server stores it: appliers first, then by time, manager, version and subresource."""
    return [entry(each) for each in sorted(managers.items(), key=_rank)]


def _rank(manager: tuple[Identity, Owned]) -> tuple[str, ...]:
    identity, owned = manager
    moment = "~" if isinstance(owned.time, Unknown) else owned.time or ""
    return identity.operation, moment, identity.name, owned.api_version, identity.subresource


def entry(manager: tuple[Identity, Owned]) -> dict[str, Json]:
    """Return one entry of the list."""
    identity, owned = manager
    return {
        "manager": identity.name,
        "operation": identity.operation,
        "apiVersion": owned.api_version,
        **({} if owned.time is None else {"time": owned.time}),
        "fieldsType": "FieldsV1",
        "fieldsV1": written(owned.fields),
        **({"subresource": identity.subresource} if identity.subresource else {}),
    }
