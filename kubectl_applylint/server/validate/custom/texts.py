"""The texts that a schema of a custom resource accepts: patterns as Go reads them, and formats by name.

Mirrors kube-openapi's ``pkg/validation/strfmt``; ``formats.go`` of the apiextensions server lists the supported
formats.
"""

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Final

from kubectl_applylint.core.patterns.linear import Invalid, Matcher, Unproven, compile_linear
from kubectl_applylint.core.regex import regex
from kubectl_applylint.server.validate.addresses import block_faults, parse_address
from kubectl_applylint.server.validate.formats import dns_label, dns_subdomain

_NAMES_SINCE: Final = 34


def matches_pattern(pattern: str, value: str) -> bool | Unproven:
    """Return whether a schema's pattern matches anywhere in a text; a pattern that Go rejects matches everything."""
    match compile_linear(pattern):
        case Matcher() as matcher:
            return matcher.is_match(value)
        case Unproven() as unproven:
            return unproven
        case Invalid():
            return True


def _matches(pattern: str) -> Callable[[str], bool]:
    read = re.compile(pattern)
    return lambda value: read.fullmatch(value) is not None


_DATE: Final = regex(r"\d{4}-\d\d-\d\d", re.ASCII)


def _is_date(value: str) -> bool:
    try:
        return _DATE.fullmatch(value) is not None and bool(date.fromisoformat(value))
    except ValueError:
        return False


_DATE_TIME: Final = regex(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)?", re.ASCII)


def _is_date_time(value: str) -> bool:
    found = _DATE_TIME.fullmatch(value)
    if not found:
        return not value
    try:
        return bool(datetime.fromisoformat(f"{found[1]}T{found[2]}"))
    except ValueError:
        return False


_DURATION_PARTS: Final = regex(r"(?<!\d)\d++\s*+([A-Za-zµ]+)", re.ASCII)
_UNITS: Final = regex("ns|nano.*|us|µs|micro.*|ms|milli.*|s|sec.*|m|min.*|h|hr|hour.*|d|day.*|w|wk|week.*", re.I)
_GO_DURATION: Final = regex(r"[+-]?(0|((\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))+)", re.ASCII)


def is_duration(value: str) -> bool:
    """Return whether a text is a duration in Go's notation (``1h30m``), or contains one (``2 days``)."""
    parts = _DURATION_PARTS.findall(value)
    return _GO_DURATION.fullmatch(value) is not None or any(map(_UNITS.fullmatch, parts))


def _is_hostname(value: str) -> bool:
    part = r"[0-9A-Za-z]([-0-9A-Za-z]{0,61}[0-9A-Za-z])?"
    plain = re.fullmatch(rf"[0-9A-Za-z](-?[0-9A-Za-z]{{0,62}})|({part}\.)+[A-Za-z]{{2,63}}", value)
    foreign = not value.isascii() and re.search(r"[\s/:@]", value) is None
    return (plain is not None or foreign) and len(value.encode()) <= 255


def _is_ipv4(value: str) -> bool:
    return "." in value and parse_address(value) is not None


def _is_ipv6(value: str) -> bool:
    return ":" in value and parse_address(value) is not None


_HEX: Final = "[0-9a-fA-F]"


def _uuid(third: str, fourth: str) -> Callable[[str], bool]:
    return _matches(f"{_HEX}{{8}}-?{_HEX}{{4}}-?{third}-?{fourth}-?{_HEX}{{12}}")


_FOUR: Final = f"{_HEX}{{4}}"
_FORMATS: Final[Mapping[str, Callable[[str], bool]]] = {
    "bsonobjectid": _matches(f"{_HEX}{{24}}"),
    "byte": _matches("([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})"),
    "cidr": lambda value: not block_faults(value, strict=False),
    "date": _is_date,
    "datetime": _is_date_time,
    "duration": is_duration,
    "email": _matches(r"[^\s@]+@[^\s@]+|[^<>]*<[^\s@<>]+@[^\s@<>]+>"),
    "hexcolor": _matches(f"#?({_HEX}{{3}}|{_HEX}{{6}})"),
    "hostname": _is_hostname,
    "ipv4": _is_ipv4,
    "ipv6": _is_ipv6,
    "mac": _matches(f"({_HEX}{{2}}[:-]){{5,19}}{_HEX}{{2}}|({_FOUR}\\.){{2,9}}{_FOUR}"),
    "ssn": _matches(r"\d{3}[- ]?\d{2}[- ]?\d{4}"),
    "uri": _matches(r"[A-Za-z][-+.A-Za-z0-9]*:[^\s#]*|/[^\s#]*"),
    "uuid": _uuid(_FOUR, _FOUR),
    "uuid3": _uuid(f"3{_HEX}{{3}}", _FOUR),
    "uuid4": _uuid(f"4{_HEX}{{3}}", f"[89abAB]{_HEX}{{3}}"),
    "uuid5": _uuid(f"5{_HEX}{{3}}", f"[89abAB]{_HEX}{{3}}"),
}
_NAMES: Final[Mapping[str, Callable[[str], bool]]] = {
    "k8sshortname": lambda value: not dns_label(value),
    "k8slongname": lambda value: not dns_subdomain(value),
}


def has_format(value: str, name: str, minor: int) -> bool:
    """Return whether a text has a format; formats that a server of 1.``minor`` does not know accept every text."""
    plain = name.replace("-", "")
    check = _FORMATS.get(plain) or (_NAMES.get(plain) if minor >= _NAMES_SINCE else None)
    return check is None or check(value)
