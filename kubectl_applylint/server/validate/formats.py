"""The formats of names, labels and values, each a function that returns what is wrong in the server's words.

The texts are those of apimachinery's ``util/validation``; an empty list says that the value is well formed.
"""

import re
from collections.abc import Callable, Sequence
from ipaddress import ip_address, ip_network
from typing import Final, TypeAlias

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


def _regex_words(words: str, pattern: str, examples: Sequence[str]) -> str:
    quoted = " or ".join(f"'{example}', " for example in examples)
    shown = f"e.g. {quoted}" if examples else ""
    return f"{words} ({shown}regex used for validation is '{pattern}')"


def _pattern(pattern: str, words: str, examples: Sequence[str], longest: int) -> Format:
    """Return a format of one pattern and a greatest length in bytes (0: any)."""
    compiled = re.compile(rf"(?:{pattern})\Z")
    message = _regex_words(words, pattern, examples)

    def check(text: str) -> list[str]:
        long = [must_be_no_more_than(longest)] if longest and len(text.encode()) > longest else []
        return long + ([] if compiled.match(text) else [message])

    return check


def must_be_no_more_than(length: int) -> str:
    """Return the words for a text that is too long."""
    return f"must be no more than {length} characters"


dns_label: Final = _pattern(_LABEL, _LABEL_WORDS, ("my-name", "123-abc"), 63)
dns_subdomain: Final = _pattern(_SUBDOMAIN, _SUBDOMAIN_WORDS, ("example.com",), 253)
dns_1035_label: Final = _pattern(_OLD_LABEL, _OLD_LABEL_WORDS, ("my-name", "abc-123"), 63)
label_value: Final = _pattern(f"({_KEY})?", _LABEL_VALUE_WORDS, ("MyValue", "my_value", "12345"), 63)
_key_name: Final = _pattern(_KEY, _KEY_WORDS, ("MyName", "my.name", "123-abc"), 63)
_config_key: Final = _pattern(r"[-._a-zA-Z0-9]+", _CONFIG_KEY_WORDS, ("key.name", "KEY_NAME", "key-name"), 253)


def path_segment(text: str) -> list[str]:
    """Return why a text cannot be one part of a URL."""
    if text in (".", ".."):
        return [f"may not be '{text}'"]
    return [f"may not contain '{sign}'" for sign in "/%" if sign in text]


def qualified_name(text: str) -> list[str]:
    """Return what is wrong with a label or annotation key: ``name`` or ``prefix/name``."""
    parts = text.split("/")
    if len(parts) > 2:
        example = "e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is"
        return [
            f"a qualified name {_KEY_WORDS} ({example} '{_KEY}') with an optional DNS subdomain prefix and '/' "
            "(e.g. 'example.com/MyName')"
        ]
    prefix, name = parts if len(parts) == 2 else (None, parts[0])
    return [*_prefix_faults(prefix), *_name_faults(name)]


def _prefix_faults(prefix: str | None) -> list[str]:
    if prefix is None:
        return []
    return [f"prefix part {fault}" for fault in (dns_subdomain(prefix) if prefix else ["must be non-empty"])]


def _name_faults(name: str) -> list[str]:
    empty = ["name part must be non-empty"] if not name else []
    return empty + [f"name part {fault}" for fault in _key_name(name)]


def config_key(text: str) -> list[str]:
    """Return what is wrong with a key of a ConfigMap or Secret."""
    faults = _config_key(text)
    if text == ".":
        return [*faults, "must not be '.'"]
    if text == "..":
        return [*faults, "must not be '..'"]
    return [*faults, "must not start with '..'"] if text.startswith("..") else faults


def env_name(text: str) -> list[str]:
    """Return what is wrong with the name of an environment variable (the relaxed form, on since Kubernetes 1.32)."""
    faults = [] if text else ["environment variable name must be non-empty"]
    printable = all(" " <= letter <= "~" and letter != "=" for letter in text)
    return faults if printable else [*faults, _ENV_NAME_WORDS]


def port_number(number: int) -> list[str]:
    """Return what is wrong with a port number."""
    return [] if 1 <= number <= 65535 else ["must be between 1 and 65535, inclusive"]


_PORT_NAME: Final = re.compile(r"[-a-z0-9]+\Z")


def port_name(text: str) -> list[str]:
    """Return what is wrong with the name of a container port (an IANA service name)."""
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


def ip(text: str) -> list[str]:
    """Return what is wrong with an IP address, IPv4 without leading zeros or IPv6."""
    try:
        ip_address(text)
    except ValueError:
        return ["must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"]
    return []


def cidr(text: str) -> list[str]:
    """Return what is wrong with an IP block."""
    try:
        ip_network(text, strict=False)
    except ValueError:
        return ["must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"]
    return [] if "/" in text else ["must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"]
