"""``kubectl apply --server-side``: one apply patch, and the migration of what client-side apply owned.

Mirrors the behaviour of kubectl 1.36 (``pkg/cmd/apply/apply.go``) and of client-go's ``csaupgrade``.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from kubectl_applylint.appliers.attempt import Ask, Attempt
from kubectl_applylint.appliers.request import ApplyRequest
from kubectl_applylint.merge.fieldset import FieldSet
from kubectl_applylint.merge.managed_fields import entries, read
from kubectl_applylint.merge.server_side import APPLY, UPDATE, Identity, Managers, Owned
from kubectl_applylint.outcome import Verdict, Write
from kubectl_applylint.server.answer import APPLY_PATCH, JSON_PATCH, Refused, Stored
from kubectl_applylint.state import LAST_APPLIED
from kubectl_applylint.values import Json, JsonObject, dig, mapping

MANAGER: Final = "kubectl"
LAST_APPLIED_MANAGER: Final = "kubectl-last-applied"
_ANNOTATION: Final = ("f:metadata", "f:annotations", f"f:{LAST_APPLIED}")
_LAST_APPLIED_FAILED: Final = f"failed to migrate {LAST_APPLIED} for Server-Side Apply."
_MIGRATION_FAILED: Final = "server rejected managed fields migration to Server-Side Apply."
_REAPPLY_FAILED: Final = "failed to re-apply configuration after performing Server-Side Apply migration."
_RETRIED: Final = "This is non-fatal and will be retried next time you apply."


def apply(request: ApplyRequest, live: JsonObject | None, ask: Ask) -> Attempt:
    """Return what ``kubectl apply --server-side`` does about one manifest when ``live`` is the object."""
    manager = request.field_manager or MANAGER
    write = _apply_patch(request.manifest, manager, force=request.force_conflicts)
    match ask(write, live):
        case Refused() as refusal:
            verdict = Verdict.CONFLICT if refusal.status == 409 else Verdict.REJECTED
            return Attempt(verdict, (write,), refusal=refusal)
        case Stored(stored):
            return _migrate(write, stored, manager, ask)


def _apply_patch(body: JsonObject, manager: str, *, force: bool) -> Write:
    query = (("fieldManager", manager), ("fieldValidation", "Strict"), ("force", str(force).lower()))
    return Write("PATCH", APPLY_PATCH, body, query)


def _migrate(write: Write, stored: JsonObject, manager: str, ask: Ask) -> Attempt:
    """Do what kubectl does after a successful apply: hand over what client-side apply owned, and apply again."""
    saved = _save_last_applied(stored, manager)
    requests, warnings = [write], list[str]()
    if saved is not None:
        requests.append(saved)
        answer = ask(saved, stored)
        if isinstance(answer, Refused):
            return _applied(requests, stored, [_warning(_LAST_APPLIED_FAILED)])
        stored = answer.object
    patch = migration_patch(stored, manager)
    if patch is None:
        return _applied(requests, stored, warnings)
    return _reapply([*requests, patch], write, stored, ask)


def _reapply(requests: list[Write], write: Write, stored: JsonObject, ask: Ask) -> Attempt:
    migrated = ask(requests[-1], stored)
    if isinstance(migrated, Refused):
        return _applied(requests, stored, [_warning(_MIGRATION_FAILED)])
    again = ask(write, migrated.object)
    requests = [*requests, write]
    if isinstance(again, Refused):
        return _applied(requests, migrated.object, [_warning(_REAPPLY_FAILED)])
    return _applied(requests, again.object, [])


def _warning(what: str) -> str:
    return f"{what} {_RETRIED}"


def _applied(requests: Sequence[Write], stored: JsonObject, warnings: Sequence[str]) -> Attempt:
    return Attempt(Verdict.SERVERSIDE_APPLIED, tuple(requests), stored, warnings=tuple(warnings))


def _save_last_applied(stored: JsonObject, manager: str) -> Write | None:
    """Return the apply that keeps the annotation of client-side apply under a manager of its own, if that is due."""
    text = dig(stored, "metadata", "annotations", LAST_APPLIED)
    if manager != MANAGER or not isinstance(text, str):
        return None
    if any(each.operation == APPLY and owned.fields.has(_ANNOTATION) for each, owned in read(stored).items()):
        return None
    metadata = mapping(stored.get("metadata"))
    names = {key: metadata[key] for key in ("name", "namespace") if key in metadata}
    body = {
        "apiVersion": stored.get("apiVersion"),
        "kind": stored.get("kind"),
        "metadata": {**names, "annotations": {LAST_APPLIED: text}},
    }
    return _apply_patch(body, LAST_APPLIED_MANAGER, force=False)


def migration_patch(stored: JsonObject, manager: str) -> Write | None:
    """Return the JSON patch that turns client-side managers into the applier ``manager``; ``None`` if there are none.

    Client-side managers are all Update managers that own the last-applied annotation.
    """
    managers = read(stored)
    names = sorted(
        each.name
        for each, owned in managers.items()
        if each.operation == UPDATE and each.name != manager and not each.subresource and owned.fields.has(_ANNOTATION)
    )
    if not names:
        return None
    for name in names:
        managers = _upgraded(managers, name, manager)
    version = dig(stored, "metadata", "resourceVersion")
    body: list[Json] = [
        {"op": "replace", "path": "/metadata/managedFields", "value": entries(managers)},
        {"op": "replace", "path": "/metadata/resourceVersion", "value": version if isinstance(version, str) else ""},
    ]
    return Write("PATCH", JSON_PATCH, body)


def _upgraded(managers: Managers, client: str, manager: str) -> Managers:
    """Give the applier what the updater ``client`` owned in the applier's version; forget what else it owned."""
    target = Identity(manager, APPLY, "")
    clients = {each: owned for each, owned in managers.items() if _is_client(each, client)}
    oldest = next(iter(clients.values()))
    base = managers.get(target, oldest)
    same = next((owned for owned in clients.values() if owned.api_version == base.api_version), None)
    fields: FieldSet = base.fields | same.fields if same else base.fields
    rest: Mapping[Identity, Owned] = {each: owned for each, owned in managers.items() if each not in clients}
    return {**rest, target: Owned(fields, base.api_version, base.time)}


def _is_client(identity: Identity, client: str) -> bool:
    return identity.name == client and identity.operation == UPDATE and not identity.subresource
