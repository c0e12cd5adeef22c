"""Formats of names that only some kinds have, in addition to ``formats``."""

from typing import Final

from kubectl_applylint.server.validate.formats import (
    Format,
    dns_1035_label,
    dns_label,
    dns_subdomain,
    matching,
    qualified_name,
)

_WILDCARD_WORDS: Final = (
    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of "
    "lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character"
)
_LABEL: Final = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
wildcard_subdomain: Final = matching(rf"\*\.{_LABEL}(\.{_LABEL})*", _WILDCARD_WORDS, ("*.example.com",), 253)


def in_any_case(form: Format) -> Format:
    """Return the format without distinction of upper and lower case."""
    return lambda text: form(text.lower())


qualified_in_any_case: Final = in_any_case(qualified_name)


def join_faults(faults: list[str]) -> list[str]:
    """Return several faults as one, as the server reports those of some names."""
    return [",".join(faults)] if faults else []


def as_one(form: Format) -> Format:
    """Return the format with its faults reported as one."""
    return lambda text: join_faults(form(text))


def kind_name(text: str) -> list[str]:
    """Return the faults of the name of a kind: a label in any case."""
    return [
        f"may have mixed case, but should otherwise match: {fault}"
        for fault in join_faults(dns_1035_label(text.lower()))
    ]


def long_name(text: str) -> list[str]:
    """Return the faults of a name with three parts or more (``hook.example.com``)."""
    short = text.count(".") < 2
    return join_faults(dns_subdomain(text)) or (
        ["should be a domain with at least three segments separated by dots"] if short else []
    )


def domain(text: str) -> list[str]:
    """Return the faults of a name with two labels or more, which may end with a dot."""
    name = text.removesuffix(".")
    if "." not in name and not dns_subdomain(name):
        return ["should be a domain with at least two segments separated by dots"]
    return join_faults(dns_subdomain(name)) or [
        fault for part in name.split(".") for fault in join_faults(dns_label(part))
    ]
