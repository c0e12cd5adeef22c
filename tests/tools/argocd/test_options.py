"""The sync options, waves and hooks of objects, as gitops-engine reads their annotations."""

import pytest

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.tools.argocd.options import (
    GROUP,
    SYNC_OPTIONS,
    delete_policies,
    has_generated_name,
    hook_phases,
    is_hook,
    is_never_synced,
    is_new_in_each_sync,
    options_of,
    prune_option,
    request_options,
    unpredicted_options,
    wave_of,
)


def item(**annotations: Json) -> JsonObject:
    """Return an object with these annotations; ``_`` stands for ``-``, and all but those of Helm belong to Argo CD."""
    named = {key.replace("_", "-"): text for key, text in annotations.items()}
    keys = {key if key.startswith("helm") else f"{GROUP}/{key}": text for key, text in named.items()}
    return {"kind": "ConfigMap", "metadata": {"name": "a", "annotations": keys}}


def test_options_are_separated_by_commas() -> None:
    found = item(sync_options=" Prune=false,Replace=true , ,Prune=confirm")

    assert options_of(found) == ("Prune=false", "Replace=true", "Prune=confirm")
    assert prune_option(found) == "Prune=false"
    assert (options_of(None), prune_option(item())) == ((), "")


def test_annotations_with_an_invalid_one_are_not_read() -> None:
    assert options_of({"metadata": {"annotations": {SYNC_OPTIONS: "Force=true", "a": 1}}}) == ()


def test_options_of_an_application_that_are_not_predicted_are_known() -> None:
    options = ["ServerSideApply=true", "RespectIgnoreDifferences=true", "FailOnSharedResource=false", "New=true"]

    assert unpredicted_options(options) == ("New=true",)


@pytest.mark.parametrize(
    ("annotations", "wave"),
    [
        ({}, 0),
        ({"sync_wave": "-2"}, -2),
        ({"sync_wave": "x"}, 0),
        ({"helm.sh/hook-weight": "3"}, 3),
        ({"sync_wave": "x", "helm.sh/hook-weight": "3"}, 3),
    ],
)
def test_a_wave_is_an_integer(annotations: dict[str, Json], wave: int) -> None:
    assert wave_of(item(**annotations)) == wave


def test_hooks_are_those_of_argocd_and_of_helm() -> None:
    assert is_hook(item(hook="PreSync"))
    assert is_hook(item(**{"helm.sh/hook": "pre-install"}))
    assert not is_hook(item(**{"helm.sh/hook": "crd-install"}))
    assert not is_hook(item())
    assert (is_hook(item(hook="Skip")), is_never_synced(item(hook="Skip"))) == (False, True)
    assert not is_never_synced(item(hook="Skip,Sync"))


@pytest.mark.parametrize(
    ("annotations", "phases"),
    [
        ({"hook": "PreSync"}, ("PreSync",)),
        ({"hook": "PostSync, PreSync"}, ("PreSync", "PostSync")),
        ({"hook": "SyncFail"}, ()),
        ({"hook": "Skip"}, ()),
        ({"hook": "PreDelete"}, ()),
        ({"hook": "None", "helm.sh/hook": "pre-install"}, ("PreSync",)),
        ({"hook": "Sync", "helm.sh/hook": "pre-install"}, ("Sync",)),
        ({"helm.sh/hook": "post-upgrade,pre-install"}, ("PreSync", "PostSync")),
        ({"helm.sh/hook": "test"}, ()),
        ({"helm.sh/hook": "crd-install"}, ()),
        ({}, ()),
    ],
)
def test_the_phases_of_a_hook(annotations: dict[str, str], phases: tuple[str, ...]) -> None:
    assert hook_phases(item(**annotations)) == phases


@pytest.mark.parametrize(
    ("annotations", "policies", "is_deleted"),
    [
        ({}, ("BeforeHookCreation",), False),
        ({"hook-delete-policy": "HookSucceeded"}, ("HookSucceeded",), True),
        ({"hook-delete-policy": "HookFailed"}, ("HookFailed",), False),
        ({"hook-delete-policy": "Never"}, ("BeforeHookCreation",), False),
        ({"helm.sh/hook-delete-policy": "hook-succeeded"}, ("HookSucceeded",), True),
        (
            {"hook-delete-policy": "HookSucceeded", "helm.sh/hook-delete-policy": "before-hook-creation"},
            ("BeforeHookCreation", "HookSucceeded"),
            False,
        ),
    ],
)
def test_hooks_deleted_on_success_are_new_in_each_sync(
    annotations: dict[str, str], policies: tuple[str, ...], is_deleted: bool
) -> None:
    hook = item(hook="PreSync", **annotations)

    assert (delete_policies(hook), is_new_in_each_sync(hook)) == (policies, is_deleted)
    assert not is_new_in_each_sync(item(**annotations))


def test_a_hook_with_a_generated_name_is_new_in_each_sync() -> None:
    hook, other = (
        {**one, "metadata": {**one["metadata"], "generateName": "a-"}} for one in (item(hook="Sync"), item())
    )

    assert has_generated_name(hook)
    assert is_new_in_each_sync(hook)
    assert not has_generated_name(other)
    assert not is_new_in_each_sync(other)


def test_some_options_decide_with_which_requests_objects_are_applied() -> None:
    options = [
        "ServerSideApply=true",
        "Replace=false",
        "RespectIgnoreDifferences=true",
        "ClientSideApplyMigration=false",
    ]

    assert request_options(options) == {"ServerSideApply=true", "ClientSideApplyMigration=false"}
