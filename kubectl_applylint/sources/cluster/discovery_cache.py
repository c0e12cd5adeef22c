"""A disk cache of the served kinds, with kubectl's lifetime; it never contains objects."""

import contextlib
import hashlib
import json
import os
import re
import time
from collections.abc import Mapping
from typing import Final

from kubectl_applylint.core.values import Json
from kubectl_applylint.sources.cluster.connection import Connection, Environment
from kubectl_applylint.sources.cluster.discovery import Discovery, ServedKind
from kubectl_applylint.sources.system.temporary import replace_file

SECONDS_TO_LIVE: Final = 6 * 3600
"""Lifetime of an entry in seconds, as in kubectl."""
_FORM: Final = 2


def cache_directory(connection: Connection, environment: Environment) -> str:
    """Return the cache directory: below the flag's or ``KUBECACHEDIR``, else in the user's cache (XDG)."""
    environ: Mapping[str, str] = environment.environ
    base = connection.cache_dir or environ.get("KUBECACHEDIR") or environ.get("XDG_CACHE_HOME")
    return os.path.join(base or os.path.join(environment.home, ".cache"), "kubectl-applylint")


def cache_file(directory: str, server: str) -> str:
    """Return the cache file for one server."""
    readable = re.sub(r"[^\w.-]", "_", server.partition("://")[2])[:80]
    return os.path.join(directory, "discovery", f"{readable}-{hashlib.sha256(server.encode()).hexdigest()[:12]}.json")


def read_cached(path: str) -> Discovery | None:
    """Return the cached kinds, or ``None`` if there are none, they are too old, or the file is invalid."""
    try:
        with open(path, encoding="utf-8") as file:
            if time.time() > os.fstat(file.fileno()).st_mtime + SECONDS_TO_LIVE:
                return None
            return _from_json(json.load(file))
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None


def write_cached(path: str, discovery: Discovery) -> None:
    """Write ``discovery`` to the cache unless it is incomplete; atomic, and errors are ignored."""
    if discovery.stale:
        return
    with contextlib.suppress(OSError):
        replace_file(path, json.dumps(_to_json(discovery)).encode())


def _to_json(discovery: Discovery) -> Json:
    kinds = discovery.kinds.values()
    rows = [[k.api_version, k.kind, k.resource, k.namespaced, k.preferred, list(k.verbs), list(k.names)] for k in kinds]
    return {"form": _FORM, "kinds": rows}


def _from_json(content: Json) -> Discovery | None:
    if content["form"] != _FORM:
        return None
    rows = [_kind(*row) for row in content["kinds"]]
    return Discovery({(kind.api_version, kind.kind): kind for kind in rows})


def _kind(*row: Json) -> ServedKind:
    api_version, kind, resource, namespaced, preferred, verbs, names = row
    if not all(isinstance(text, str) for text in (api_version, kind, resource, *verbs, *names)):
        raise TypeError("not an applylint cache")
    return ServedKind(api_version, kind, resource, namespaced is True, tuple(verbs), preferred is True, tuple(names))
