"""Reads the preferences of kubectl (kuberc): the default flags that they set for ``kubectl apply``.

Follows ``pkg/kuberc`` of kubectl. Aliases and the policy for credential plugins are not followed.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import yaml

from kubectl_applylint.config.configuration import ConfigError
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import Json
from kubectl_applylint.sources.text.config_yaml import load

FOLLOWED: Final = frozenset(
    {
        "server-side",
        "force-conflicts",
        "field-manager",
        "namespace",
        "prune",
        "all",
        "selector",
        "prune-allowlist",
        "applyset",
        "overwrite",
        "force",
        "grace-period",
        "subresource",
        "dry-run",
        "validate",
        "kubeconfig",
        "context",
        "cluster",
        "user",
    }
)
"""Flags of kubectl apply whose defaults are used."""
NOT_FOLLOWED: Final = frozenset(
    {
        "filename",
        "kustomize",
        "recursive",
        "openapi-patch",
        "as",
        "as-group",
        "as-uid",
        "as-user-extra",
        "certificate-authority",
        "client-certificate",
        "client-key",
        "insecure-skip-tls-verify",
        "server",
        "tls-server-name",
        "token",
        "username",
        "password",
    }
)
"""Flags that change what is applied, or how the cluster is read, and whose defaults are not used."""
_WITHOUT_EFFECT: Final = frozenset(
    {
        "output",
        "template",
        "allow-missing-template-keys",
        "show-managed-fields",
        "cascade",
        "wait",
        "timeout",
        "cache-dir",
        "kuberc",
        "v",
        "vmodule",
        "disable-compression",
        "log-flush-frequency",
        "match-server-version",
        "profile",
        "profile-output",
        "request-timeout",
        "warnings-as-errors",
        "record",
    }
)
_SHORT: Final = {"namespace": "n", "selector": "l"}
_SHORT_FLAGS: Final = regex(r"-[a-zA-Z]+")
_SUBCOMMANDS: Final = ("edit-last-applied", "set-last-applied", "view-last-applied")
_SEPARATOR: Final = regex(r"(?m)^---[ \t\r]*$")
_KEYS: Final = {
    "kubectl.config.k8s.io/v1alpha1": ("overrides", "flags"),
    "kubectl.config.k8s.io/v1beta1": ("defaults", "options"),
}
"""The keys of the defaults and of their flags, by version."""
_ALPHA, _BETA = 33, 34
"""The minors of kubectl that read a kuberc only if ``KUBECTL_KUBERC`` is true, and unless it is false."""


class UnreadableKubercError(ValueError):
    """A kuberc without preferences; kubectl fails if the user named the file, and else continues without it."""


@dataclass(frozen=True, slots=True)
class KubercFile:
    """The file to read, and whether the user named it."""

    path: str
    is_named: bool


@dataclass(frozen=True, slots=True)
class FlagDefault:
    """The default of a flag of kubectl apply."""

    name: str
    value: str

    def __str__(self) -> str:
        return f"--{self.name}={self.value}"


def kuberc_file(flag: str, environ: Mapping[str, str], home: str, version: str) -> KubercFile | None:
    """Return the file that kubectl of ``version`` (empty for the newest) reads, or ``None`` if kuberc is off.

    ``flag`` is the value of ``--kuberc``; raises ``ConfigError`` if it is used together with ``KUBERC=off``.
    """
    gate = environ.get("KUBECTL_KUBERC", "").lower()
    minor = int(version.partition(".")[2] or _BETA)
    if gate == "false" or minor < _ALPHA or (minor < _BETA and gate != "true"):
        return None
    variable = environ.get("KUBERC", "")
    if variable == "off":
        if flag:
            raise ConfigError(["--kuberc cannot be used with KUBERC=off; remove one of them"])
        return None
    usual = str(Path(home, ".kube", "kuberc"))
    if flag and flag != usual:
        return KubercFile(flag, is_named=True)
    return KubercFile(variable or usual, is_named=bool(flag or variable))


def apply_defaults(text: str, file: str) -> tuple[FlagDefault, ...]:
    """Return the defaults of kubectl apply in the first valid document of a kuberc.

    Raises ``UnreadableKubercError`` if no document is valid, and ``ConfigError`` for flags that kubectl rejects.
    """
    documents = [document for document in _SEPARATOR.split(text) if document.strip()]
    for document in documents:
        try:
            defaults = list(_read_preference(document))
        except (UnreadableKubercError, yaml.YAMLError):
            continue
        return tuple(_of_apply(defaults, file))
    if documents:
        raise UnreadableKubercError('no valid Preference of kubectl.config.k8s.io; quote values such as "true"')
    return ()


def is_typed(name: str, argv: Sequence[str]) -> bool:
    """Return whether a flag is on the command line, as kubectl decides: also in combined short flags."""
    short = _SHORT.get(name, "")
    return any(
        word == f"--{name}"
        or word.startswith(f"--{name}=")
        or (bool(short) and (word.startswith(f"-{short}") or (bool(_SHORT_FLAGS.fullmatch(word)) and short in word)))
        for word in argv
    )


def _read_preference(document: str) -> Iterator[tuple[str, FlagDefault]]:
    """Yield each flag of the defaults with its command."""
    content = load(document)
    version = content.get("apiVersion") if isinstance(content, dict) else None
    if not isinstance(content, dict) or content.get("kind") != "Preference" or version not in _KEYS:
        raise UnreadableKubercError(document)
    defaults, flags = _KEYS[str(version)]
    # kubectl also rejects the document if a value of an alias has another type.
    _ = [*_flags(content.get("aliases"), flags)]
    yield from _flags(content.get(defaults), flags)


def _flags(entries: Json, key: str) -> Iterator[tuple[str, FlagDefault]]:
    for entry in _mappings(entries):
        command = _text(entry, "command")
        for flag in _mappings(entry.get(key)):
            yield command, FlagDefault(_text(flag, "name"), _text(flag, "default"))


def _mappings(value: Json) -> Iterator[Mapping[str, Json]]:
    if not isinstance(value, list | None):
        raise UnreadableKubercError(value)
    for entry in value or ():
        if not isinstance(entry, dict):
            raise UnreadableKubercError(entry)
        yield entry


def _text(entry: Mapping[str, Json], key: str) -> str:
    value = entry.get(key)
    if not isinstance(value, str | None):
        raise UnreadableKubercError(value)
    return value or ""


def _of_apply(defaults: Sequence[tuple[str, FlagDefault]], file: str) -> Iterator[FlagDefault]:
    for command, default in defaults:
        if default.name.startswith("-"):
            raise ConfigError([f"{file}: write the flag {default.name} of {command} without dashes"])
        words = command.split()
        if words[:1] != ["apply"] or (words[1:2] and words[1] in _SUBCOMMANDS):
            continue
        if default.name not in FOLLOWED | NOT_FOLLOWED | _WITHOUT_EFFECT:
            raise ConfigError([f"{file}: invalid flag {default.name} for command {command}"])
        yield default
