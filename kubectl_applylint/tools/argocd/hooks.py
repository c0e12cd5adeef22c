"""Hooks of a sync: their finalizer, and when they run and are deleted.

Mirrors ``pkg/sync/hook`` and ``getSyncTasks`` of gitops-engine.
"""

from typing import Final

from kubectl_applylint.appliers.request import ApplyRequest
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.values import JsonObject, mapping, text_at, texts_at
from kubectl_applylint.tools.argocd.options import (
    BEFORE_CREATION,
    GROUP,
    delete_policies,
    has_generated_name,
    hook_phases,
)

_REVISION: Final = "0000000"
_TIME: Final = 0
"""They stand for what is not known yet."""
_FINALIZER: Final = f"{GROUP}/hook-finalizer"
_RUNS: Final = {
    "PreSync": "before all other objects",
    "Sync": "with the other objects",
    "PostSync": "after all other objects are healthy",
}
_DELETED: Final = {
    "BeforeHookCreation": "each sync deletes and creates it",
    "HookSucceeded": "it is deleted when it has succeeded",
    "HookFailed": "it is deleted when it has failed",
}


def hook_words(item: JsonObject) -> str:
    """Return when a hook runs, and when it is deleted."""
    runs = " and ".join(f"{_RUNS[phase]} ({phase})" for phase in hook_phases(item))
    policies = [one for one in delete_policies(item) if not (has_generated_name(item) and one == BEFORE_CREATION)]
    deleted = [f"{_DELETED[policy]} ({policy})" for policy in policies]
    created = ["each sync creates another one (generateName)"] if has_generated_name(item) else []
    return f"hook of Argo CD: it runs {runs}; {', '.join([*created, *deleted])}"


def with_name(item: JsonObject) -> JsonObject:
    """Return a hook with a name like those that Argo CD draws, other objects as they are."""
    if text_at(item, "metadata", "name") or not has_generated_name(item):
        return item
    name = f"{text_at(item, 'metadata', 'generateName')}{_REVISION}-{hook_phases(item)[0].lower()}-{_TIME}"
    return {**item, "metadata": {**mapping(item.get("metadata")), "name": name}}


def with_finalizer(request: ApplyRequest) -> ApplyRequest:
    """Return a request with the finalizer that a hook has until it has run."""
    metadata = mapping(request.manifest.get("metadata"))
    finalizers = texts_at(metadata, "finalizers")
    if _FINALIZER in finalizers:
        return request
    return replace(
        request, manifest={**request.manifest, "metadata": {**metadata, "finalizers": [*finalizers, _FINALIZER]}}
    )


def without_finalizer(item: JsonObject) -> JsonObject:
    """Return an object without the finalizer of a hook."""
    metadata = mapping(item.get("metadata"))
    finalizers = texts_at(metadata, "finalizers")
    if _FINALIZER not in finalizers:
        return item
    kept = [one for one in finalizers if one != _FINALIZER]
    rest = {key: value for key, value in metadata.items() if key != "finalizers"}
    return {**item, "metadata": {**rest, "finalizers": kept} if kept else rest}
