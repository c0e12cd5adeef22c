"""``kubectl apply --server-side``: one apply patch, and the migration of the fields of client-side apply.

Mirrors the behaviour of kubectl 1.36 (``pkg/cmd/apply/apply.go``) and of client-go's ``csaupgrade``.
"""

from typing import Final

from kubectl_applylint.appliers.attempt import Ask, Attempt, deletion_warnings
from kubectl_applylint.appliers.errors import conflict_message, server_message
from kubectl_applylint.appliers.manager_migration import migration_operations
from kubectl_applylint.appliers.request import DEFAULT_MANAGERS, Applier, ApplyRequest
from kubectl_applylint.core.outcome import CERTAIN, Confidence, Verdict, Write
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.state import LAST_APPLIED, ObjectRef
from kubectl_applylint.core.values import JsonObject, dig, mapping
from kubectl_applylint.merge.managed_fields import read
from kubectl_applylint.merge.server_side import APPLY, UPDATE, Identity, Owned
from kubectl_applylint.server.write import APPLY_PATCH, Refused, Stored

MANAGER: Final = DEFAULT_MANAGERS[Applier.KUBECTL_SERVER]
LAST_APPLIED_MANAGER: Final = "kubectl-last-applied"
_ANNOTATION: Final = ("f:metadata", "f:annotations", f"f:{LAST_APPLIED}")
_LAST_APPLIED_FAILED: Final = f"failed to migrate {LAST_APPLIED} for Server-Side Apply."
_MIGRATION_FAILED: Final = "server rejected managed fields migration to Server-Side Apply."
_REAPPLY_FAILED: Final = "failed to re-apply configuration after performing Server-Side Apply migration."
_CONFLICT: Final = 409
_RETRIED: Final = "This is non-fatal and will be retried next time you apply."


def apply(request: ApplyRequest, live: JsonObject | None, ask: Ask) -> Attempt:
    """Return the attempt of ``kubectl apply --server-side`` on one manifest when ``live`` is the object."""
    manager = request.manager
    write = _apply_patch(request.manifest, manager, force=request.force_conflicts)
    match ask(write, live):
        case Refused() as refusal:
            if refusal.status != _CONFLICT:
                return Attempt(Verdict.REJECTED, (write,), refusal=refusal)
            return Attempt(Verdict.CONFLICT, (write,), refusal=refusal, error=conflict_message(refusal, request.ref))
        case Stored(stored, confidence, server_warnings):
            progress = _migrate(_Progress((write,), stored, confidence=confidence), manager, request.ref, ask)
            return Attempt(
                Verdict.SERVERSIDE_APPLIED,
                progress.requests,
                progress.stored,
                warnings=(*server_warnings, *progress.warnings, *deletion_warnings(request.ref, live)),
                confidence=progress.confidence,
            )


def _apply_patch(body: JsonObject, manager: str, *, force: bool | None) -> Write:
    query = [("fieldManager", manager), ("fieldValidation", "Strict")]
    if force is not None:
        query.append(("force", str(force).lower()))
    return Write("PATCH", APPLY_PATCH, body, tuple(query))


@dataclass(frozen=True, slots=True)
class _Progress:
    """The requests so far, the object as stored by now, and kubectl's warnings."""

    requests: tuple[Write, ...]
    stored: JsonObject
    warnings: tuple[str, ...] = ()
    confidence: Confidence = CERTAIN
    """The confidence in the answer to the first write; later writes concern managers only."""

    def after_write(self, write: Write, ask: Ask, complaint: str, ref: ObjectRef) -> "_Progress":
        """Return the progress after another write; its rejection is only a warning."""
        requests = (*self.requests, write)
        match ask(write, self.stored, settled=True):
            case Stored(stored):
                return replace(self, requests=requests, stored=stored)
            case Refused() as refusal:
                warning = f"{complaint} {_RETRIED} Error: {server_message(refusal, ref)}"
                return replace(self, requests=requests, warnings=(*self.warnings, warning))


def _migrate(progress: _Progress, manager: str, ref: ObjectRef, ask: Ask) -> _Progress:
    """Migrate the fields of client-side apply after a successful apply, and apply again."""
    saving = _save_last_applied(progress.stored, manager)
    if saving is not None:
        progress = progress.after_write(saving, ask, _LAST_APPLIED_FAILED, ref)
    patch = None if progress.warnings else migration_patch(progress.stored, manager)
    if patch is None:
        return progress
    progress = progress.after_write(patch, ask, _MIGRATION_FAILED, ref)
    return progress if progress.warnings else progress.after_write(progress.requests[0], ask, _REAPPLY_FAILED, ref)


def _save_last_applied(stored: JsonObject, manager: str) -> Write | None:
    """Return the apply that keeps the annotation of client-side apply under its own manager, if that is due."""
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
    return _apply_patch(body, LAST_APPLIED_MANAGER, force=None)


def migration_patch(stored: JsonObject, manager: str) -> Write | None:
    """Return the JSON patch that turns client-side managers into the applier ``manager``; ``None`` if there are none.

    Client-side managers are all Update managers that own the last-applied annotation.
    """
    owners = {each.name for each, owned in read(stored).items() if is_migrated(each, owned)}
    return migration_operations(stored, owners, manager)


def is_migrated(identity: Identity, owned: Owned) -> bool:
    """Return whether kubectl treats a manager as that of its client-side applies, whatever its name is."""
    return identity.operation == UPDATE and owned.fields.has(_ANNOTATION)
