"""Values as Go writes them: ``encoding/json`` text, and the ``%v`` form that messages and sort orders use.

The last-applied annotation is compared byte for byte, so its text has to be Go's own.
"""

import json
from decimal import Decimal
from typing import Final

from kubectl_applylint.core.nesting import reject_deep
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import Json

_ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
_MAYBE_FLOATS = tuple(regex(rf"{before}-?(?:\d+[.eE]|Infinity|NaN)") for before in (r'":(?<!\\":)', ",", r"\["))
"""Patterns for what looks like a float after a key, a comma or a bracket; they do not match texts like ``nginx:1.27``.

Each begins with literal characters, which Python's engine finds fast: one pattern for all three takes twice as long.
"""


def encode(value: Json) -> str:
    """Return the compact JSON text of ``value``: sorted keys, HTML characters escaped, no newline."""
    text = _ENCODER.encode(value)
    if isinstance(value, float) or any(pattern.search(text) for pattern in _MAYBE_FLOATS):
        text = _encode_floats(value)
    for character, escape in _ESCAPES.items():
        if character in text:
            text = text.replace(character, escape)
    return text


def _encode_floats(value: Json) -> str:
    """Encode as ``encode`` does, with Go's spelling of floats, before HTML characters are escaped."""
    if isinstance(value, dict):
        members = (f"{json.dumps(key, ensure_ascii=False)}:{_encode_floats(value[key])}" for key in sorted(value))
        return "{" + ",".join(members) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_encode_floats, value)) + "]"
    if isinstance(value, float):
        return float_text(value)
    return json.dumps(value, ensure_ascii=False)


def float_text(value: float) -> str:
    """Return the shortest text of a float as Go's JSON encoder spells it: an exponent below 1e-6 and from 1e21 on."""
    return _shortest(value, plain=(1e-6, 1e21), exponent_digits=1)


def _shortest(value: float, *, plain: tuple[float, float], exponent_digits: int) -> str:
    """Return the shortest text of a float, with an exponent outside of the range ``plain``."""
    if value == 0:
        return "-0" if str(value).startswith("-") else "0"
    if plain[0] <= abs(value) < plain[1]:
        return _without_trailing_zeros(f"{Decimal(repr(value)):f}")
    mantissa, exponent = f"{Decimal(repr(value)):E}".split("E")
    return f"{_without_trailing_zeros(mantissa)}e{exponent[0]}{exponent[1:].zfill(exponent_digits)}"


def _without_trailing_zeros(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


def show(value: Json) -> str:
    """Return ``value`` as Go's ``%v`` prints a decoded JSON value: ``map[a:1 b:[x <nil>]]``.

    Unknown values are printed as Python prints them.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return "map[" + " ".join(f"{key}:{show(value[key])}" for key in sorted(value)) + "]"
    if isinstance(value, list):
        return "[" + " ".join(map(show, value)) + "]"
    if value is None:
        return "<nil>"
    if isinstance(value, bool):
        return "true" if value else "false"
    return _shortest(value, plain=(1e-4, 1e6), exponent_digits=2) if isinstance(value, float) else str(value)


def bare(value: Json) -> str:
    """Return a string as it is, and any other value as JSON."""
    return value if isinstance(value, str) else encode(value)


def decode(text: str) -> Json:
    """Return the value of a JSON text with Go's numbers; raise ``ValueError`` for text that Go rejects.

    An integer beyond 64 bits becomes a float, and the last of duplicate keys wins. Text that nests too deep raises
    ``ValueError`` as well.
    """
    reject_deep(text)
    return _DECODER.decode(text)


def as_go_decodes(value: Json) -> Json:
    """Return a value as Go decodes it from JSON: numbers are floats."""
    if isinstance(value, dict):
        return {key: as_go_decodes(one) for key, one in value.items()}
    if isinstance(value, list):
        return [*map(as_go_decodes, value)]
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _integer(digits: str) -> int | float:
    """Return an integer of 64 bits, or else a float."""
    value = int(digits) if len(digits) <= 19 + digits.startswith("-") else None
    return value if value is not None and -(2**63) <= value < 2**63 else _float(digits)


def _float(digits: str) -> float:
    """Return a float; raise ``ValueError`` if it is out of range."""
    value = float(digits)
    if value in (float("inf"), float("-inf")):
        raise ValueError(f"number out of range: {digits}")
    return value


def _no_constant(word: str) -> Json:
    """Reject ``NaN`` and ``Infinity``, which JSON does not have."""
    raise ValueError(f"not JSON: {word}")


_ENCODER: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, check_circular=False)
_DECODER: Final = json.JSONDecoder(parse_int=_integer, parse_float=_float, parse_constant=_no_constant)
