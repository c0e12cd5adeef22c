"""Completes the credentials of a target: reads token files and runs credential plugins, once per run."""

import base64
import re
from typing import Final

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.values import JsonObject, dig
from kubectl_applylint.sources.cluster.exec_plugin import PluginError, credential
from kubectl_applylint.sources.cluster.http_result import NoCluster
from kubectl_applylint.sources.cluster.target import ClusterTarget

_SENT: Final = ("token", "username", "password")
_CERTIFICATE: Final = ("client-certificate", "client-certificate-data", "client-key", "client-key-data")
_ACTED_AS: Final = ("as", "as-uid", "as-groups", "as-user-extra")
_LONGEST_REASON: Final = 300


def authenticate(target: ClusterTarget) -> ClusterTarget | NoCluster:
    """Return the target with credentials that can be sent; runs its exec plugin if necessary.

    As in kubectl, a plugin runs only if the user has no other credentials, a token file overrides a token, and a server
    without TLS receives nothing but the impersonation headers.
    """
    if not target.secure:
        return _with_credentials(target, {})
    user = {name: value for name, value in target.user.items() if name in (*_SENT, *_CERTIFICATE)}
    if target.user.get("tokenFile"):
        return _from_file(target, user)
    if not user and "exec" in target.user:
        return _from_plugin(target)
    if not user and "auth-provider" in target.user:
        return _from_provider(target)
    return _with_credentials(target, user)


def _with_credentials(target: ClusterTarget, credentials: JsonObject) -> ClusterTarget:
    acted_as = {name: target.user[name] for name in _ACTED_AS if name in target.user}
    return replace(target, user={**credentials, **acted_as})


def _no_cluster(target: ClusterTarget, message: str, advice: str = "") -> NoCluster:
    return NoCluster(Problem(target.name, message, advice))


def _from_file(target: ClusterTarget, user: JsonObject) -> ClusterTarget | NoCluster:
    path = target.user["tokenFile"]
    try:
        with open(path, encoding="utf-8") as file:
            return _with_credentials(target, {**user, "token": file.read().strip()})
    except (OSError, UnicodeDecodeError):
        if "token" in user:
            return _with_credentials(target, user)
        return _no_cluster(target, f"cannot read the token of user {target.user_name!r}, {path}")


def _from_provider(target: ClusterTarget) -> ClusterTarget | NoCluster:
    """Use the token that kubectl stores for OpenID Connect; renewing it would require writing to the kubeconfig."""
    name = target.user["auth-provider"].get("name")
    token = dig(target.user, "auth-provider", "config", "id-token")
    if name == "oidc" and isinstance(token, str):
        return _with_credentials(target, {"token": token})
    if name == "oidc":
        return _no_cluster(target, "the OpenID Connect login has no token", "log in with: kubectl get namespaces")
    return _no_cluster(
        target,
        f"user {target.user_name!r} needs the auth-provider {name!r}",
        "kubectl no longer supports it, use an exec plugin",
    )


def _from_plugin(target: ClusterTarget) -> ClusterTarget | NoCluster:
    plugin = target.user["exec"]
    command = plugin.get("command")
    plugin_name = f"the credential plugin {command!r} of user {target.user_name!r}"
    try:
        status = credential(plugin, target.cluster)
    except OSError as error:
        hint = plugin.get("installHint")
        reason = (error.strerror or "no reason given").lower()
        return _no_cluster(
            target, f"{plugin_name} cannot be run: {reason}", hint if isinstance(hint, str) else "install it"
        )
    except PluginError as error:
        return _no_cluster(target, f"{plugin_name} failed: {_reason(error)}", f"run {command} manually for details")
    except ValueError:
        return _no_cluster(target, f"{plugin_name} failed: its command, args or env cannot be passed on")
    return _from_status(target, status, plugin_name)


def _from_status(target: ClusterTarget, status: JsonObject, plugin_name: str) -> ClusterTarget | NoCluster:
    token, certificate, key = (status.get(name) for name in ("token", "clientCertificateData", "clientKeyData"))
    credentials: dict[str, str] = {}
    if isinstance(token, str) and token:
        credentials["token"] = token
    if isinstance(certificate, str) and isinstance(key, str) and certificate and key:
        credentials["client-certificate-data"] = base64.b64encode(certificate.encode()).decode()
        credentials["client-key-data"] = base64.b64encode(key.encode()).decode()
    if not credentials:
        return _no_cluster(target, f"{plugin_name} returned neither a token nor a certificate with its key")
    return _with_credentials(target, credentials)


def _reason(error: Exception) -> str:
    """Return the message of a plugin in one line, without long runs of letters and digits, which may be credentials."""
    words = " ".join(str(error).split())
    return re.sub(r"[\w+=-]{24,}", "…", words)[:_LONGEST_REASON]
