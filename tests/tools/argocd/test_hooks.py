"""Hooks of a sync, as gitops-engine treats them."""

import pytest

from kubectl_applylint.appliers.request import Applier, ApplyRequest
from kubectl_applylint.core.state import Absent, State
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.tools.argocd.hooks import hook_words, with_finalizer, with_name, without_finalizer
from tests.tools.argocd.test_write import SCHEMA

FINALIZER = "argocd.argoproj.io/hook-finalizer"


def request(item: JsonObject) -> ApplyRequest:
    return ApplyRequest(item, State(Absent()), SCHEMA, Applier.ARGOCD)


def hook(*finalizers: str, **annotations: str) -> JsonObject:
    named = {f"argocd.argoproj.io/{key.replace('_', '-')}": text for key, text in annotations.items()}
    metadata = {"name": "a", "annotations": named, **({"finalizers": [*finalizers]} if finalizers else {})}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata}


@pytest.mark.parametrize(
    ("item", "words"),
    [
        (
            hook(hook="PreSync"),
            "it runs before all other objects (PreSync); each sync deletes and creates it (BeforeHookCreation)",
        ),
        (
            hook(hook="PostSync,Sync", hook_delete_policy="HookFailed,HookSucceeded"),
            "it runs with the other objects (Sync) and after all other objects are healthy (PostSync); "
            "it is deleted when it has succeeded (HookSucceeded), it is deleted when it has failed (HookFailed)",
        ),
    ],
)
def test_hooks_are_described_with_their_phase_and_deletion(item: JsonObject, words: str) -> None:
    assert hook_words(item) == f"hook of Argo CD: {words}"


def with_generated_name(item: JsonObject) -> JsonObject:
    rest = {key: value for key, value in item["metadata"].items() if key != "name"}
    return {**item, "metadata": {**rest, "generateName": "migrate-"}}


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        ("BeforeHookCreation", "each sync creates another one (generateName)"),
        (
            "HookSucceeded",
            "each sync creates another one (generateName), it is deleted when it has succeeded (HookSucceeded)",
        ),
    ],
)
def test_argo_cd_draws_a_name_for_each_sync(policy: str, words: str) -> None:
    item = with_generated_name(hook(hook="PostSync", hook_delete_policy=policy))
    named = with_name(item)

    assert named["metadata"]["name"] == "migrate-0000000-postsync-0"
    assert hook_words(named).partition("; ")[2] == words
    assert with_name(named) is named
    assert with_name(other := with_generated_name(hook())) is other


@pytest.mark.parametrize("own", [(), ("example.com/held",)])
def test_a_hook_has_a_finalizer_until_it_has_run(own: tuple[str, ...]) -> None:
    item = hook(*own, hook="Sync")
    sent = with_finalizer(request(item)).manifest

    assert sent["metadata"]["finalizers"] == [*own, FINALIZER]
    assert with_finalizer(request(sent)).manifest is sent
    assert without_finalizer(sent) == item
    assert without_finalizer(item) is item
