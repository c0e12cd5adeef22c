"""Whatever keeps a real kubectl from its server keeps the plugin from it too: one report, nothing examined."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

import pytest

from tests.cluster.cluster import Cluster
from tests.sources.apiserver import pem

NO_SELECTOR = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {}}\n"
Flags: TypeAlias = Callable[[Cluster, Path], list[str]]


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


@pytest.fixture(name="reader", scope="module")
def _reader(cluster: Cluster) -> Iterator[Cluster]:
    """The cluster as a user has it who may only read; no proxy, since what fails is the connection."""
    with cluster.user() as user:
        yield user


def without_server(cluster: Cluster, folder: Path) -> list[str]:
    content = json.loads(cluster.kubeconfig.read_text())
    del content["clusters"][0]["cluster"]["server"]
    (folder / "config").write_text(json.dumps(content))
    return [f"--kubeconfig={folder / 'config'}"]


@contextmanager
def silent() -> Iterator[int]:
    """Listen and never answer."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        yield listening.getsockname()[1]


def plugin(cluster: Cluster, folder: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    """Let kubectl run ``check`` on a manifest that is wrong by itself."""
    (folder / "web.yaml").write_text(NO_SELECTOR)
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(
        [str(cluster.kubectl), "applylint", "check", "-f", "web.yaml", f"--cache-dir={folder / 'cache'}", *flags],
        cwd=folder,
        env={**os.environ, "PATH": path, "KUBECONFIG": str(cluster.kubeconfig)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def assert_incomplete(done: subprocess.CompletedProcess[str], message: str) -> None:
    (problem,) = (line for line in done.stderr.splitlines() if "problem: " in line)

    assert message in problem
    assert done.returncode == 3
    assert done.stdout == "", "an error of a fresh install would be a false one"
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (without_server, "the cluster has no server"),
        (lambda cluster, folder: ["--token=expired"], "does not accept the credentials of user 'test' (401)"),
        (
            lambda cluster, folder: [f"--certificate-authority={pem('other-authority.crt')}"],
            "is signed by an authority that is not trusted",
        ),
        (lambda cluster, folder: [f"--server=https://127.0.0.1:{free_port()}"], "it refused the connection"),
        (
            lambda cluster, folder: ["--tls-server-name=elsewhere.example"],
            "is not for",
        ),
    ],
    ids=["no server", "expired token", "wrong authority", "refused", "other name"],
)
def test_a_server_that_cannot_be_asked(flags: Flags, message: str, reader: Cluster, tmp_path: Path) -> None:
    if reader.authority is None:
        pytest.skip("the cluster's certificate is one that everybody trusts")

    assert_incomplete(plugin(reader, tmp_path, *flags(reader, tmp_path)), message)


def test_a_server_that_hangs(reader: Cluster, tmp_path: Path) -> None:
    with silent() as port:
        done = plugin(reader, tmp_path, f"--server=https://127.0.0.1:{port}", "--request-timeout=1s")

    assert_incomplete(done, "did not answer within 1 s")


def test_a_right_that_is_missing(cluster: Cluster, tmp_path: Path) -> None:
    rules = [{"apiGroups": [""], "resources": ["*"], "verbs": ["get", "list"]}]
    with cluster.user(rules) as reader:
        done = plugin(reader, tmp_path)

    (problem,) = (line for line in done.stdout.splitlines() if "problem: " in line)

    assert " cannot get deployments.apps in namespace default (1 object skipped)" in problem
    assert "web.yaml:4:1: error: " in done.stdout, "what the manifest shows by itself is found all the same"
    assert done.returncode == 3
