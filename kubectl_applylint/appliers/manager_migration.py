"""Migration of the fields of a client-side manager to a server-side applier.

Mirrors ``csaupgrade`` of client-go, which kubectl, Helm and Argo CD share.
"""

from collections.abc import Iterable

from kubectl_applylint.core.outcome import Write
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.values import Json, JsonObject, dig
from kubectl_applylint.merge.managed_fields import ManagedFieldsCodec
from kubectl_applylint.merge.server_side import APPLY, UPDATE, Identity, Managers
from kubectl_applylint.server.write import JSON_PATCH


def migration_operations(stored: JsonObject, clients: Iterable[str], manager: str) -> Write | None:
    """Return the JSON patch that migrates the Update managers named ``clients`` to the applier ``manager``.

    ``None`` if the object has none of them.
    """
    codec = ManagedFieldsCodec()
    before = codec.read(stored)
    managers = before
    for name in sorted(clients):
        managers = _migrate_updater(managers, name, manager)
    if managers == before:
        return None
    version = dig(stored, "metadata", "resourceVersion")
    body: list[Json] = [
        {"op": "replace", "path": "/metadata/managedFields", "value": [*map(codec.entry, managers.items())]},
        {"op": "replace", "path": "/metadata/resourceVersion", "value": version if isinstance(version, str) else ""},
    ]
    return Write("PATCH", JSON_PATCH, body, (("fieldManager", manager), ("fieldValidation", "Strict")))


def _migrate_updater(managers: Managers, client: str, manager: str) -> Managers:
    """Move the fields that ``client`` owns in the applier's version to the applier; drop its other fields.

    Without such an applier the first entry of the updater becomes the applier, in the same position.
    """
    target = Identity(manager, APPLY, "")
    clients = {each: owned for each, owned in managers.items() if _is_client(each, client)}
    if not clients:
        return managers
    seat = target if target in managers else next(iter(clients))
    base = managers[seat]
    same = next((owned for owned in clients.values() if owned.api_version == base.api_version), None)
    merged = replace(base, fields=base.fields | same.fields) if same else base
    listed = ((target, merged) if each == seat else (each, owned) for each, owned in managers.items())
    return {each: owned for each, owned in listed if each not in clients}


def _is_client(identity: Identity, client: str) -> bool:
    return identity.name == client and identity.operation == UPDATE and not identity.subresource
