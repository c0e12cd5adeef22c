"""kubectl's connection flags: their values, and a description of each flag."""

import os
import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.regex import regex


@dataclass(frozen=True, slots=True)
class Connection:
    """The values of the connection flags; empty for a flag that was not given.

    The fields are the options of ``CONNECTION_OPTIONS``, which mirror ``ConfigFlags`` of Kubernetes' cli-runtime.
    """

    kubeconfig: str = ""
    context: str = ""
    cluster: str = ""
    user: str = ""
    namespace: str = ""
    server: str = ""
    tls_server_name: str = ""
    insecure_skip_tls_verify: bool = False
    certificate_authority: str = ""
    client_certificate: str = ""
    client_key: str = ""
    token: str = field(default="", repr=False)
    as_user: str = ""
    as_uid: str = ""
    as_groups: tuple[str, ...] = ()
    as_user_extra: tuple[str, ...] = ()
    """Each ``key=value``; a key may occur several times."""
    request_timeout: str = ""
    cache_dir: str = ""
    disable_compression: bool = False


class OptionType(StrEnum):
    """The type of an option's value."""

    TEXT = "text"
    BOOLEAN = "boolean"
    """A switch: ``--flag``, ``--flag=true`` or ``--flag=false``."""
    REPEATED = "repeated"
    """A text for each time that the flag is given."""


@dataclass(frozen=True, slots=True)
class ConnectionFlag:
    """A connection flag: its field in ``Connection``, its names, its help and its type."""

    name: str
    flags: tuple[str, ...]
    help: str
    type: OptionType = OptionType.TEXT


_SWITCH, _REPEATED = OptionType.BOOLEAN, OptionType.REPEATED

CONNECTION_OPTIONS: Final = (
    ConnectionFlag("kubeconfig", ("--kubeconfig",), "kubeconfig file to use"),
    ConnectionFlag("context", ("--context",), "context of the kubeconfig to use"),
    ConnectionFlag("cluster", ("--cluster",), "cluster of the kubeconfig to use"),
    ConnectionFlag("user", ("--user",), "user of the kubeconfig to use"),
    ConnectionFlag("namespace", ("-n", "--namespace"), "namespace for objects without one"),
    ConnectionFlag("server", ("-s", "--server"), "address and port of the API server"),
    ConnectionFlag("tls_server_name", ("--tls-server-name",), "server name to verify the server's certificate against"),
    ConnectionFlag(
        "insecure_skip_tls_verify", ("--insecure-skip-tls-verify",), "do not verify the server's certificate", _SWITCH
    ),
    ConnectionFlag(
        "certificate_authority", ("--certificate-authority",), "file with the certificate authority of the server"
    ),
    ConnectionFlag("client_certificate", ("--client-certificate",), "client certificate file"),
    ConnectionFlag("client_key", ("--client-key",), "client key file"),
    ConnectionFlag("token", ("--token",), "bearer token"),
    ConnectionFlag("as_user", ("--as",), "user or service account to impersonate"),
    ConnectionFlag("as_uid", ("--as-uid",), "UID to impersonate"),
    ConnectionFlag("as_groups", ("--as-group",), "group to impersonate, can be repeated", _REPEATED),
    ConnectionFlag(
        "as_user_extra", ("--as-user-extra",), "extra key=value of the user to impersonate, can be repeated", _REPEATED
    ),
    ConnectionFlag("request_timeout", ("--request-timeout",), "time limit for one request (10s, 2m; 0 means none)"),
    ConnectionFlag("cache_dir", ("--cache-dir",), "cache directory for API discovery"),
    ConnectionFlag("disable_compression", ("--disable-compression",), "do not request compressed responses", _SWITCH),
)
"""All connection flags, in the order of the help."""


@dataclass(frozen=True, slots=True)
class Environment:
    """The inputs of a connection from the machine besides its flags."""

    environ: Mapping[str, str] = field(repr=False)
    home: str
    service_account: str = "/var/run/secrets/kubernetes.io/serviceaccount"
    """The folder of a pod's own credentials."""


def process_environment() -> Environment:
    """Return the environment of this process."""
    return Environment(dict(os.environ), os.path.expanduser("~"))


_UNITS: Final = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}
_TERM = regex(r"(?P<number>[0-9]+\.?[0-9]*|\.[0-9]+)(?P<unit>ns|us|µs|μs|ms|s|m|h)")
_MOST_WHOLE: Final = 2**63 - 1
_MOST_SECONDS: Final = _MOST_WHOLE / 1e9
"""The maximum of Go's durations: 292 years in nanoseconds."""
FOR_EVER: Final = 1e9
"""Seconds that mean no timeout, within the range of all clocks; longer times are cut to it."""


def parse_timeout(text: str) -> float:
    """Parse ``--request-timeout`` into seconds: whole seconds or a Go duration; 0 and less mean no timeout.

    Raises ``ValueError`` for anything else. Mirrors ``ParseTimeout`` of client-go and ``time.ParseDuration``.
    """
    if re.fullmatch(r"[+-]?[0-9]+", text) and len(text) <= 20 and 0 <= int(text) <= _MOST_WHOLE:
        return min(float(text), FOR_EVER)
    bare = text[1:] if text[:1] in ("+", "-") else text
    terms = list(_TERM.finditer(bare))
    is_zero = bare == "0"
    seconds = sum(float(term["number"]) * _UNITS[term["unit"]] for term in terms)
    if not is_zero and (not bare or "".join(term[0] for term in terms) != bare or seconds > _MOST_SECONDS):
        raise ValueError(f"not a length of time: {text!r}; write it like 10s, 2m or 1h")
    return -seconds if text[0] == "-" else min(seconds, FOR_EVER)
