"""Logins of the user: for registries as Helm and Docker store them, for git servers from git's credential helpers."""

import base64
import json
import os
from collections.abc import Iterator, Mapping
from time import monotonic
from typing import Final

from kubectl_applylint.core.values import Json, mapping, text_at
from kubectl_applylint.sources.store.host_rules import Endpoint
from kubectl_applylint.sources.system import subprocesses
from kubectl_applylint.sources.system.temporary import PrivateFolder

_MOST: Final = 1 << 20
_DOCKER: Final = "https://index.docker.io/v1/"
_DOCKER_HOSTS: Final = ("docker.io", "registry-1.docker.io")


def login_of(address: str, environ: Mapping[str, str]) -> str:
    """Return the value of ``Authorization`` for a registry, empty if the user has no login.

    Credential helpers are not asked.
    """
    names = (address, f"https://{address}", *((_DOCKER,) if address in _DOCKER_HOSTS else ()))
    for file in _files(environ):
        logins = mapping(mapping(_read(file)).get("auths"))
        for name in names:
            if word := text_at(logins.get(name), "auth"):
                return f"Basic {word}" if _is_base64(word) else ""
    return ""


def _files(environ: Mapping[str, str]) -> Iterator[str]:
    home = environ.get("HOME", "")
    configs = environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
    helm = environ.get("HELM_CONFIG_HOME") or os.path.join(configs, "helm")
    yield environ.get("HELM_REGISTRY_CONFIG") or os.path.join(helm, "registry", "config.json")
    yield os.path.join(environ.get("DOCKER_CONFIG") or os.path.join(home, ".docker"), "config.json")


def _read(file: str) -> Json:
    try:
        with open(file, "rb") as stream:
            found: Json = json.loads(stream.read(_MOST))
    except (OSError, ValueError, RecursionError):
        return None
    return found


def _is_base64(word: str) -> bool:
    try:
        return b":" in base64.b64decode(word, validate=True)
    except ValueError:
        return False


def git_login(endpoint: Endpoint, deadline: float) -> Mapping[str, str]:
    """Return the header with the user's login for a place, empty if there is none. The user is not prompted."""
    place = endpoint.place
    wanted = f"protocol={endpoint.scheme}\nhost={place.address}\npath={place.path.lstrip('/')}\n\n"
    quiet = {"GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "true", "SSH_ASKPASS": "true"}
    own = {name: value for name, value in os.environ.items() if not name.startswith("GIT_DIR")}
    try:
        # The current folder is not that of the repository, whose configuration is not that of the user.
        with PrivateFolder() as folder:
            done = subprocesses.run(
                ["git", "credential", "fill"],
                timeout=max(deadline - monotonic(), 1.0),
                env={**own, **quiet, "GIT_CEILING_DIRECTORIES": os.path.dirname(folder)},
                cwd=folder,
                stdin=wanted.encode(),
            )
    except (OSError, subprocesses.TimedOutError):
        return {}
    given = dict(line.split("=", 1) for line in done.stdout.decode("utf-8", "replace").splitlines() if "=" in line)
    if done.code != 0 or not given.get("password"):
        return {}
    login = f"{given.get('username', '')}:{given['password']}".encode()
    return {"Authorization": f"Basic {base64.b64encode(login).decode()}"}
