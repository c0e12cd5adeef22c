"""The environment of rendering programs: no network access, no plugins and no settings of the user.

It is a second line of defense behind ``locality``: what that lets pass by mistake is blocked here as well, if a
variable can block it.
"""

import os
from collections.abc import Mapping
from typing import Final

_NOWHERE: Final = "http://127.0.0.1:9"
"""The port of the discard service, with no listener."""
_PROXIES: Final = ("http_proxy", "https_proxy", "ftp_proxy", "all_proxy")
_DROPPED: Final = ("GIT_", "HELM_", "KUSTOMIZE_", "DOCKER_", "KUBERNETES_SERVICE_")
_FIXED: Final = {
    # No protocol has this name. An empty list would mean the same, but is easily lost on the way.
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_PROTOCOL_FROM_USER": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_SSH_COMMAND": "false",
    "GIT_ASKPASS": "false",
    "GIT_NO_LAZY_FETCH": "1",
    "SSH_ASKPASS": "false",
    "KUBECONFIG": os.devnull,
    "KUBERC": "off",
}
_HOMES: Final = {
    "HELM_CACHE_HOME": "cache",
    "HELM_CONFIG_HOME": "config",
    "HELM_DATA_HOME": "data",
    "HELM_PLUGINS": "plugins",
    "HELM_REGISTRY_CONFIG": "registry.json",
    "HELM_REPOSITORY_CACHE": "repositories",
    "HELM_REPOSITORY_CONFIG": "repositories.yaml",
    "KUSTOMIZE_PLUGIN_HOME": "kustomize",
}
_TEMPORARY: Final = ("TMPDIR", "TMP", "TEMP")
"""The variables with the folder for temporary files: kustomize leaves some behind if Helm fails."""


def without_network(environment: Mapping[str, str], folder: str) -> dict[str, str]:
    """Return an environment without network access; the ``folder`` is for caches and temporary files."""
    kept = {
        name: value
        for name, value in environment.items()
        if not name.upper().startswith(_DROPPED) and name.lower() not in (*_PROXIES, "no_proxy")
    }
    proxies = {spelled: _NOWHERE for name in _PROXIES for spelled in (name, name.upper())}
    homes = {name: os.path.join(folder, inside) for name, inside in _HOMES.items()}
    return {**kept, **proxies, **homes, **dict.fromkeys(_TEMPORARY, folder), **_FIXED}
