"""Effects of accounts on new pods, as kube-apiserver 1.36.3 answers."""

import pytest

from kubectl_applylint.core.state import ListScope, Unknown
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.server.admission.attributes import AdmissionAttributes, Mutation
from kubectl_applylint.server.admission.service_account import mutate
from kubectl_applylint.server.write import Stored
from tests.server.admission.account_cases import ACCOUNT_CASES, AccountCase
from tests.server.admission.objects import answer_to_create, cluster_view, status_and_messages, write_of_pod
from tests.server.stored import kind_of

ACCOUNTS: ListScope = ("", "ServiceAccount", "shop")
ENABLED: frozenset[str] = frozenset()
POD = AccountCase({}).pod("shop")


@pytest.mark.parametrize("case", ACCOUNT_CASES)
def test_accounts_add_tokens_or_reject_pods(case: AccountCase) -> None:
    answer = answer_to_create(case.pod("shop"), cluster_view(case.robot("shop"), whole=[ACCOUNTS]), disabled=ENABLED)
    words = case.said.format(place="shop")

    assert status_and_messages(answer) == ((403, [f'pods "x" is forbidden: {words}']) if words else (0, []))
    assert words or isinstance(answer, Stored)
    if isinstance(answer, Stored):
        spec = answer.object["spec"]
        assert tuple(secret["name"] for secret in spec.get("imagePullSecrets", [])) == case.pulled
        assert bool(spec["containers"][0].get("volumeMounts")) == case.has_token
        assert not any("imagePullSecrets" in reason for reason in answer.confidence.reasons)


def test_an_unknown_account_is_assumed_to_have_no_pull_secrets() -> None:
    answer = answer_to_create(POD, cluster_view(), disabled=ENABLED)

    assert isinstance(answer, Stored)
    assert "assumed: the ServiceAccount names no imagePullSecrets" in answer.confidence.reasons


def test_the_default_account_comes_with_the_namespace() -> None:
    pod = AccountCase({"serviceAccountName": ""}).pod("shop")

    assert status_and_messages(answer_to_create(pod, cluster_view(whole=[ACCOUNTS]), disabled=ENABLED)) == (0, [])


MIRROR = {**POD, "metadata": {**POD["metadata"], "annotations": {"kubernetes.io/config.mirror": "x"}}}


@pytest.mark.parametrize(("new", "old"), [(MIRROR, None), (POD, POD)], ids=["mirror", "pod that is there"])
def test_others_need_no_account(new: JsonObject, old: JsonObject | None) -> None:
    assert mutate(AdmissionAttributes(new, old, kind_of(new), 36, cluster_view(whole=[ACCOUNTS]))) == Mutation(new)


PATH = "/var/run/secrets/kubernetes.io/serviceaccount"


def test_a_pod_gets_a_token_of_its_service_account() -> None:
    spec = mutate(write_of_pod({"containers": [{"name": "c"}]})).object["spec"]
    (mount,), (volume,) = spec["containers"][0]["volumeMounts"], spec["volumes"]

    assert (spec["serviceAccountName"], spec["serviceAccount"]) == ("default", "default")
    assert (mount["mountPath"], mount["readOnly"], isinstance(mount["name"], Unknown)) == (PATH, True, True)
    assert (volume["name"], sorted(volume)) == (mount["name"], ["name", "projected"])


@pytest.mark.parametrize(
    ("spec", "mounts"),
    [
        pytest.param({"automountServiceAccountToken": False}, [None], id="not wanted"),
        pytest.param(
            {"containers": [{"volumeMounts": [{"mountPath": PATH}]}]}, [[{"mountPath": PATH}]], id="it has one"
        ),
    ],
)
def test_a_pod_that_gets_no_token(spec: JsonObject, mounts: list[object]) -> None:
    result = mutate(write_of_pod({"containers": [{}], **spec})).object["spec"]

    assert [container.get("volumeMounts") for container in result["containers"]] == mounts
    assert "volumes" not in result


def test_a_token_volume_that_is_written_is_used() -> None:
    written = {"name": "kube-api-access-mine", "emptyDir": {}}
    spec: JsonObject = {"containers": [{}], "initContainers": [{}], "volumes": [written]}
    result = mutate(write_of_pod(spec)).object["spec"]
    mount = {"name": "kube-api-access-mine", "readOnly": True, "mountPath": PATH}

    assert result["volumes"] == [written]
    assert (result["containers"], result["initContainers"]) == (
        [{"volumeMounts": [mount]}],
        [{"volumeMounts": [mount]}],
    )
