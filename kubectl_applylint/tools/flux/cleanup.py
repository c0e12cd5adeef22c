"""Cleanup of kubectl's traces before Flux applies: the last-applied annotation and the fields of kubectl managers.

Mirrors ``patch.go`` of ``github.com/fluxcd/pkg/ssa`` 0.77 with the options of kustomize-controller 1.9.
"""

from collections.abc import Iterator
from typing import Final

from kubectl_applylint.core.outcome import Write
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import LAST_APPLIED, annotations_of, labels_of
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.merge.managed_fields import ManagedFieldsCodec
from kubectl_applylint.merge.server_side import APPLY, UPDATE, Identity, Managers
from kubectl_applylint.server.write import JSON_PATCH

_ANNOTATIONS: Final = (LAST_APPLIED, "kustomize.toolkit.fluxcd.io/checksum", "fluxcd.io/sync-checksum")
_LABELS: Final = ("fluxcd.io/sync-gc-mark",)


def cleanup(live: JsonObject, manager: str) -> Write | None:
    """Return the JSON patch that Flux sends before it applies an object, or ``None`` if none is needed."""
    operations = [*_removals("annotations", annotations_of(live), _ANNOTATIONS)]
    operations += _removals("labels", labels_of(live), _LABELS)
    operations += _handover(live, manager)
    if not operations:
        return None
    return Write("PATCH", JSON_PATCH, operations, (("fieldManager", manager), ("fieldValidation", "Warn")))


def _removals(where: str, found: JsonObject, names: tuple[str, ...]) -> Iterator[Json]:
    """Yield the operations that remove the named annotations or labels."""
    for name in names:
        if name in found:
            yield {"op": "remove", "path": f"/metadata/{where}/{name.replace('/', '~1')}"}


def _handover(live: JsonObject, manager: str) -> Iterator[Json]:
    """Yield the operation that moves the fields of kubectl managers to Flux."""
    codec = ManagedFieldsCodec()
    before = codec.read(live)
    after = take_over_fields(before, manager)
    if after != before:
        value = [*map(codec.entry, after.items())]
        yield {"op": "replace", "path": "/metadata/managedFields", "value": value}


def take_over_fields(managers: Managers, manager: str) -> Managers:
    """Return managed fields with the fields of all kubectl managers moved to ``manager``.

    If ``manager`` has no fields yet, the first kubectl manager is renamed and keeps its version.
    """
    target = Identity(manager, APPLY, "")
    replaced = {each: owned for each, owned in managers.items() if each != target and _is_taken_over(each, manager)}
    if not replaced:
        return managers
    merged = managers.get(target) or next(iter(replaced.values()))
    for owned in replaced.values():
        merged = replace(merged, fields=merged.fields | owned.fields)
    kept = {each: owned for each, owned in managers.items() if each not in replaced and each != target}
    return {**kept, target: merged}


def _is_taken_over(identity: Identity, manager: str) -> bool:
    """Return whether Flux takes over the fields of a manager.

    Names are compared by prefix, so other programs can match.
    """
    if identity.subresource:
        return False
    is_kubectl = identity.name.startswith("kubectl")
    return is_kubectl or (identity.operation == UPDATE and identity.name.startswith(("before-first-apply", manager)))
