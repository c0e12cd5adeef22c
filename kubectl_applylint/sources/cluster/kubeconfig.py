"""Kubeconfig files: found, read, validated and merged by kubectl's loading rules."""

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

import yaml

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.sources.cluster.connection import Connection, Environment
from kubectl_applylint.sources.cluster.http_result import NoCluster
from kubectl_applylint.sources.text.config_yaml import load

Entries: TypeAlias = Mapping[str, JsonObject]


@dataclass(frozen=True, slots=True)
class Kubeconfig:
    """A kubeconfig file, or several merged; entries by name, with absolute paths and without null fields."""

    files: tuple[str, ...] = ()
    current_context: str = ""
    contexts: Entries = field(default_factory=dict)
    clusters: Entries = field(default_factory=dict, repr=False)
    users: Entries = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class _MalformedError(Exception):
    """Raised for an invalid kubeconfig; ``where`` is a file or a place in it."""

    where: str
    message: str


_SECTIONS: Final = (("contexts", "context"), ("clusters", "cluster"), ("users", "user"))
_TYPES: Final[Mapping[str, tuple[type, str]]] = {
    **dict.fromkeys(
        (
            *("cluster", "user", "namespace", "server", "tls-server-name", "proxy-url", "token", "tokenFile"),
            *("certificate-authority", "certificate-authority-data", "client-certificate", "client-certificate-data"),
            *("client-key", "client-key-data", "username", "password", "as", "as-uid"),
        ),
        (str, "text"),
    ),
    **dict.fromkeys(("insecure-skip-tls-verify", "disable-compression"), (bool, "true or false")),
    **dict.fromkeys(("exec", "auth-provider", "as-user-extra"), (dict, "a mapping")),
    "as-groups": (list, "a list"),
}
_MOST_CHARACTERS: Final = 8 * 1024 * 1024
"""Maximum length of a kubeconfig; one of 1,000 clusters with their certificates is shorter."""
_PATHS: Final = ("certificate-authority", "client-certificate", "client-key", "tokenFile")


def kubeconfig_files(connection: Connection, environment: Environment) -> tuple[str, ...]:
    """Return the candidate files: the flag's, or those of ``KUBECONFIG``, or the one in the home directory."""
    if connection.kubeconfig:
        return (connection.kubeconfig,)
    listed = environment.environ.get("KUBECONFIG", "")
    if listed:
        return tuple(dict.fromkeys(filter(None, listed.split(os.pathsep))))
    return (os.path.join(environment.home, ".kube", "config"),)


def read_kubeconfig(connection: Connection, environment: Environment) -> Kubeconfig | NoCluster:
    """Return the merged kubeconfig; empty if no file exists and the flag names none."""
    flagged = bool(connection.kubeconfig)
    try:
        parts = [_read(path, flagged) for path in kubeconfig_files(connection, environment)]
    except _MalformedError as error:
        problem = Problem(error.where, error.message, "check it with: kubectl config view")
        return NoCluster(problem, is_usage_error=flagged)
    return merge([part for part in parts if part is not None])


def merge(parts: Sequence[Kubeconfig]) -> Kubeconfig:
    """Merge kubeconfigs: the first entry of each name, and the first current context, is used as a whole."""
    return Kubeconfig(
        files=tuple(file for part in parts for file in part.files),
        current_context=next((part.current_context for part in parts if part.current_context), ""),
        contexts=_merge_sections([part.contexts for part in parts]),
        clusters=_merge_sections([part.clusters for part in parts]),
        users=_merge_sections([part.users for part in parts]),
    )


def _merge_sections(sections: Sequence[Entries]) -> Entries:
    return {name: entry for section in reversed(sections) for name, entry in section.items()}


def _read(path: str, required: bool) -> Kubeconfig | None:
    """Return the contents of one file, or ``None`` for an optional file that does not exist."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read(_MOST_CHARACTERS + 1)
        if len(text) > _MOST_CHARACTERS:
            raise _MalformedError(path, f"this kubeconfig is larger than {_MOST_CHARACTERS // 1024**2} MiB")
        content = load(text)
    except FileNotFoundError:
        if required:
            raise _MalformedError(path, "kubeconfig file not found") from None
        return None
    except OSError as error:
        raise _MalformedError(
            path, f"cannot read this kubeconfig: {(error.strerror or 'no reason given').lower()}"
        ) from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise _MalformedError(_error_position(path, error), f"this kubeconfig is not YAML: {_fault(error)}") from None
    return _parse(path, content)


def _error_position(path: str, error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    return path if mark is None else f"{path}:{mark.line + 1}:{mark.column + 1}"


def _fault(error: Exception) -> str:
    """Return the parser's reason without its excerpt of the file, which may contain a token."""
    return getattr(error, "problem", None) or "it is not UTF-8 text"


def _parse(path: str, content: Json) -> Kubeconfig:
    if content is None:
        return Kubeconfig((path,))
    if not isinstance(content, dict):
        raise _MalformedError(path, "this kubeconfig is not a map")
    current = content.get("current-context") or ""
    if not isinstance(current, str):
        raise _MalformedError(path, "current-context is not text")
    base = os.path.dirname(os.path.abspath(path))
    sections = {name: dict(_entries(path, content, name, key)) for name, key in _SECTIONS}
    located = {
        name: {each: _resolve_paths(base, entry) for each, entry in section.items()}
        for name, section in sections.items()
    }
    return Kubeconfig((path,), current, located["contexts"], located["clusters"], located["users"])


def _entries(path: str, content: JsonObject, section: str, key: str) -> Iterator[tuple[str, JsonObject]]:
    """Yield the name and value of each entry of a section, without null fields."""
    listed = content.get(section) or []
    if not isinstance(listed, list):
        raise _MalformedError(path, f"{section} is not a list")
    seen: set[str] = set()
    for index, found in enumerate(listed):
        # Go reads null as an empty entry, and an entry without a name as one with an empty name.
        item = {} if found is None else found
        name = (item.get("name") or "") if isinstance(item, dict) else None
        value = (item.get(key) or {}) if isinstance(item, dict) else None
        if not isinstance(name, str) or not isinstance(value, dict):
            raise _MalformedError(path, f"{section}[{index}] is not a map with a name and a {key}")
        if name in seen:
            raise _MalformedError(path, f"{section} contains {name!r} twice")
        seen.add(name)
        entry = {field: held for field, held in value.items() if held is not None}
        _check_types(path, f"{key} {name!r}", entry)
        yield name, entry


def _check_types(path: str, owner: str, entry: JsonObject) -> None:
    for name, value in entry.items():
        wanted, words = _TYPES.get(name, (object, ""))
        if not isinstance(value, wanted):
            raise _MalformedError(path, f"{name} of {owner} is not {words}")


def _resolve_paths(base: str, entry: JsonObject) -> JsonObject:
    """Return an entry with paths resolved relative to the file that contains it."""
    paths: dict[str, Json] = {name: _absolute(base, entry[name]) for name in _PATHS if entry.get(name)}
    command = entry["exec"].get("command") if "exec" in entry else None
    if isinstance(command, str) and os.sep in command:
        paths["exec"] = {**entry["exec"], "command": _absolute(base, command)}
    return {**entry, **paths}


def _absolute(base: str, path: str) -> str:
    return os.path.normpath(os.path.join(base, path))
