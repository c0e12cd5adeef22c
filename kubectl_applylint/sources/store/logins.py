"""Logins of the user for registries, as Helm and Docker store them."""

import base64
import json
import os
from collections.abc import Iterator, Mapping
from typing import Final

from kubectl_applylint.core.values import Json, mapping, text_at

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
