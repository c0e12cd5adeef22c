"""Adapter for the official client library, which loads certificates and credentials and pools connections.

Importing it takes 0.4 s, so this module is imported only when a cluster is contacted.
"""

import base64
import os
import re
import ssl
from contextlib import nullcontext
from importlib.util import find_spec
from typing import Final
from urllib.parse import quote, unquote, urlsplit

import urllib3
from kubernetes.client.configuration import Configuration
from kubernetes.client.rest import RESTClientObject
from kubernetes.config import ConfigException, load_kube_config_from_dict
from urllib3 import HTTPHeaderDict, PoolManager

from kubectl_applylint import __version__
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.sources.cluster.bounded import bound
from kubectl_applylint.sources.cluster.credentials import authenticate
from kubectl_applylint.sources.cluster.http_result import NoCluster
from kubectl_applylint.sources.cluster.target import ClusterTarget
from kubectl_applylint.sources.cluster.transport import Transport
from kubectl_applylint.sources.system.temporary import PrivateFolder
from kubectl_applylint.sources.system.workers import WORKERS

_TRUST: Final = ("insecure-skip-tls-verify", "certificate-authority", "tls-server-name")
_PEMS: Final = ("certificate-authority", "client-certificate", "client-key")
_UNSENDABLE = regex(r"[^\t\x20-\x7e\x80-\U0010ffff]")
_HEADER_NAME_CHARACTERS: Final = "!#$&'*+-.^_`|~"


@dataclass(frozen=True, slots=True)
class _CredentialsError(Exception):
    """Raised for certificates, credentials or a proxy that cannot be used."""

    message: str
    advice: str = ""


def connect(target: ClusterTarget) -> Transport | NoCluster:
    """Return the transport to a server, with all credentials loaded; sends nothing yet."""
    ready = authenticate(target)
    return ready if isinstance(ready, NoCluster) else _transport(ready)


def _transport(target: ClusterTarget) -> Transport | NoCluster:
    is_inline = any(f"{name}-data" in entry for entry in (target.cluster, target.user) for name in _PEMS)
    # Python reads keys only from files. Keys embedded in the kubeconfig are in files only for this moment.
    try:
        with PrivateFolder() if is_inline else nullcontext("") as folder:
            cluster, user = _in_files(target.cluster, folder), _in_files(target.user, folder)
            configuration = _configuration(replace(target, cluster=cluster, user=user))
            return Transport(target, _pool(target, configuration), _headers(target, configuration))
    except _CredentialsError as error:
        return NoCluster(Problem(target.name, error.message, error.advice))
    except OSError as error:
        reason = (error.strerror or "no reason given").lower()
        message = f"cannot create a temporary file for the certificates in the kubeconfig: {reason}"
        return NoCluster(Problem(target.name, message, "set TMPDIR to another directory"))


def _in_files(entry: JsonObject, folder: str) -> JsonObject:
    """Return an entry whose certificates and keys are all in files."""
    files: dict[str, str] = {}
    for name in _PEMS:
        if entry.get(f"{name}-data"):
            files[name] = os.path.join(folder, name)
            _write(files[name], name, entry[f"{name}-data"])
    return {**{name: value for name, value in entry.items() if not name.endswith("-data")}, **files}


def _write(path: str, name: str, data: str) -> None:
    try:
        content = base64.b64decode(data)
    except ValueError:
        raise _CredentialsError(f"{name}-data in the kubeconfig is not base64") from None
    with open(path, "wb") as file:
        file.write(content)


def _configuration(target: ClusterTarget) -> Configuration:
    configuration = Configuration()
    try:
        load_kube_config_from_dict(  # type: ignore[no-untyped-call]  # unannotated
            _kubeconfig(target), client_configuration=configuration, persist_config=False
        )
    except (ConfigException, ValueError, OSError):
        raise _CredentialsError("cannot read the certificates or keys that the kubeconfig refers to") from None
    configuration.connection_pool_maxsize = WORKERS
    # Go lets a SOCKS proxy resolve the server's name; here that is a scheme of its own.
    configuration.proxy = re.sub("^socks5://", "socks5h://", target.proxy) or None
    # The caller has already decided whether to use a proxy; the client interprets NO_PROXY differently.
    configuration.no_proxy = None
    return configuration


def _kubeconfig(target: ClusterTarget) -> JsonObject:
    """Return the smallest equivalent kubeconfig."""
    cluster = {"server": target.server, **{name: target.cluster[name] for name in _TRUST if target.cluster.get(name)}}
    return {
        "current-context": "only",
        "contexts": [{"name": "only", "context": {"cluster": "only", "user": "only"}}],
        "clusters": [{"name": "only", "cluster": cluster}],
        "users": [{"name": "only", "user": {name: value for name, value in target.user.items() if value}}],
    }


def _pool(target: ClusterTarget, configuration: Configuration) -> PoolManager:
    login = urlsplit(target.proxy)
    if login.username:
        pair = f"{unquote(login.username)}:{unquote(login.password or '')}"
        configuration.proxy_headers = urllib3.make_headers(proxy_basic_auth=pair)
    if target.proxy.startswith("socks5") and find_spec("socks") is None:
        advice = "install applylint with the extra socks (docs/install.md)"
        raise _CredentialsError("a socks5:// proxy requires the library PySocks, which is not installed", advice)
    try:
        pool = RESTClientObject(configuration).pool_manager
    except (urllib3.exceptions.HTTPError, ImportError, ValueError):
        raise _CredentialsError("the proxy address is not valid", "write it like http://HOST:3128") from None
    bound(pool)
    if not configuration.verify_ssl:
        urllib3.disable_warnings(urllib3.exceptions.InsecureRequestWarning)
    if target.secure:
        # All connections share one context, so that certificates are read once and their faults are reported before any
        # request.
        unused = dict.fromkeys(("ca_certs", "ca_cert_data", "cert_file", "key_file"))
        pool.connection_pool_kw.update(unused, ssl_context=_tls(configuration))
    return pool


def _tls(configuration: Configuration) -> ssl.SSLContext:
    try:
        context = ssl.create_default_context(cafile=configuration.ssl_ca_cert)
    except (ssl.SSLError, OSError):
        raise _CredentialsError("the certificate authority of the cluster is not a PEM certificate") from None
    # Since Python 3.13 this flag requires extensions that the authorities of older clusters do not have and Go does not
    # require.
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    if not configuration.verify_ssl:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    if configuration.cert_file:
        _load_client_certificate(context, configuration.cert_file, configuration.key_file)
    return context


def _load_client_certificate(context: ssl.SSLContext, certificate: str, key: str | None) -> None:
    try:
        # Without a password OpenSSL would ask for one on the terminal.
        context.load_cert_chain(certificate, key, password="")
    except (OSError, ValueError):
        advice = "use a matching PEM certificate and key without a password"
        raise _CredentialsError("the client certificate or its key is not valid", advice) from None


def _headers(target: ClusterTarget, configuration: Configuration) -> HTTPHeaderDict:
    headers = HTTPHeaderDict({"User-Agent": f"kubectl-applylint/{__version__}"})
    if not target.cluster.get("disable-compression"):
        headers.add("Accept-Encoding", "gzip")
    bearer = configuration.auth_settings().get("BearerToken")
    if bearer is not None:
        headers.add(bearer["key"], _header_bytes("credentials", bearer["value"]))
    for name, value in _impersonation(target.user):
        headers.add(name, _header_bytes("impersonation settings", value))
    return headers


def _impersonation(user: JsonObject) -> list[tuple[str, str]]:
    """Return the impersonation headers (``impersonatingRoundTripper`` of client-go)."""
    if not user.get("as"):
        return []
    extras = user.get("as-user-extra") or {}
    return [
        ("Impersonate-User", user["as"]),
        *([("Impersonate-Uid", user["as-uid"])] if user.get("as-uid") else []),
        *(("Impersonate-Group", group) for group in user.get("as-groups") or []),
        *(
            (f"Impersonate-Extra-{_escape_header_key(key)}", value)
            for key, values in extras.items()
            for value in values
        ),
    ]


def _escape_header_key(key: str) -> str:
    return quote(key, safe=_HEADER_NAME_CHARACTERS)


def _header_bytes(what: str, value: str | None) -> str:
    """Return a header's value as UTF-8 bytes, as Go sends it; reject values that would inject headers."""
    if not isinstance(value, str) or _UNSENDABLE.search(value):
        raise _CredentialsError(f"the {what} in the kubeconfig contain characters that are not allowed in HTTP headers")
    return value.encode().decode("latin-1")
