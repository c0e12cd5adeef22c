"""Why each field is what it is, asked of a request: by the ways to explain that several appliers share."""

from collections.abc import Callable

from kubectl_applylint.appliers.request import ApplyRequest
from kubectl_applylint.core.outcome import Change
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine.changes import server_side_changes
from kubectl_applylint.engine.program import Explain
from kubectl_applylint.merge.managed_fields import ManagedFieldsCodec
from kubectl_applylint.schema.types import Kind


def explained(changes: Callable[..., tuple[Change, ...]]) -> Explain:
    """Return what explains a request by the objects, the manifest, its kind and the manager alone."""

    def explain(
        request: ApplyRequest, live: JsonObject | None, after: JsonObject, kind: Kind | None, _: ManagedFieldsCodec
    ) -> tuple[Change, ...]:
        return changes(live, after, request.manifest, kind=kind, manager=request.manager)

    return explain


def explained_as_applied(
    request: ApplyRequest, live: JsonObject | None, after: JsonObject, kind: Kind | None, codec: ManagedFieldsCodec
) -> tuple[Change, ...]:
    """Explain a request of server-side apply."""
    return server_side_changes(
        live,
        after,
        request.manifest,
        kind=kind,
        manager=request.manager,
        codec=codec,
        subresource=request.subresource,
    )
