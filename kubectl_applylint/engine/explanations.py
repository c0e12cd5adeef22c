"""Explanations of changed fields that several appliers share."""

from collections.abc import Callable

from kubectl_applylint.appliers.request import ApplyRequest
from kubectl_applylint.core.outcome import Change
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine.changes import server_side_changes
from kubectl_applylint.engine.program import Explain
from kubectl_applylint.merge.managed_fields import ManagedFieldsCodec
from kubectl_applylint.schema.types import Kind


def explain_by(changes: Callable[..., tuple[Change, ...]]) -> Explain:
    """Return an explanation that depends only on the objects, the manifest, its kind and the manager."""

    def explain(
        request: ApplyRequest, live: JsonObject | None, after: JsonObject, kind: Kind | None, _: ManagedFieldsCodec
    ) -> tuple[Change, ...]:
        return changes(live, after, request.manifest, kind=kind, manager=request.manager)

    return explain


def explain_server_side(
    request: ApplyRequest, live: JsonObject | None, after: JsonObject, kind: Kind | None, codec: ManagedFieldsCodec
) -> tuple[Change, ...]:
    """Explain the changes of a server-side apply."""
    return server_side_changes(
        live, after, request.manifest, kind=kind, manager=request.manager, codec=codec, subresource=request.subresource
    )
