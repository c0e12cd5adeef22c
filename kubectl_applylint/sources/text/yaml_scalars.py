"""YAML 1.1 scalars as kubectl reads them.

kubectl parses YAML with ``sigs.k8s.io/yaml``, which is based on go-yaml v2: ``y``, ``no`` and ``off`` are booleans,
``017`` and ``0o17`` are octal, ``12:30`` and ``2001-01-01`` are strings. PyYAML and YAML 1.2 parsers read several of
these differently.
"""

import base64
import binascii
import math
import re
import struct
from datetime import datetime
from typing import TypeAlias

from kubectl_applylint.core.gotext import float_text, show
from kubectl_applylint.core.regex import regex

Scalar: TypeAlias = bool | int | float | str | None

MAX_INT64, MAX_UINT64 = 2**63 - 1, 2**64 - 1
STANDARD_TAG = "tag:yaml.org,2002:"

_FIRST_OF_NON_STRINGS = frozenset("+-.0123456789yYnNtTfFoO~")
_SPELLINGS: tuple[tuple[Scalar, str], ...] = (
    (True, "y Y yes Yes YES true True TRUE on On ON"),
    (False, "n N no No NO false False FALSE off Off OFF"),
    (None, "~ null Null NULL"),
    (math.nan, ".nan .NaN .NAN"),
    (math.inf, ".inf .Inf .INF +.inf +.Inf +.INF"),
    (-math.inf, "-.inf -.Inf -.INF"),
)
_WORDS = {word: value for value, words in _SPELLINGS for word in words.split()}
_INTEGER = regex(
    r"(?P<sign>[-+]?)(?:0[xX](?P<hex>[0-9a-fA-F]+)|0[oO]?(?P<octal>[0-7]+)|0[bB](?P<binary>[01]+)|(?P<decimal>0|[1-9][0-9]*))"
)
_BASES = {"hex": 16, "octal": 8, "binary": 2, "decimal": 10}
_SIGN_WITHIN_BINARY = regex(r"0b([-+][01]{1,63})")
_FLOAT = regex(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_POINT_FIRST = regex(r"\.[0-9](_?[0-9])*([eE][-+]?[0-9](_?[0-9])*)?")
_TIMESTAMP = regex(
    r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})"
    r"(?:(?:[Tt](?=.*(?:Z|[-+][0-9]{2}:[0-9]{2})$)| (?=[0-9:.]*$))"
    r"([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:\.[0-9]+)?(?:Z|[-+][0-9:]{5})?)?"
)
_UNDECODABLE = regex("[\udc80-\udcff]")


class ScalarError(ValueError):
    """Raised for a scalar that kubectl rejects; the text is the reason."""


def resolve(tag: str | None, text: str, *, is_plain: bool) -> Scalar:
    """Return the value of a scalar.

    ``tag`` is in its long form (``tag:yaml.org,2002:int``), ``is_plain`` is true without quotes and block indicators.
    Integers up to 2**64-1 and all floats are returned unchanged; ``number`` converts them to JSON. Raises
    ``ScalarError`` if the tag does not fit the text.
    """
    if tag is None:
        return plain(text) if is_plain else text
    name = tag.removeprefix(STANDARD_TAG) if tag.startswith(STANDARD_TAG) else ""
    if name == "binary":
        return _binary(text)
    if name in ("bool", "int", "float", "null", "timestamp"):
        return _tagged_scalar(name, text)
    return text


def plain(text: str) -> Scalar:
    """Return the value of a plain scalar without tag; see ``resolve``."""
    if not text:
        return None
    if text[0] not in _FIRST_OF_NON_STRINGS:
        return text
    if text in _WORDS:
        return _WORDS[text]
    if text[0] in "+-0123456789":
        return _numeral(text)
    return _float(text.replace("_", ""), text) if _POINT_FIRST.fullmatch(text) else text


def _numeral(text: str) -> Scalar:
    digits = text.replace("_", "")
    found = _INTEGER.fullmatch(digits)
    value = _integer(found) if found else None
    if value is not None:
        return value
    inner = _SIGN_WITHIN_BINARY.fullmatch(digits)
    return int(inner[1], 2) if inner else _float(digits, text)


def _integer(found: re.Match[str]) -> int | None:
    """Return the integer, or ``None`` if it needs more than 64 bits."""
    base = found.lastgroup or ""
    # Python does not convert very long decimal numerals; none of them fits in 64 bits.
    if base == "decimal" and len(found[base]) > len(str(MAX_UINT64)):
        return None
    value = int(found["sign"] + found[base], _BASES[base])
    return value if -MAX_INT64 - 1 <= value <= (MAX_INT64 if found["sign"] else MAX_UINT64) else None


def _float(digits: str, text: str) -> float | str:
    """Return the float that ``digits`` represent, else ``text``; a float beyond the 64-bit range stays text."""
    value = float(digits) if _FLOAT.fullmatch(digits) else math.inf
    return text if math.isinf(value) else value


def _binary(text: str) -> str:
    try:
        content = base64.b64decode(text.replace("\n", "").replace("\r", ""), validate=True)
    except (binascii.Error, ValueError):
        raise ScalarError("!!binary value contains invalid base64 data") from None
    return _UNDECODABLE.sub("�", content.decode("utf-8", "surrogateescape"))


def _tagged_scalar(name: str, text: str) -> Scalar:
    if name == "timestamp" and _is_timestamp(text):
        return text
    value = plain(text)
    found = "null" if value is None else type(value).__name__
    if found == name:
        return value
    if name == "float" and isinstance(value, int) and not isinstance(value, bool) and value <= MAX_INT64:
        return float(value)
    raise ScalarError(f"cannot decode !!{found} `{text}` as a !!{name}")


def _is_timestamp(text: str) -> bool:
    found = _TIMESTAMP.fullmatch(text)
    year, month, day, hour, minute, second = (int(part or 0) for part in found.groups()) if found else [0] * 6
    try:
        return bool(datetime(year, month, day, hour, minute, second))
    except ValueError:
        return False


def number(value: float) -> int | float:
    """Return a number after a round trip through JSON in kubectl.

    A number without a fraction that fits in 64 bits is an integer, any other a float. Raises ``ScalarError`` for
    infinities and not-a-number, which JSON cannot represent.
    """
    if isinstance(value, int):
        return value if _fits_int64(value) else float(value)
    if not math.isfinite(value):
        raise ScalarError(f"unsupported value: {_infinity_or_nan(value)}: JSON has no such number")
    # The written digits count, not those of the float: 833791589312641000, which is ...640960 in binary.
    text = float_text(value)
    return int(text) if text.lstrip("-").isdigit() and _fits_int64(int(text)) else value


def _fits_int64(value: int) -> bool:
    return -MAX_INT64 - 1 <= value <= MAX_INT64


def _infinity_or_nan(value: float) -> str:
    return "NaN" if math.isnan(value) else "+Inf" if value > 0 else "-Inf"


def key_text(value: Scalar) -> str:
    """Return the map key for a scalar: ``true``, ``5``, ``.inf``; raises ``ScalarError`` if it cannot be a key."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return _float_key(value)
    if value is None or value > MAX_INT64:
        raise ScalarError(f"unsupported map key: {'null' if value is None else value}")
    return str(value)


def _float_key(value: float) -> str:
    """Return a float key in Go's notation, with 32 bits of precision: ``1.1``, ``1e+06``."""
    single = _to_float32(value)
    if not math.isfinite(single):
        return {"NaN": ".nan", "+Inf": ".inf", "-Inf": "-.inf"}[_infinity_or_nan(single)]
    spellings = (float(f"{single:.{digits}e}") for digits in range(9))
    return show(next(shorter for shorter in spellings if _to_float32(shorter) == single))


def _to_float32(value: float) -> float:
    try:
        return float(struct.unpack("f", struct.pack("f", value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)
