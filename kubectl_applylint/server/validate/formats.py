"""The formats of names, labels and values: functions that return the faults in the server's words.

The texts are those of apimachinery's ``util/validation``; an empty list means that the value is well formed.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from kubectl_applylint.core.regex import regex

Format: TypeAlias = Callable[[str], list[str]]

_LABEL: Final = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_LABEL_WORDS: Final = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end "
    "with an alphanumeric character"
)
_SUBDOMAIN: Final = rf"{_LABEL}(\.{_LABEL})*"
_SUBDOMAIN_WORDS: Final = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start "
    "and end with an alphanumeric character"
)
_OLD_LABEL: Final = "[a-z]([-a-z0-9]*[a-z0-9])?"
_OLD_LABEL_WORDS: Final = (
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, "
    "and end with an alphanumeric character"
)
_KEY: Final = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
_KEY_WORDS: Final = (
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
)
_LABEL_VALUE_WORDS: Final = (
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and "
    "end with an alphanumeric character"
)
_CONFIG_KEY_WORDS: Final = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'"
_ENV_NAME_WORDS: Final = (
    "a valid environment variable name must consist only of printable ASCII characters other than '='"
)


def matching(pattern: str, words: str, examples: Sequence[str], longest: int, unit: str = "characters") -> Format:
    """Return a format with one pattern and a maximum length in bytes (0: any), which the server calls ``unit``."""
    compiled = regex(rf"(?:{pattern})\Z")
    quoted = " or ".join(f"'{example}', " for example in examples)
    shown = f"e.g. {quoted}" if examples else ""
    message = f"{words} ({shown}regex used for validation is '{pattern}')"

    def check(text: str) -> list[str]:
        long = [must_be_no_more_than(longest, unit)] if longest and len(text.encode()) > longest else []
        return long + ([] if compiled.match(text) else [message])

    return check


def must_be_no_more_than(length: int, unit: str = "characters") -> str:
    """Return the message for a text that is too long."""
    return f"must be no more than {length} {unit}"


_any_label: Final = matching(_LABEL, _LABEL_WORDS, ("my-name", "123-abc"), 63)
dns_subdomain: Final = matching(_SUBDOMAIN, _SUBDOMAIN_WORDS, ("example.com",), 253)
dns_1035_label: Final = matching(_OLD_LABEL, _OLD_LABEL_WORDS, ("my-name", "abc-123"), 63)
label_value: Final = matching(f"({_KEY})?", _LABEL_VALUE_WORDS, ("MyValue", "my_value", "12345"), 63, "bytes")
_key_name: Final = matching(_KEY, _KEY_WORDS, ("MyName", "my.name", "123-abc"), 63, "bytes")
_config_key: Final = matching(r"[-._a-zA-Z0-9]+", _CONFIG_KEY_WORDS, ("key.name", "KEY_NAME", "key-name"), 253)


def dns_label(text: str) -> list[str]:
    """Return the faults of a DNS label, one part of a domain name."""
    faults = _any_label(text)
    dotted = "." in text and faults and len(text) <= 253 and not dns_subdomain(text)
    return [*faults[:-1], "must not contain dots"] if dotted else faults


def without_dashes_at_the_end(form: Format) -> Format:
    """Return the format of a name prefix: a trailing dash counts as a letter."""

    def check(text: str) -> list[str]:
        return form(f"{text[:-2]}a" if len(text) > 1 and text.endswith("-") else text)

    return check


def path_segment(text: str) -> list[str]:
    """Return why a text cannot be a path segment of a URL."""
    if text in (".", ".."):
        return [f"may not be '{text}'"]
    return [f"may not contain '{sign}'" for sign in "/%" if sign in text]


def qualified_name(text: str) -> list[str]:
    """Return the faults of a label or annotation key: ``name`` or ``prefix/name``."""
    return list(_qualified_name(text))


# The same keys occur in every object.
@lru_cache(maxsize=4096)
def _qualified_name(text: str) -> tuple[str, ...]:
    parts = text.split("/")
    if len(parts) > 2:
        example = "e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is"
        return (
            f"a valid label key {_KEY_WORDS} ({example} '{_KEY}') with an optional DNS subdomain prefix and '/' "
            "(e.g. 'example.com/MyName')",
        )
    prefix, name = parts if len(parts) == 2 else (None, parts[0])
    return *_prefix_faults(prefix), *_name_faults(name)


def _prefix_faults(prefix: str | None) -> list[str]:
    if prefix is None:
        return []
    return [f"prefix part {fault}" for fault in (dns_subdomain(prefix) if prefix else ["must be non-empty"])]


def _name_faults(name: str) -> list[str]:
    empty = ["name part must be non-empty"] if not name else []
    return empty + [f"name part {fault}" for fault in _key_name(name)]


def config_key(text: str) -> list[str]:
    """Return the faults of a key of a ConfigMap or Secret."""
    return _config_key(text) + _leading_dots(text)


def _leading_dots(text: str) -> list[str]:
    if text in (".", ".."):
        return [f"must not be '{text}'"]
    return ["must not start with '..'"] if text.startswith("..") else []


def env_name(text: str) -> list[str]:
    """Return the faults of the name of an environment variable (the relaxed form, on since Kubernetes 1.32)."""
    faults = [] if text else ["environment variable name must be non-empty"]
    printable = all(" " <= letter <= "~" and letter != "=" for letter in text)
    return faults if printable else [*faults, _ENV_NAME_WORDS]


_OLD_ENV_NAME_WORDS: Final = (
    "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not "
    "start with a digit"
)
_old_env_name: Final = matching(
    "[-._a-zA-Z][-._a-zA-Z0-9]*", _OLD_ENV_NAME_WORDS, ("my.env-name", "MY_ENV.NAME", "MyEnvName1"), 0
)


def old_env_name(text: str) -> list[str]:
    """Return the faults of the name of an environment variable up to Kubernetes 1.31."""
    return _old_env_name(text) + _leading_dots(text)


http_header: Final = matching(
    "[-A-Za-z0-9]+", "a valid HTTP header must consist of alphanumeric characters or '-'", ("X-Header-Name",), 0
)
percent: Final = matching(
    "[0-9]+%", "a valid percent string must be a numeric string followed by an ending '%'", ("1%", "93%"), 0
)
_PART: Final = "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?"
search_domain: Final = matching(
    rf"{_PART}(\.{_PART})*",
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must "
    "start and end with an alphanumeric character",
    ("example.com",),
    253,
)
_http_path: Final = matching(r"[A-Za-z0-9/\-._~%!$&'()*+,;=:]+", "Invalid path", (), 0)


def domain_prefixed_path(text: str) -> list[str]:
    """Return the faults of a path with a domain (``acme.io/foo``)."""
    host, _, path = text.partition("/")
    if not host or not path:
        return ['must be a domain-prefixed path (such as "acme.io/foo")']
    return dns_subdomain(host) + _http_path(path)


def domain_prefixed_key(text: str) -> list[str]:
    """Return the faults of a key with a domain (``acme.io/foo``)."""
    domain = [] if "/" in text else ['must be a domain-prefixed key (such as "acme.io/foo")']
    return qualified_name(text) or domain


def driver_name(text: str) -> list[str]:
    """Return the faults of the name of a CSI driver, except its length: a domain name in any case."""
    return dns_subdomain(text.lower())


def port_number(number: int) -> list[str]:
    """Return the faults of a port number."""
    return [] if 1 <= number <= 65535 else ["must be between 1 and 65535, inclusive"]


_PORT_NAME: Final = regex(r"[-a-z0-9]+\Z")


def port_name(text: str) -> list[str]:
    """Return the faults of the name of a container port (an IANA service name)."""
    faults = [] if len(text) <= 15 else ["must be no more than 15 characters"]
    if not _PORT_NAME.match(text):
        faults.append("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)")
    if not re.search("[a-z]", text):
        faults.append("must contain at least one letter (a-z)")
    if "--" in text:
        faults.append("must not contain consecutive hyphens")
    if text[:1] == "-" or text[-1:] == "-":
        faults.append("must not begin or end with a hyphen")
    return faults


def path_without_backsteps(text: str) -> list[str]:
    """Return the faults of a path that may not contain ``..``."""
    return ["must not contain '..'"] if ".." in text.split("/") else []


def relative_path(text: str) -> list[str]:
    """Return the faults of a relative path without ``..``."""
    return (["must be a relative path"] if text.startswith("/") else []) + path_without_backsteps(text)


def local_path(text: str) -> list[str]:
    """Return the faults of a relative path of a file whose name is not reserved."""
    reserved = text.startswith("..") and not text.startswith("../")
    return relative_path(text) + (["must not start with '..'"] if reserved else [])
