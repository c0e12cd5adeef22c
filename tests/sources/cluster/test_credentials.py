import base64
import json
import stat
from pathlib import Path

import pytest

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.sources.cluster.credentials import authenticate
from kubectl_applylint.sources.cluster.http_result import NoCluster
from kubectl_applylint.sources.cluster.target import ClusterTarget


def target(user: JsonObject, server: str = "https://host") -> ClusterTarget:
    return ClusterTarget("cluster prod", "default", server, "jane", {"server": server}, user)


def user_of(user: JsonObject, server: str = "https://host") -> JsonObject:
    ready = authenticate(target(user, server))
    assert isinstance(ready, ClusterTarget), ready
    return ready.user


def problem_of(user: JsonObject) -> Problem:
    refused = authenticate(target(user))
    assert isinstance(refused, NoCluster), refused
    assert refused.problem.where == "cluster prod"
    return refused.problem


def plugin(folder: Path, script: str, **settings: Json) -> JsonObject:
    path = folder / "login"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(stat.S_IRWXU)
    return {"exec": {"apiVersion": "client.authentication.k8s.io/v1", "command": str(path), **settings}}


def saying(status: JsonObject, api_version: str = "client.authentication.k8s.io/v1") -> str:
    return f"echo '{json.dumps({'apiVersion': api_version, 'kind': 'ExecCredential', 'status': status})}'"


def test_only_supported_credentials_are_kept() -> None:
    user = {"token": "t", "username": "u", "password": "p", "client-key-data": "k", "as": "a", "as-groups": ["g"]}

    assert user_of({**user, "exec": {}, "auth-provider": {}, "other": 1}) == user


def test_without_tls_no_credentials_are_sent() -> None:
    assert user_of({"token": "t", "as": "a", "exec": {}}, "http://host") == {"as": "a"}


def test_a_token_file_outranks_a_token(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("from file\n")

    assert user_of({"token": "t", "tokenFile": str(tmp_path / "token")}) == {"token": "from file"}
    assert user_of({"token": "t", "tokenFile": "/nowhere"}) == {"token": "t"}
    assert problem_of({"tokenFile": "/nowhere"}).message == "cannot read the token of user 'jane', /nowhere"


def test_a_plugin_gives_a_token(tmp_path: Path) -> None:
    script = 'test "$REGION" = here && test "$1" = --now || exit 3\n' + saying({"token": "t0ken"})
    user = plugin(tmp_path, script, args=["--now"], env=[{"name": "REGION", "value": "here"}])

    assert user_of({**user, "as": "a"}) == {"token": "t0ken", "as": "a"}


def test_a_plugin_gives_a_certificate(tmp_path: Path) -> None:
    user = plugin(tmp_path, saying({"clientCertificateData": "CERT", "clientKeyData": "KEY"}))

    assert user_of(user) == {
        "client-certificate-data": base64.b64encode(b"CERT").decode(),
        "client-key-data": base64.b64encode(b"KEY").decode(),
    }


def test_a_plugin_gets_the_cluster_on_request(tmp_path: Path) -> None:
    script = 'case "$KUBERNETES_EXEC_INFO" in *https://host*) ;; *) exit 4;; esac\n' + saying({"token": "t"})

    assert user_of(plugin(tmp_path, script, provideClusterInfo=True)) == {"token": "t"}
    assert "failed: it exited with 4" in problem_of(plugin(tmp_path, script)).message


def test_a_plugin_runs_only_where_nothing_else_is_given(tmp_path: Path) -> None:
    user = plugin(tmp_path, "touch ran; exit 1")

    assert user_of({**user, "token": "t"}) == {"token": "t"}


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("echo 'please log in' >&2; exit 7", "failed: it exited with 7: please log in"),
        (
            "echo 'token eyJhbGciOiJSUzI1NiIsImtpZCI6IiJ9 is over' >&2; exit 1",
            "failed: it exited with 1: token … is over",
        ),
        ("echo s3cret", "failed: its output is not JSON"),
        ("echo '[]'", "failed: its output is not an ExecCredential"),
        (saying({"token": "s3cret"}, "v0"), "failed: its output is not in version client.authenticat"),
        (saying({"clientKeyData": "s3cret"}), "returned neither a token nor a certificate with its key"),
        ("printf '\\377'", "failed"),
        (saying({"token": None}), "returned neither a token nor a certificate with its key"),
    ],
    ids=["exit code", "token in the error", "no JSON", "list", "version", "half a certificate", "no text", "null"],
)
def test_a_plugin_that_fails(script: str, message: str, tmp_path: Path) -> None:
    found = problem_of(plugin(tmp_path, script)).message

    assert found.startswith(f"the credential plugin '{tmp_path / 'login'}' of user 'jane' {message}")
    assert "s3cret" not in found


@pytest.mark.parametrize(
    ("settings", "message", "advice"),
    [
        ({"command": "no-such-login"}, "cannot be run: no such file or directory", "install it"),
        ({"command": "no-such-login", "installHint": "brew it"}, "cannot be run: no such file or directory", "brew it"),
        ({"command": "/"}, "cannot be run: permission denied", "install it"),
        ({"apiVersion": None}, "failed", "run sh manually for details"),
        ({"env": ["A=1"]}, "failed", "run sh manually for details"),
    ],
    ids=["missing", "hint", "folder", "no version", "environment"],
)
def test_a_plugin_that_cannot_run(settings: JsonObject, message: str, advice: str) -> None:
    entry = {"apiVersion": "client.authentication.k8s.io/v1", "command": "sh", "args": ["-c", "exit 0"], **settings}

    found = problem_of({"exec": entry})

    assert found.message.startswith(f"the credential plugin '{entry['command']}' of user 'jane' {message}")
    assert found.advice == advice


def test_a_plugin_without_command() -> None:
    assert problem_of({"exec": {"apiVersion": "v1"}}).message.endswith("failed: the kubeconfig has no command for it")


@pytest.mark.parametrize(
    ("provider", "expected"),
    [
        ({"name": "oidc", "config": {"id-token": "t"}}, {"token": "t"}),
        ({"name": "oidc", "config": {}}, "the OpenID Connect login has no token"),
        ({"name": "gcp"}, "user 'jane' needs the auth-provider 'gcp'"),
    ],
    ids=["token", "no token", "given up"],
)
def test_auth_providers(provider: JsonObject, expected: JsonObject | str) -> None:
    if isinstance(expected, str):
        assert problem_of({"auth-provider": provider}).message == expected
    else:
        assert user_of({"auth-provider": provider}) == expected
