"""Pods on a server with the plugin ServiceAccount, and the predictions about their accounts."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from kubectl_applylint.cli import kubectl_applylint
from tests.cluster.build import programs
from tests.cluster.cluster import Cluster, own
from tests.cluster.server import running
from tests.server.admission.account_cases import ACCOUNT_CASES, AccountCase


@pytest.fixture(name="strict", scope="module")
def _strict(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A server of its own, whose pods need accounts."""
    if cluster.has_controllers or not cluster.version.startswith("v1.36."):
        pytest.skip("the recordings are those of our own server, 1.36")
    found, folder = programs(os.environ), tmp_path_factory.mktemp("strict")
    with running(found, folder, disabled=()) as server:
        yield own(server, found.kubectl, folder)


@pytest.mark.parametrize("case", ACCOUNT_CASES)
def test_accounts_on_the_server(strict: Cluster, case: AccountCase) -> None:
    place = strict.make_namespace()
    assert strict.post(f"/api/v1/namespaces/{place}/serviceaccounts", case.robot(place)).ok
    reply = strict.post(f"/api/v1/namespaces/{place}/pods?dryRun=All", case.pod(place))
    words = case.said.format(place=place)

    assert reply.ok == (not words), reply.json
    if words:
        assert reply.json["message"] == f'pods "x" is forbidden: {words}'
    else:
        spec = reply.json["spec"]
        assert tuple(secret["name"] for secret in spec.get("imagePullSecrets", [])) == case.pulled
        assert bool(spec["containers"][0].get("volumeMounts")) == case.has_token


def test_a_set_that_brings_the_account(strict: Cluster, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = strict.make_namespace()
    case = AccountCase({}, {"imagePullSecrets": [{"name": "p"}]})
    file = tmp_path / "x.json"
    file.write_text("\n---\n".join(json.dumps(item) for item in (case.robot(place), case.pod(place))))
    flags = (f"--kubeconfig={strict.kubeconfig}", f"--cache-dir={tmp_path}", "--kubernetes-version=1.36")
    code = kubectl_applylint(["plan", str(file), "-o", "json", *flags])
    (_, pod) = json.loads(capsys.readouterr().out)["objects"]
    applied = strict.run("apply", "-f", str(file))
    stored = strict.get(f"/api/v1/namespaces/{place}/pods/x").json

    assert (code, applied.code) == (0, 0), applied.stderr
    assert pod["result"]["spec"]["imagePullSecrets"] == stored["spec"]["imagePullSecrets"] == [{"name": "p"}]
    assert "imagePullSecrets" not in json.dumps(pod["confidence"])
