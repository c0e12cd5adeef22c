"""Sync options, waves and hooks of Argo CD in annotations of objects.

Mirrors ``pkg/sync/resource/annotations.go``, ``pkg/sync/syncwaves`` and ``pkg/sync/hook`` of gitops-engine.
"""

from collections.abc import Iterable
from typing import Final

from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.state import annotations_of
from kubectl_applylint.core.values import JsonObject, text_at

GROUP: Final = "argocd.argoproj.io"
TRACKING: Final = f"{GROUP}/tracking-id"
IGNORE_DIFFERENCES: Final = f"{GROUP}/ignore-differences"
"""The annotation with ignored differences of an object, since Argo CD 3.6."""
SYNC_OPTIONS: Final = f"{GROUP}/sync-options"
SERVER_SIDE: Final = "ServerSideApply=true"
CLIENT_SIDE: Final = "ServerSideApply=false"
REPLACE: Final = "Replace=true"
FORCE: Final = "Force=true"
PRUNE_LAST: Final = "PruneLast=true"
PRUNE_FALSE: Final = "Prune=false"
PRUNE_CONFIRM: Final = "Prune=confirm"
DELETE: Final = "Delete="
DELETE_FALSE: Final = f"{DELETE}false"
DELETE_CONFIRM: Final = f"{DELETE}confirm"
FAIL_ON_SHARED: Final = "FailOnSharedResource=true"
SKIP_DRY_RUN: Final = "SkipDryRunOnMissingResource=true"
OUT_OF_SYNC_ONLY: Final = "ApplyOutOfSyncOnly=true"
BACKGROUND: Final = "PrunePropagationPolicy=background"
RESPECT_IGNORED: Final = "RespectIgnoreDifferences=true"
NO_MIGRATION: Final = "ClientSideApplyMigration=false"
KUBECTL: Final = "kubectl-client-side-apply"
"""The default manager whose fields move to Argo CD before a server-side apply."""
_OF_REQUESTS: Final = frozenset({SERVER_SIDE, REPLACE, FORCE, NO_MIGRATION})
_PREDICTED: Final = (
    "ApplyOutOfSyncOnly=",
    "ClientSideApplyMigration=",
    "CreateNamespace=",
    "Delete=",
    "FailOnSharedResource=",
    "Prune=",
    "PruneLast=",
    "PrunePropagationPolicy=",
    "Replace=",
    "RespectIgnoreDifferences=",
    "ServerSideApply=",
    "SkipDryRunOnMissingResource=",
    "Validate=",
)
_HOOKS: Final = frozenset({"PreSync", "Sync", "PostSync", "SyncFail", "Skip"})
PHASES: Final = ("PreSync", "Sync", "PostSync")
"""The phases of a sync that succeeds, in their order."""
SYNC_PHASE: Final = PHASES.index("Sync")
"""The phase in which the objects that are no hooks are applied."""
_HELM_PHASES: Final = {
    "pre-install": "PreSync",
    "pre-upgrade": "PreSync",
    "post-install": "PostSync",
    "post-upgrade": "PostSync",
}
BEFORE_CREATION: Final = "BeforeHookCreation"
AFTER_SUCCESS: Final = "HookSucceeded"
AFTER_FAILURE: Final = "HookFailed"
_POLICIES: Final = (BEFORE_CREATION, AFTER_SUCCESS, AFTER_FAILURE)
_HELM_POLICIES: Final = {
    "before-hook-creation": BEFORE_CREATION,
    "hook-succeeded": AFTER_SUCCESS,
    "hook-failed": AFTER_FAILURE,
}
_HELM_POLICY: Final = "helm.sh/resource-policy"
_HELM_HOOK: Final = "helm.sh/hook"
_WEIGHT: Final = "helm.sh/hook-weight"
_INTEGER: Final = regex(r"[+-]?[0-9]+")


def _text(item: JsonObject, key: str) -> str | None:
    """Return an annotation, or ``None``. Go reads no annotation at all if one of them is not a string."""
    found = annotations_of(item)
    value = found.get(key)
    return value if isinstance(value, str) and all(isinstance(each, str) for each in found.values()) else None


def _words(item: JsonObject, key: str) -> tuple[str, ...]:
    """Return the comma-separated words of an annotation."""
    return tuple(filter(None, (word.strip() for word in (_text(item, key) or "").split(","))))


def options_of(item: JsonObject | None) -> tuple[str, ...]:
    """Return the sync options of an object."""
    return _words(item or {}, SYNC_OPTIONS)


def prune_option(item: JsonObject) -> str:
    """Return the first prune option of an object, or ``""``."""
    return next((option for option in options_of(item) if option.startswith("Prune=")), "")


def is_kept_by_helm(item: JsonObject) -> bool:
    """Return whether an object says that it stays when its release is uninstalled."""
    return "keep" in _words(item, _HELM_POLICY)


def unpredicted_options(options: Iterable[str]) -> tuple[str, ...]:
    """Return the sync options whose effect is not predicted."""
    return tuple(sorted(each for each in options if not each.startswith(_PREDICTED) and not each.endswith("=false")))


def request_options(options: Iterable[str]) -> frozenset[str]:
    """Return the sync options of an Application that decide with which requests it applies its objects."""
    return _OF_REQUESTS.intersection(options)


def wave_of(item: JsonObject) -> int:
    """Return the sync wave of an object, by default 0."""
    for key in (f"{GROUP}/sync-wave", _WEIGHT):
        text = _text(item, key)
        if text is not None and _INTEGER.fullmatch(text):
            return int(text)
    return 0


def is_hook(item: JsonObject) -> bool:
    """Return whether an object is a hook, which is not part of the Application."""
    if _text(item, f"{GROUP}/hook") is not None:
        return not is_never_synced(item)
    return (_text(item, _HELM_HOOK) or "crd-install") != "crd-install"


def is_never_synced(item: JsonObject) -> bool:
    """Return whether an object is part of the Application but never applied (hook ``Skip``)."""
    return tuple(dict.fromkeys(word for word in _words(item, f"{GROUP}/hook") if word in _HOOKS)) == ("Skip",)


def hook_phases(item: JsonObject) -> tuple[str, ...]:
    """Return the phases of a sync in which a hook is applied; none for other objects, and for hooks of other events."""
    if not is_hook(item):
        return ()
    own = [word for word in _words(item, f"{GROUP}/hook") if word in _HOOKS]
    named = own or [_HELM_PHASES.get(word, "") for word in _words(item, _HELM_HOOK)]
    return tuple(phase for phase in PHASES if phase in named)


def delete_policies(item: JsonObject) -> tuple[str, ...]:
    """Return when Argo CD deletes a hook: before it is created again, unless another policy is set."""
    own = _words(item, f"{GROUP}/hook-delete-policy")
    helm = (_HELM_POLICIES.get(word, "") for word in _words(item, f"{_HELM_HOOK}-delete-policy"))
    named = (*own, *helm)
    return tuple(policy for policy in _POLICIES if policy in named) or (BEFORE_CREATION,)


def has_generated_name(item: JsonObject) -> bool:
    """Return whether Argo CD draws the name of a hook, another one for each sync."""
    return bool(hook_phases(item)) and bool(text_at(item, "metadata", "generateName"))


def is_new_in_each_sync(item: JsonObject) -> bool:
    """Return whether a hook is created by a sync although an earlier one succeeded, without being deleted before."""
    policies = delete_policies(item)
    is_deleted = AFTER_SUCCESS in policies and BEFORE_CREATION not in policies
    return bool(hook_phases(item)) and (is_deleted or has_generated_name(item))
