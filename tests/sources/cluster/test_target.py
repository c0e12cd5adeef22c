from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.sources.cluster.connection import Connection, Environment
from kubectl_applylint.sources.cluster.http_result import NoCluster
from kubectl_applylint.sources.cluster.kubeconfig import Kubeconfig
from kubectl_applylint.sources.cluster.target import DEFAULT_TIMEOUT, ClusterTarget, select
from tests.sources.apiserver import pem

AROUND = Environment({}, "/home/me", "/nowhere")
KUBECONFIG = Kubeconfig(
    files=("/home/me/.kube/config",),
    current_context="prod",
    contexts={
        "prod": {"cluster": "big", "user": "jane", "namespace": "shop"},
        "dev": {"cluster": "small", "user": "joe"},
        "anonymous": {"cluster": "small"},
        "lost": {"cluster": "gone", "user": "jane"},
        "nobody": {"cluster": "small", "user": "gone"},
    },
    clusters={
        "big": {"server": "https://big:6443/", "certificate-authority-data": "Q0E=", "tls-server-name": "api.big"},
        "small": {"server": "http://small:8080"},
        "none": {},
    },
    users={"jane": {"token": "t0ken", "tokenFile": "/t"}, "joe": {"exec": {"command": "login"}}},
)


def chosen(kubeconfig: Kubeconfig = KUBECONFIG, cluster_view: Environment = AROUND, **flags: Any) -> ClusterTarget:
    target = select(kubeconfig, Connection(**flags), cluster_view)
    assert isinstance(target, ClusterTarget), target
    return target


def select_problem(kubeconfig: Kubeconfig = KUBECONFIG, cluster_view: Environment = AROUND, **flags: Any) -> NoCluster:
    target = select(kubeconfig, Connection(**flags), cluster_view)
    assert isinstance(target, NoCluster), target
    return target


def with_cluster(cluster: JsonObject, user: JsonObject | None = None) -> Kubeconfig:
    return Kubeconfig(("k",), "c", {"c": {"cluster": "c", "user": "u"}}, {"c": cluster}, {"u": user or {}})


def test_the_current_context_names_all() -> None:
    target = chosen()

    assert (target.name, target.server, target.namespace) == ("cluster prod", "https://big:6443", "shop")
    assert (target.user_name, target.user["token"], target.secure) == ("jane", "t0ken", True)
    assert (target.timeout, target.proxy) == (DEFAULT_TIMEOUT, "")


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ({"context": "dev"}, ("cluster dev", "http://small:8080", "default", "joe")),
        ({"cluster": "small"}, ("cluster small", "http://small:8080", "shop", "jane")),
        ({"user": "joe", "namespace": "mine"}, ("cluster prod", "https://big:6443", "mine", "joe")),
        ({"server": "https://other"}, ("cluster https://other", "https://other", "shop", "jane")),
        ({"context": "anonymous"}, ("cluster anonymous", "http://small:8080", "default", "")),
        ({"context": "lost", "server": "https://x"}, ("cluster https://x", "https://x", "default", "jane")),
        ({"context": "nobody", "token": "x"}, ("cluster nobody", "http://small:8080", "default", "gone")),
    ],
    ids=["context", "cluster", "user and namespace", "server", "no user", "server for a lost one", "token for nobody"],
)
def test_flags_choose_and_override(flags: Any, expected: tuple[str, ...]) -> None:
    target = chosen(**flags)

    assert (target.name, target.server, target.namespace, target.user_name) == expected


def test_flags_can_do_without_a_kubeconfig() -> None:
    target = chosen(Kubeconfig(), server="https://host:6443", token="t")

    assert (target.name, target.user) == ("cluster https://host:6443", {"token": "t"})
    assert chosen(replace(KUBECONFIG, current_context=""), cluster="big").cluster["tls-server-name"] == "api.big"


@pytest.mark.parametrize(
    ("flags", "where", "message", "wrong_use"),
    [
        ({"context": "x"}, "--context", "the context 'x' does not exist", True),
        ({"cluster": "x"}, "--cluster", "the cluster 'x' does not exist", True),
        ({"user": "x"}, "--user", "the user 'x' does not exist", True),
        ({"context": "lost"}, "", "the cluster 'gone' does not exist, but the context 'lost' refers to it", False),
        ({"context": "nobody"}, "", "the user 'gone' does not exist, but the context 'nobody' refers to it", False),
        ({"cluster": "none"}, "", "the cluster has no server", False),
        ({"server": "ftp://x"}, "--server", "the server address is not a URL", True),
        ({"server": "https://"}, "--server", "the server address is not a URL", True),
        ({"server": "https://x:port"}, "--server", "the server address is not a URL", True),
        ({"request_timeout": "soon"}, "--request-timeout", None, True),
        ({"as_groups": ("a",)}, "--as-group", "impersonating a uid, groups or extras requires a user", True),
        ({"as_user": "a", "as_user_extra": ("scopes",)}, "--as-user-extra", "'scopes' is not key=value", True),
        ({"client_certificate": "/x"}, "--client-certificate", "the client certificate has no client key", True),
        ({"certificate_authority": "/x"}, "/x", "cannot read this file: no such file or directory", True),
        (
            {"certificate_authority": "/x", "insecure_skip_tls_verify": True},
            "--insecure-skip-tls-verify",
            "insecure-skip-tls-verify and a certificate authority are mutually exclusive",
            True,
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, dict) else "",
)
def test_invalid_flags_are_rejected(flags: Any, where: str, message: str | None, wrong_use: bool) -> None:
    found = select_problem(**flags)

    assert found.problem.where == (where or "/home/me/.kube/config")
    assert found.problem.message == (message or "not a length of time: 'soon'; write it like 10s, 2m or 1h")
    assert found.is_usage_error is wrong_use


@pytest.mark.parametrize(
    ("kubeconfig", "message"),
    [
        (Kubeconfig(), "no kubeconfig found, so the cluster is unknown"),
        (replace(KUBECONFIG, current_context=""), "the kubeconfig has no current context"),
        (replace(KUBECONFIG, current_context="x"), "the context 'x' does not exist"),
        (with_cluster({}), "the cluster has no server"),
        (with_cluster({"server": "nonsense/path:x"}), "the server address is not a URL"),
        (
            with_cluster({"server": "https://a", "insecure-skip-tls-verify": True, "certificate-authority-data": "x"}),
            "insecure-skip-tls-verify and a certificate authority are mutually exclusive",
        ),
        (
            with_cluster({"server": "https://a", "certificate-authority": "/nowhere/ca"}),
            "cannot read this file: no such file or directory",
        ),
        (
            with_cluster({"server": "https://a"}, {"client-certificate-data": "x"}),
            "the client certificate has no client key",
        ),
        (
            with_cluster({"server": "https://a"}, {"as-groups": ["x"]}),
            "impersonating a uid, groups or extras requires a user",
        ),
    ],
    ids=["none", "no current", "lost", "no server", "no URL", "trust", "no file", "half a certificate", "groups"],
)
def test_an_unusable_kubeconfig_is_no_wrong_use(kubeconfig: Kubeconfig, message: str) -> None:
    found = select_problem(kubeconfig)

    assert found.problem.message == message
    assert not found.is_usage_error


@pytest.mark.parametrize(
    ("server", "trust", "url"),
    [
        ("host:8080", {}, "http://host:8080"),
        ("host", {"insecure-skip-tls-verify": True}, "https://host"),
        ("10.0.0.1:6443", {"certificate-authority-data": "x"}, "https://10.0.0.1:6443"),
        ("https://h/k8s/clusters/c-1/", {}, "https://h/k8s/clusters/c-1"),
        ("https://u:s3cret@h:1/?x=s3cret#y", {}, "https://h:1"),
        ("https://[::1]:6443", {}, "https://[::1]:6443"),
    ],
)
def test_addresses_are_read_as_client_go_does(server: str, trust: JsonObject, url: str) -> None:
    assert chosen(with_cluster({"server": server, **trust})).server == url


def test_trust_by_flag_replaces_that_of_the_kubeconfig() -> None:
    insecure = chosen(insecure_skip_tls_verify=True).cluster
    authority = chosen(certificate_authority=pem("authority.crt")).cluster

    assert insecure == {"server": "https://big:6443/", "tls-server-name": "api.big", "insecure-skip-tls-verify": True}
    assert authority == {
        "server": "https://big:6443/",
        "tls-server-name": "api.big",
        "certificate-authority": pem("authority.crt"),
    }


def test_another_server_has_another_name() -> None:
    assert "tls-server-name" not in chosen(server="https://x").cluster
    assert chosen(server="https://x", tls_server_name="y").cluster["tls-server-name"] == "y"


def test_credentials_by_flag_replace_those_of_their_sort() -> None:
    certificate, key = pem("client.crt"), pem("client.key")

    assert chosen(token="mine").user == {"token": "mine"}
    assert chosen(context="dev", token="mine").user == {"token": "mine"}
    assert chosen(context="dev", client_certificate=certificate, client_key=key).user == {
        "client-certificate": certificate,
        "client-key": key,
    }


def test_whom_to_act_as_comes_from_kubeconfig_and_flags() -> None:
    user = {"as": "a", "as-groups": ["g"], "as-user-extra": {"k": ["1"], "l": ["2"]}}
    kubeconfig = with_cluster({"server": "https://a"}, user)
    flags: Any = {"as_user": "b", "as_uid": "7", "as_groups": ("h", "i"), "as_user_extra": ("k=3", "k=4=5")}

    assert chosen(kubeconfig).user == user
    assert chosen(kubeconfig, **flags).user == {
        "as": "b",
        "as-uid": "7",
        "as-groups": ["h", "i"],
        "as-user-extra": {"k": ["3", "4=5"], "l": ["2"]},
    }


@pytest.mark.parametrize(("text", "seconds"), [("", DEFAULT_TIMEOUT), ("0", None), ("5s", 5.0), ("-1s", None)])
def test_timeouts(text: str, seconds: float | None) -> None:
    assert chosen(request_timeout=text).timeout == seconds


@pytest.mark.parametrize(
    ("environ", "served", "expected"),
    [
        ({"HTTPS_PROXY": "http://p"}, {"server": "https://a"}, "http://p"),
        ({"https_proxy": "http://p", "no_proxy": "b"}, {"server": "https://a"}, "http://p"),
        ({"HTTPS_PROXY": "http://p", "NO_PROXY": "*.example.com"}, {"server": "https://a.example.com:6443"}, ""),
        ({"HTTPS_PROXY": "p:3128"}, {"server": "https://a"}, "http://p:3128"),
        ({"HTTPS_PROXY": "http://p"}, {"server": "http://a"}, ""),
        ({"HTTP_PROXY": "http://p"}, {"server": "http://a"}, "http://p"),
        ({"HTTPS_PROXY": "http://p", "NO_PROXY": "*"}, {"server": "https://a", "proxy-url": "http://q"}, "http://q"),
    ],
    ids=["https", "small letters", "exempt", "bare", "other scheme", "http", "kubeconfig wins"],
)
def test_proxies(environ: dict[str, str], served: JsonObject, expected: str) -> None:
    target = chosen(with_cluster(served), replace(AROUND, environ=environ))

    assert target.proxy == expected


@pytest.mark.parametrize(
    ("environ", "served", "where", "message"),
    [
        ({"HTTPS_PROXY": "ftp://s3cret@p"}, {}, "environment", "the HTTPS_PROXY is not a proxy address"),
        ({}, {"proxy-url": "p:3128"}, "kubeconfig", "the proxy-url of the cluster is not a proxy address"),
    ],
    ids=["environment", "kubeconfig"],
)
def test_a_proxy_that_is_none_is_never_gone_past(
    environ: dict[str, str], served: JsonObject, where: str, message: str
) -> None:
    kubeconfig = with_cluster({"server": "https://a", **served})

    found = select(kubeconfig, Connection(), replace(AROUND, environ=environ))

    assert isinstance(found, NoCluster)
    assert found.problem.message.startswith(message)
    assert found.problem.where == where or where == "kubeconfig"
    assert "s3cret" not in repr(found)


def pod(folder: Path, **environ: str) -> Environment:
    (folder / "token").write_text("t0ken\n")
    address = {"KUBERNETES_SERVICE_HOST": "10.0.0.1", "KUBERNETES_SERVICE_PORT": "443"}
    return Environment({**address, **environ}, "/home/me", str(folder))


def test_a_pod_asks_its_own_cluster(tmp_path: Path) -> None:
    (tmp_path / "ca.crt").write_text("x")
    (tmp_path / "namespace").write_text("shop\n")

    target = chosen(Kubeconfig(), pod(tmp_path))

    assert (target.name, target.namespace) == ("cluster https://10.0.0.1:443", "shop")
    assert target.cluster == {"server": "https://10.0.0.1:443", "certificate-authority": str(tmp_path / "ca.crt")}
    assert target.user == {"tokenFile": str(tmp_path / "token")}


def test_a_pod_without_ca_and_namespace(tmp_path: Path) -> None:
    cluster_view = pod(tmp_path, KUBERNETES_SERVICE_HOST="fd00::1")

    assert (chosen(Kubeconfig(), cluster_view).server, chosen(Kubeconfig(), cluster_view).namespace) == (
        "https://[fd00::1]:443",
        "default",
    )
    assert chosen(Kubeconfig(), pod(tmp_path, POD_NAMESPACE="mine")).namespace == "mine"
    assert chosen(Kubeconfig(), cluster_view, token="other").user == {"token": "other"}


def test_a_kubeconfig_outranks_the_pod(tmp_path: Path) -> None:
    assert chosen(KUBECONFIG, pod(tmp_path)).name == "cluster prod"
    assert chosen(Kubeconfig(), pod(tmp_path), server="https://x").user == {}


def test_credentials_do_not_show() -> None:
    kubeconfig = with_cluster({"server": "https://a", "proxy-url": "http://u:s3cret@p"}, {"token": "s3cret"})

    assert "s3cret" not in repr(chosen(kubeconfig))
