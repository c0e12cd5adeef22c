"""What accounts give to new pods and keep from them, as kube-apiserver 1.36.3 answers it."""

import pytest

from kubectl_applylint.core.state import Shelf
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.server.answer import Stored
from kubectl_applylint.server.plugins.accounts import refuse
from kubectl_applylint.server.plugins.asked import Asked
from tests.server.plugins.account_cases import ACCOUNT_CASES, AccountCase
from tests.server.plugins.objects import around, created, said
from tests.server.stored import kind_of

ACCOUNTS: Shelf = ("", "ServiceAccount", "shop")
ENABLED: frozenset[str] = frozenset()
POD = AccountCase({}).pod("shop")


@pytest.mark.parametrize("case", ACCOUNT_CASES)
def test_what_accounts_give_and_keep(case: AccountCase) -> None:
    answer = created(case.pod("shop"), around(case.robot("shop"), whole=[ACCOUNTS]), disabled=ENABLED)
    words = case.said.format(place="shop")

    assert said(answer) == ((403, [f'pods "x" is forbidden: {words}']) if words else (0, []))
    assert words or isinstance(answer, Stored)
    if isinstance(answer, Stored):
        spec = answer.object["spec"]
        assert tuple(secret["name"] for secret in spec.get("imagePullSecrets", [])) == case.pulled
        assert bool(spec["containers"][0].get("volumeMounts")) == case.has_token
        assert not any("imagePullSecrets" in reason for reason in answer.confidence.reasons)


def test_of_an_account_that_nobody_knows_no_pull_secrets_are_assumed() -> None:
    answer = created(POD, around(), disabled=ENABLED)

    assert isinstance(answer, Stored)
    assert "taken for granted: the ServiceAccount names no imagePullSecrets" in answer.confidence.reasons


def test_the_default_account_comes_with_the_namespace() -> None:
    pod = AccountCase({"serviceAccountName": ""}).pod("shop")

    assert said(created(pod, around(whole=[ACCOUNTS]), disabled=ENABLED)) == (0, [])


MIRROR = {**POD, "metadata": {**POD["metadata"], "annotations": {"kubernetes.io/config.mirror": "x"}}}
SETTINGS: JsonObject = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": POD["metadata"]}


@pytest.mark.parametrize(
    ("new", "old"), [(MIRROR, None), (SETTINGS, None), (POD, POD)], ids=["mirror", "no pod", "pod that is there"]
)
def test_others_need_no_account(new: JsonObject, old: JsonObject | None) -> None:
    assert refuse(Asked(new, old, kind_of(new), 36, around(whole=[ACCOUNTS]))) is None
