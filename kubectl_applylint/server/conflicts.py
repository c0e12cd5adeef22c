"""The server's error messages for an apply that conflicts with other managers.

Mirrors ``conflict.go`` of apimachinery's ``util/managedfields/internal``.
"""

import json
from collections.abc import Sequence

from kubectl_applylint.core.outcome import Conflict, FieldError, Owner
from kubectl_applylint.merge.fieldset import render, to_path
from kubectl_applylint.merge.server_side import APPLY, Clash, Identity


def conflict_errors(clashes: Sequence[Clash]) -> tuple[FieldError, ...]:
    """Return the errors of a 409 response: one for each path and manager."""
    return tuple(
        FieldError(render(path), "FieldManagerConflict", f"conflict with {manager_text(clash.manager)}")
        for clash in _sort(clashes)
        for path in clash.fields.paths()
    )


def conflicts(clashes: Sequence[Clash]) -> tuple[Conflict, ...]:
    """Return the conflicts as values: path, owner, message."""
    return tuple(
        Conflict(to_path(path), _owner(clash.manager), f"conflict with {manager_text(clash.manager)}")
        for clash in _sort(clashes)
        for path in clash.fields.paths()
    )


def _owner(manager: Identity) -> Owner:
    return Owner(manager.name, manager.operation, manager.subresource)


def status_message(clashes: Sequence[Clash]) -> str:
    """Return the server's message for all clashes."""
    found = conflict_errors(clashes)
    if len(found) == 1:
        return f"Apply failed with 1 conflict: {found[0].message}: {found[0].field}"
    lines = (
        f"conflicts with {manager_text(clash.manager)}:"
        + "".join(f"\n- {render(path)}" for path in clash.fields.paths())
        for clash in _sort(clashes)
    )
    return f"Apply failed with {len(found)} conflicts: " + "\n".join(lines)


def _sort(clashes: Sequence[Clash]) -> list[Clash]:
    return sorted(clashes, key=lambda clash: _identity(clash.manager))


def _identity(manager: Identity) -> tuple[str, str, str, str]:
    return manager.name, manager.operation, manager.api_version, manager.subresource


def manager_text(manager: Identity) -> str:
    """Return a manager as conflict messages name it."""
    text = json.dumps(manager.name, ensure_ascii=False)
    if manager.subresource:
        text += f" with subresource {json.dumps(manager.subresource, ensure_ascii=False)}"
    return text if manager.operation == APPLY else f"{text} using {manager.api_version}"
