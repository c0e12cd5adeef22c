"""The page on rights keeps its word: its roles are enough, its commands run, and nothing but GET is ever sent."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
import yaml

from kubectl_applylint.core.values import JsonObject
from tests.cluster.cluster import EVERYTHING, RIGHTS, WITHOUT_SECRETS, Cluster
from tests.cluster.proxy import Exchange, recording

(COMMANDS,) = re.findall(r"^```sh\n(.*?)^```$", RIGHTS, re.MULTILINE | re.DOTALL)
(MISSING,) = re.findall(r"^```text\n(.*?)^```$", RIGHTS, re.MULTILINE | re.DOTALL)
ROLES = "/apis/rbac.authorization.k8s.io/v1"
FORBIDDEN = 403


def manifests(namespace: str) -> list[JsonObject]:
    """Return so many ConfigMaps that they are listed, a Deployment that is got, and a Secret."""
    template = {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "web", "image": "web:1"}]}}
    bodies: list[tuple[str, str, str, JsonObject]] = [
        *(("v1", "ConfigMap", f"settings-{number}", {"data": {"a": "b"}}) for number in range(5)),
        ("apps/v1", "Deployment", "web", {"spec": {"selector": {"matchLabels": {"app": "web"}}, "template": template}}),
        ("v1", "Secret", "token", {"data": {"password": "aHVudGVyMg=="}}),
    ]
    return [
        {"apiVersion": version, "kind": kind, "metadata": {"name": name, "namespace": namespace}, **body}
        for version, kind, name, body in bodies
    ]


@pytest.fixture(name="folder")
def _folder(tmp_path: Path, cluster: Cluster, namespace: str) -> Iterator[Path]:
    """Return a folder whose ``deploy`` is applied; what the page creates is deleted afterwards."""
    (tmp_path / "deploy").mkdir()
    for number, item in enumerate(manifests(namespace)):
        (tmp_path / "deploy" / f"{number}.json").write_text(json.dumps(item))
    assert cluster.run("apply", "-f", str(tmp_path / "deploy")).code == 0
    yield tmp_path
    cluster.delete(f"{ROLES}/clusterrolebindings/applylint")
    cluster.delete(f"{ROLES}/clusterroles/applylint")
    cluster.delete("/api/v1/namespaces/default/serviceaccounts/applylint")


def environment(cluster: Cluster, folder: Path) -> dict[str, str]:
    """Return an environment in which kubectl and the plugin are found."""
    path = os.pathsep.join([str(cluster.kubectl.parent), str(Path(sys.executable).parent), os.environ["PATH"]])
    return {**os.environ, "PATH": path, "KUBECONFIG": str(cluster.kubeconfig), "KUBECACHEDIR": str(folder / "cache")}


@pytest.mark.parametrize(("role", "code"), [(EVERYTHING, 0), (WITHOUT_SECRETS, 3)], ids=["everything", "no secrets"])
def test_the_commands_of_the_page(role: str, code: int, cluster: Cluster, namespace: str, folder: Path) -> None:
    (folder / "role.yaml").write_text(role)

    done = subprocess.run(
        ["bash", "-e", "-c", COMMANDS],
        cwd=folder,
        env=environment(cluster, folder),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )

    problems = [line for line in done.stdout.splitlines(keepends=True) if "problem: " in line]
    assert done.returncode == code, done.stdout + done.stderr
    assert problems == ([MISSING.replace("shop", namespace).replace("cluster prod", "cluster test")] if code else [])
    assert "in 7 objects" in done.stdout


def record_exchanges(reader: Cluster, folder: Path, *commands: Sequence[str]) -> tuple[Exchange, ...]:
    """Run the plugin as a user, and return its requests and their replies."""
    with recording(reader.api) as proxy:
        behind = reader.reached_through(proxy.url)
        for command in commands:
            done = subprocess.run(
                [str(reader.kubectl), "applylint", *command],
                cwd=folder,
                env=environment(behind, folder),
                capture_output=True,
                encoding="utf-8",
                check=False,
            )
            assert done.returncode == 0, done.stdout + done.stderr
        return proxy.take()


def test_nothing_but_get_is_sent_and_every_question_is_granted(cluster: Cluster, namespace: str, folder: Path) -> None:
    by_files, by_itself = ["-f", "deploy"], ["-n", namespace]
    commands = [[command, *flags] for command in ("check", "plan") for flags in (by_files, by_itself)]

    with cluster.user(yaml.safe_load(EVERYTHING)["rules"]) as reader:
        exchanges = record_exchanges(reader, folder, *commands)

    assert {exchange.method for exchange in exchanges} == {"GET"}
    assert [exchange.body for exchange in exchanges if exchange.body] == []
    assert [exchange.path for exchange in exchanges if exchange.status == FORBIDDEN] == []
    assert any(exchange.path.endswith(f"/namespaces/{namespace}/configmaps") for exchange in exchanges)


def test_the_role_without_secrets_is_enough_for_the_rest(cluster: Cluster, namespace: str, folder: Path) -> None:
    spec = {"containers": [{"name": "web", "image": "web:1"}]}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "new", "namespace": namespace}, "spec": spec}
    (folder / "deploy" / "6.json").write_text(json.dumps(pod))

    with cluster.user(yaml.safe_load(WITHOUT_SECRETS)["rules"]) as reader:
        exchanges = record_exchanges(reader, folder, ["check", "-f", "deploy"], ["plan", "-f", "deploy"])

    assert {(exchange.method, exchange.status == FORBIDDEN) for exchange in exchanges} == {("GET", False)}
    assert any(exchange.path.endswith(f"/namespaces/{namespace}/serviceaccounts") for exchange in exchanges)
