"""Readers of scalars: which values a field accepts, and the form in which they are stored.

Each reader returns the stored form and raises ``UnfitError`` for anything else. Values that only the server knows
(``state.Unknown``) are always accepted.
"""

import re
from base64 import b64encode
from binascii import a2b_base64
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from enum import StrEnum
from functools import lru_cache, partial
from typing import Final, TypeAlias

from kubectl_applylint.core import gotext
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import Json
from kubectl_applylint.schema.types import Node, Shape
from kubectl_applylint.server import quantity as quantities

Read: TypeAlias = Callable[[Json], Json]

TIME: Final = "2006-01-02T15:04:05Z07:00"
"""Go's name for the layout of RFC 3339 times, as in error messages."""
MICRO_TIME: Final = "2006-01-02T15:04:05.000000Z07:00"
_MIN_INT64: Final = -(2**63)
_STORED_TIME: Final = regex(r"[0-9]{4}-(0[1-9]|1[0-2])-([01][0-9]|2[0-8])T([01][0-9]|2[0-3])(:[0-5][0-9]){2}Z")
_LAYOUT: Final = (
    ("2006", r"[0-9]{4}"),
    ("-", "-"),
    ("01", r"[0-9]{2}"),
    ("-", "-"),
    ("02", r"[0-9]{2}"),
    ("T", "T"),
    ("15", r"[0-9]{1,2}"),
    (":", ":"),
    ("04", r"[0-9]{2}"),
    (":", ":"),
    ("05", r"[0-9]{2}"),
)
_ZONE: Final = ("Z07:00", r"Z|[+-][0-9]{2}:[0-5][0-9]")
_FRACTION: Final = {TIME: ("", r"([.,][0-9]+)?"), MICRO_TIME: (".000000", r"[.,][0-9]{6}")}
_RANGES: Final = {"01": ("month", 1, 12), "15": ("hour", 0, 23), "04": ("minute", 0, 59), "05": ("second", 0, 59)}
_WHOLE_BASE64: Final = regex("(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")
_BASE64: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")


class DecodeMode(StrEnum):
    """The decoder: they differ in numbers out of range, in unknown fields and in messages."""

    CREATE = "create"
    """The strict decoder of the body of a POST."""
    PATCH = "patch"
    """The decoder of the object that a patch leads to."""
    LOOSE = "loose"
    """The decoder of types with their own JSON form, which ignores unknown fields."""


class UnfitError(Exception):
    """A value that its field does not accept; ``message`` is the parser's message, empty for a wrong type."""

    def __init__(self, message: str = "") -> None:
        """Store the parser's message."""
        super().__init__(message)
        self.message = message


def unfit(value: Json) -> Unknown:
    """Raise ``UnfitError``, except for an unknown value, which is returned."""
    if isinstance(value, Unknown):
        return value
    raise UnfitError


def text(value: Json) -> Json:
    """Read a string."""
    return value if type(value) is str else unfit(value)


def boolean(value: Json) -> Json:
    """Read ``true`` or ``false``."""
    return value if type(value) is bool else unfit(value)


def number(value: Json) -> Json:
    """Read a floating point number; a whole one is stored without a point and so becomes an integer."""
    if type(value) is float:
        return _after_round_trip(value)
    return value if type(value) is int else unfit(value)


def _after_round_trip(value: float) -> Json:
    """Return a number after it is written as JSON and read again."""
    digits = gotext.float_text(value)
    return gotext.decode(digits) if digits.lstrip("-").isdigit() else value


def exact_integer(value: Json, bits: int) -> Json:
    """Read an integer of so many bits, as a POST does; a number out of range is rejected."""
    if type(value) is float:
        value = _after_round_trip(value)
    if type(value) is int and -(2 ** (bits - 1)) <= value < 2 ** (bits - 1):
        return value
    return unfit(value)


def wrapped_integer(value: Json, bits: int) -> Json:
    """Read an integer of so many bits, as a PATCH does; a number out of range silently loses its upper bits."""
    if type(value) is float and value.is_integer():
        value = int(value) if abs(value) < -_MIN_INT64 else _MIN_INT64
    if type(value) is not int:
        return unfit(value)
    half = 2 ** (bits - 1)
    return value if -half <= value < half else (value + half) % (2 * half) - half


def int_or_string(value: Json) -> Json:
    """Read an integer of 32 bits or any string; neither is converted."""
    return value if type(value) is str else exact_integer(value, 32)


def quantity(value: Json) -> Json:
    """Read a quantity, written as a string or a number, and return its stored spelling."""
    if isinstance(value, Unknown):
        return value
    spelt = value.strip() if type(value) is str else gotext.encode(value)
    try:
        return quantities.canonical(spelt)
    except quantities.QuantityError as error:
        raise UnfitError(str(error)) from None


def base64_bytes(value: Json) -> Json:
    """Read bytes, in Base64 or one by one, and return them as the Base64 that is stored."""
    if type(value) is str:
        return _octets(value)
    if type(value) is list and all(type(item) is int and item in range(256) for item in value):
        return b64encode(bytes(value)).decode()
    return unfit(value)


@lru_cache(maxsize=1024)
def _octets(value: str) -> str:
    digits = value.replace("\n", "").replace("\r", "")
    if not _WHOLE_BASE64.fullmatch(digits):
        raise UnfitError(f"illegal base64 data at input byte {_first_bad_byte(value)}")
    return b64encode(a2b_base64(digits)).decode()


def _first_bad_byte(value: str) -> int:
    """Return the position of Go's error in invalid Base64: it reads groups of four and skips line ends."""
    places = [place for place, letter in enumerate(value) if letter not in "\r\n"]
    letters = "".join(value[place] for place in places)
    start = next(start for start in range(0, len(places), 4) if _digits(letters[start : start + 4]) < 4)
    group, good = letters[start : start + 4], _digits(letters[start : start + 4])
    places.append(len(value))
    if good == len(group):
        return places[start + good] - good
    if group[good] != "=" or good < 2:
        return places[start + good]
    if good == 2 and group[3:] != "=":
        return places[start + 3] - 1 if group[3:] else len(value)
    return places[start + 4]


def _digits(group: str) -> int:
    """Return the number of Base64 digits at the beginning of a group."""
    return next((count for count, letter in enumerate(group) if letter not in _BASE64), len(group))


def time(value: Json) -> Json:
    """Read a time and return it in UTC, to the second."""
    if type(value) is not str:
        return unfit(value)
    return value if _STORED_TIME.fullmatch(value) else _moment(value, TIME, "seconds")


def micro_time(value: Json) -> Json:
    """Read a time that has six decimal places and return it in UTC."""
    if type(value) is not str:
        return unfit(value)
    return _moment(value, MICRO_TIME, "microseconds")


def _moment(value: str, layout: str, precision: str) -> str:
    """Return the time that a text denotes, in UTC; raise ``UnfitError`` with the message of Go's ``time.Parse``."""
    rest = value
    for name, form in (*_LAYOUT, _FRACTION[layout], _ZONE):
        match = re.match(form, rest)
        if match is None:
            raise UnfitError(f'parsing time "{value}" as "{layout}": cannot parse "{rest}" as "{name}"')
        rest = rest[match.end() :]
        unit, least, most = _RANGES.get(name, ("", 0, 0))
        if unit and not least <= int(match[0]) <= most:
            raise UnfitError(f'parsing time "{value}": {unit} out of range')
    if rest:
        raise UnfitError(f'parsing time "{value}": extra text: "{rest}"')
    try:
        moment = datetime.fromisoformat(re.sub("T([0-9]):", r"T0\1:", value.replace(",", ".")))
        return moment.astimezone(UTC).isoformat(timespec=precision).replace("+00:00", "Z")
    except (ValueError, OverflowError):
        raise UnfitError(f'parsing time "{value}": day out of range') from None


_FORMATS: Final[Mapping[str, Read]] = {
    "byte": base64_bytes,
    "date-time": time,
    "int-or-string": int_or_string,
    "micro-time": micro_time,
    "quantity": quantity,
}
_SHAPES: Final[Mapping[Shape, Read]] = {Shape.BOOLEAN: boolean, Shape.NUMBER: number, Shape.STRING: text}


def reader(node: Node, mode: DecodeMode) -> Read | None:
    """Return the reader of the scalars of a field, ``None`` for lists, maps, structs and free values."""
    if node.shape is Shape.INTEGER:
        bits = 32 if node.format == "int32" else 64
        return partial(wrapped_integer if mode is DecodeMode.PATCH else exact_integer, bits=bits)
    return _FORMATS.get(node.format) or _SHAPES.get(node.shape)
