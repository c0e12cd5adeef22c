"""Selects the server and the user: from the kubeconfig, the flags that override it, or the pod of the process."""

import os
from collections.abc import Mapping
from typing import Final
from urllib.parse import SplitResult, urlsplit

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.values import JsonObject, mapping
from kubectl_applylint.sources.cluster import proxies
from kubectl_applylint.sources.cluster.connection import Connection, Environment, parse_timeout
from kubectl_applylint.sources.cluster.http_result import NoCluster
from kubectl_applylint.sources.cluster.kubeconfig import Kubeconfig

DEFAULT_TIMEOUT: Final = 30.0
"""Default timeout of a connection and of each part of an answer, in seconds."""
LONGEST_REQUEST: Final = 120.0
"""Default timeout of a whole request in seconds; kubectl has none."""


@dataclass(frozen=True, slots=True)
class ClusterTarget:
    """A server and a user. ``cluster`` and ``user`` have the fields of a kubeconfig, after all flags."""

    name: str
    """The displayed name: ``cluster prod``."""
    namespace: str
    """The namespace of objects without one."""
    server: str
    """URL without credentials, query and trailing slash."""
    user_name: str
    cluster: JsonObject = field(repr=False)
    user: JsonObject = field(repr=False)
    proxy: str = field(default="", repr=False)
    timeout: float | None = DEFAULT_TIMEOUT
    """Timeout of a connection and of each part of an answer in seconds, ``None`` for none."""
    longest: float | None = LONGEST_REQUEST
    """Timeout of a whole request in seconds, ``None`` for none."""

    @property
    def secure(self) -> bool:
        """Whether it uses TLS; only then are credentials sent (``IsConfigTransportTLS`` of client-go)."""
        return self.server.startswith("https:")


@dataclass(frozen=True, slots=True)
class _UnusableError(Exception):
    """Raised if the kubeconfig or a flag does not specify a valid server."""

    where: str
    message: str
    advice: str = ""
    is_usage_error: bool = False


@dataclass(frozen=True, slots=True)
class _Choice:
    """The entries that a context or the pod selects, before flags override their fields."""

    context: str = ""
    namespace: str = ""
    user_name: str = ""
    cluster: JsonObject = field(default_factory=dict, repr=False)
    user: JsonObject = field(default_factory=dict, repr=False)


def select(kubeconfig: Kubeconfig, connection: Connection, environment: Environment) -> ClusterTarget | NoCluster:
    """Return the selected target. Mirrors ``DirectClientConfig`` and its in-cluster fallback in client-go."""
    try:
        return _target(_choose(kubeconfig, connection, environment), kubeconfig, connection, environment)
    except _UnusableError as error:
        return NoCluster(Problem(error.where, error.message, error.advice), error.is_usage_error)


def _target(choice: _Choice, kubeconfig: Kubeconfig, connection: Connection, environment: Environment) -> ClusterTarget:
    cluster, user = _with_cluster_flags(choice.cluster, connection), _with_user_flags(choice.user, connection)
    where = _where(kubeconfig)
    _check(where, cluster, user, connection)
    url = _server(where, cluster, user, connection)
    server = f"{url.scheme}://{_host_and_port(url)}{url.path.rstrip('/')}"
    proxy = _proxy(where, cluster.get("proxy-url", ""), url, environment.environ)
    known_as = "" if connection.server else connection.cluster or choice.context
    return ClusterTarget(
        name=f"cluster {known_as or server}",
        namespace=connection.namespace or choice.namespace or "default",
        server=server,
        user_name=choice.user_name,
        cluster=cluster,
        user=user,
        proxy=proxy,
        timeout=_timeout(connection.request_timeout, DEFAULT_TIMEOUT),
        longest=_timeout(connection.request_timeout, LONGEST_REQUEST),
    )


def _choose(kubeconfig: Kubeconfig, connection: Connection, environment: Environment) -> _Choice:
    name = connection.context or kubeconfig.current_context
    if name:
        return _context(name, kubeconfig, connection)
    if connection.cluster or connection.server:
        return _entries({}, "", kubeconfig, connection)
    if _in_pod(environment):
        return _pod(environment)
    raise _UnusableError(_where(kubeconfig), *_no_context_message(kubeconfig))


def _no_context_message(kubeconfig: Kubeconfig) -> tuple[str, str]:
    if kubeconfig.files:
        return (
            "the kubeconfig has no current context",
            "choose one with --context or: kubectl config use-context NAME",
        )
    return (
        "no kubeconfig found, so the cluster is unknown",
        "set one with --kubeconfig or KUBECONFIG, or check files without a cluster: --against none",
    )


def _where(kubeconfig: Kubeconfig) -> str:
    return os.pathsep.join(kubeconfig.files) or "kubeconfig"


def _context(name: str, kubeconfig: Kubeconfig, connection: Connection) -> _Choice:
    if name not in kubeconfig.contexts:
        flagged = bool(connection.context)
        message = f"the context {name!r} does not exist"
        advice = "list them with: kubectl config get-contexts"
        raise _UnusableError("--context" if flagged else _where(kubeconfig), message, advice, flagged)
    return _entries(kubeconfig.contexts[name], name, kubeconfig, connection)


def _entries(context: JsonObject, name: str, kubeconfig: Kubeconfig, connection: Connection) -> _Choice:
    cluster_name = connection.cluster or context.get("cluster", "")
    user_name = connection.user or context.get("user", "")
    for flag, kind, wanted, known in (
        (connection.cluster, "cluster", cluster_name, kubeconfig.clusters),
        (connection.user, "user", user_name, kubeconfig.users),
    ):
        if wanted and wanted not in known and (flag or not _is_given(kind, connection)):
            message = f"the {kind} {wanted!r} does not exist" + (
                "" if flag else f", but the context {name!r} refers to it"
            )
            raise _UnusableError(f"--{kind}" if flag else _where(kubeconfig), message, is_usage_error=bool(flag))
    cluster, user = kubeconfig.clusters.get(cluster_name, {}), kubeconfig.users.get(user_name, {})
    return _Choice(name, context.get("namespace", ""), user_name, cluster, user)


def _is_given(kind: str, connection: Connection) -> bool:
    """Return whether flags replace an entry that the kubeconfig does not have."""
    return bool(connection.server if kind == "cluster" else connection.token or connection.client_certificate)


def _in_pod(environment: Environment) -> bool:
    environ = environment.environ
    has_address = bool(environ.get("KUBERNETES_SERVICE_HOST") and environ.get("KUBERNETES_SERVICE_PORT"))
    return has_address and os.path.isfile(os.path.join(environment.service_account, "token"))


def _pod(environment: Environment) -> _Choice:
    """Return the pod's own cluster and service account (``InClusterConfig`` of client-go)."""
    host, port = (environment.environ[f"KUBERNETES_SERVICE_{part}"] for part in ("HOST", "PORT"))
    authority = os.path.join(environment.service_account, "ca.crt")
    return _Choice(
        namespace=environment.environ.get("POD_NAMESPACE") or _pod_namespace(environment),
        user_name="of this pod",
        cluster={
            "server": f"https://[{host}]:{port}" if ":" in host else f"https://{host}:{port}",
            **({"certificate-authority": authority} if os.path.isfile(authority) else {}),
        },
        user={"tokenFile": os.path.join(environment.service_account, "token")},
    )


def _pod_namespace(environment: Environment) -> str:
    try:
        with open(os.path.join(environment.service_account, "namespace"), encoding="utf-8") as file:
            return file.read().strip()
    except OSError:
        return ""


def _with_cluster_flags(cluster: JsonObject, connection: Connection) -> JsonObject:
    """Return the cluster with the flags applied: a flag for trust replaces all trust settings of the kubeconfig."""
    flags = {
        "server": connection.server,
        "tls-server-name": connection.tls_server_name,
        "insecure-skip-tls-verify": connection.insecure_skip_tls_verify,
        "certificate-authority": connection.certificate_authority,
        "disable-compression": connection.disable_compression,
    }
    trust = ("insecure-skip-tls-verify", "certificate-authority", "certificate-authority-data")
    dropped: tuple[str, ...] = ()
    if connection.insecure_skip_tls_verify or connection.certificate_authority:
        dropped += trust
    if connection.server:
        dropped += ("tls-server-name",)
    return _apply_flags(cluster, dropped, flags)


def _with_user_flags(user: JsonObject, connection: Connection) -> JsonObject:
    """Return the user with the flags applied: credentials by flag replace those of the same type."""
    flags = {
        "token": connection.token,
        "client-certificate": connection.client_certificate,
        "client-key": connection.client_key,
        "as": connection.as_user,
        "as-uid": connection.as_uid,
        "as-groups": list(connection.as_groups),
        "as-user-extra": {**mapping(user.get("as-user-extra")), **_extras(connection.as_user_extra)},
    }
    dropped: tuple[str, ...] = ()
    if connection.token:
        dropped += ("tokenFile", "username", "password", "exec", "auth-provider")
    if connection.client_certificate:
        dropped += ("client-certificate-data", "exec")
    if connection.client_key:
        dropped += ("client-key-data",)
    return _apply_flags(user, dropped, flags)


def _apply_flags(entry: JsonObject, dropped: tuple[str, ...], flags: JsonObject) -> JsonObject:
    kept = {name: value for name, value in entry.items() if name not in dropped}
    return {**kept, **{name: value for name, value in flags.items() if value}}


def _extras(pairs: tuple[str, ...]) -> Mapping[str, list[str]]:
    extras: dict[str, list[str]] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not key or not equals:
            raise _UnusableError("--as-user-extra", f"{pair!r} is not key=value", is_usage_error=True)
        extras.setdefault(key, []).append(value)
    return extras


def _check(where: str, cluster: JsonObject, user: JsonObject, connection: Connection) -> None:
    """Reject what kubectl rejects: contradictory trust settings, half a certificate, groups without a user."""
    if cluster.get("insecure-skip-tls-verify") and _has_file_or_data(cluster, "certificate-authority"):
        given = bool(connection.insecure_skip_tls_verify and connection.certificate_authority)
        message = "insecure-skip-tls-verify and a certificate authority are mutually exclusive"
        raise _UnusableError("--insecure-skip-tls-verify" if given else where, message, "keep one of them", given)
    if _has_file_or_data(user, "client-certificate") and not _has_file_or_data(user, "client-key"):
        given = bool(connection.client_certificate)
        raise _UnusableError(
            "--client-certificate" if given else where, "the client certificate has no client key", is_usage_error=given
        )
    if not user.get("as") and any(user.get(name) for name in ("as-uid", "as-groups", "as-user-extra")):
        given = bool(connection.as_uid or connection.as_groups or connection.as_user_extra)
        message = "impersonating a uid, groups or extras requires a user"
        raise _UnusableError("--as-group" if given else where, message, "set the user with --as", given)
    for flag, path in (
        (connection.certificate_authority, cluster.get("certificate-authority", "")),
        (connection.client_certificate, user.get("client-certificate", "")),
        (connection.client_key, user.get("client-key", "")),
    ):
        _check_readable(path, is_usage_error=bool(flag))


def _check_readable(path: str, *, is_usage_error: bool) -> None:
    try:
        if path:
            open(path, "rb").close()
    except OSError as error:
        reason = (error.strerror or "no reason given").lower()
        raise _UnusableError(path, f"cannot read this file: {reason}", is_usage_error=is_usage_error) from None


def _has_file_or_data(entry: JsonObject, name: str) -> bool:
    return bool(entry.get(name) or entry.get(f"{name}-data"))


def _server(where: str, cluster: JsonObject, user: JsonObject, connection: Connection) -> SplitResult:
    """Return the server's address; without a scheme it is https if any TLS setting is given, else http."""
    server = cluster.get("server", "")
    flagged = bool(connection.server)
    if not server:
        raise _UnusableError(where, "the cluster has no server", "set one with --server or in the kubeconfig")
    is_bare = "://" not in server
    if is_bare:
        speaks_tls = cluster.get("insecure-skip-tls-verify") or _has_file_or_data(cluster, "certificate-authority")
        server = f"{'https' if speaks_tls or _has_file_or_data(user, 'client-certificate') else 'http'}://{server}"
    try:
        url = urlsplit(server)
        usable = url.scheme in ("http", "https") and bool(url.hostname) and url.port != 0 and not (is_bare and url.path)
    except ValueError:
        usable = False
    if not usable:
        message, advice = "the server address is not a URL", "write it like https://HOST:6443"
        raise _UnusableError("--server" if flagged else where, message, advice, flagged)
    return url


def _host_and_port(url: SplitResult) -> str:
    """Return host and port without the credentials that a URL may contain."""
    return url.netloc.rpartition("@")[2]


def _proxy(where: str, named: str, url: SplitResult, environ: Mapping[str, str]) -> str:
    """Return the proxy to use, empty for none; an invalid address is an error, never ignored."""
    try:
        return proxies.proxy_of_kubeconfig(named) if named else proxies.proxy_of_environment(url, environ)
    except ValueError as error:
        what = "proxy-url of the cluster" if named else f"{url.scheme.upper()}_PROXY"
        message = f"the {what} is not a proxy address: {error}"
        raise _UnusableError(where if named else "environment", message, "write it like http://HOST:3128") from None


def _timeout(text: str, default: float) -> float | None:
    if not text:
        return default
    try:
        seconds = parse_timeout(text)
        return seconds if seconds > 0 else None
    except ValueError as error:
        raise _UnusableError("--request-timeout", str(error), is_usage_error=True) from None
