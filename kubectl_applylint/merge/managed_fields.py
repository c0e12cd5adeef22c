"""``metadata.managedFields``: from the object's list to managers, and back in the server's order."""

from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import Json, JsonObject, mapping, text_at
from kubectl_applylint.merge.fieldset import EMPTY, FieldSet, parse_spelled
from kubectl_applylint.merge.server_side import APPLY, UPDATE, Identity, Managers, Owned


class ManagedFieldsCodec:
    """Reads and writes managedFields with a cache: one apply reads an object five times.

    Make one for each request. Objects are identified by their ``id``, so they must not change while the codec is in
    use. Sets are written back as the FieldsV1 objects that they were read from.
    """

    __slots__ = ("_fields", "_fields_v1", "_managers")

    def __init__(self) -> None:
        # Each keeps its key alive with the value, so that the id of the key is not reused.
        self._managers: dict[int, tuple[list[Json], Managers]] = {}
        self._fields: dict[int, tuple[JsonObject, FieldSet]] = {}
        self._fields_v1: dict[int, tuple[FieldSet, JsonObject]] = {}

    def read(self, live: JsonObject) -> Managers:
        """Return the managers of an object in the order of the list, without invalid entries."""
        listed = mapping(live.get("metadata")).get("managedFields")
        if not isinstance(listed, list):
            return {}
        found = self._managers.get(id(listed))
        if found is None:
            managers = {_identity(each): self._ownership(each) for each in map(mapping, listed) if _is_entry(each)}
            found = self._managers[id(listed)] = listed, managers
        return found[1]

    def entries(self, managers: Managers) -> list[Json]:
        """Return the list as the server stores it, sorted: appliers first, then by time, manager and version."""
        return [self.entry(each) for each in sorted(managers.items(), key=_rank)]

    def entry(self, manager: tuple[Identity, Owned]) -> dict[str, Json]:
        """Return one entry of the list."""
        identity, owned = manager
        return {
            "manager": identity.name,
            "operation": identity.operation,
            "apiVersion": owned.api_version,
            **({} if owned.time is None else {"time": owned.time}),
            "fieldsType": "FieldsV1",
            "fieldsV1": self._write(owned.fields),
            **({"subresource": identity.subresource} if identity.subresource else {}),
        }

    def parse(self, fields_v1: JsonObject) -> FieldSet:
        """Return the set that a FieldsV1 object holds (``fieldset.parse``)."""
        found = self._fields.get(id(fields_v1))
        if found is not None:
            return found[1]
        fields, is_canonical = parse_spelled(fields_v1)
        self._fields[id(fields_v1)] = fields_v1, fields
        if is_canonical and fields is not EMPTY:
            self._fields_v1[id(fields)] = fields, fields_v1
        return fields

    def _write(self, fields: FieldSet) -> JsonObject:
        found = self._fields_v1.get(id(fields))
        if found is None:
            found = self._fields_v1[id(fields)] = fields, fields.to_json()
            self._fields[id(found[1])] = found[1], fields
        return found[1]

    def _ownership(self, found: JsonObject) -> Owned:
        time = found.get("time")
        known = time if isinstance(time, (str, Unknown)) else None
        return Owned(self.parse(mapping(found.get("fieldsV1"))), text_at(found, "apiVersion"), known)


def read(live: JsonObject) -> Managers:
    """Return the managers of one object, as ``ManagedFieldsCodec.read`` does."""
    return ManagedFieldsCodec().read(live)


def _is_entry(found: JsonObject) -> bool:
    return found.get("fieldsType") == "FieldsV1" and found.get("operation") in (APPLY, UPDATE)


def _identity(found: JsonObject) -> Identity:
    operation = found["operation"]
    version = "" if operation == APPLY else text_at(found, "apiVersion")
    return Identity(text_at(found, "manager"), operation, version, text_at(found, "subresource"))


def _rank(manager: tuple[Identity, Owned]) -> tuple[str, ...]:
    identity, owned = manager
    moment = "~" if isinstance(owned.time, Unknown) else owned.time or ""
    return identity.operation, moment, identity.name, owned.api_version, identity.subresource
