"""Quantities (``500m``, ``1Gi``, ``1e3``) in the form in which a server stores them.

Mirrors ``resource.Quantity`` of apimachinery. A server keeps the spelling of most canonical quantities and of some
others (``+5``, ``007m``, ``1.500``); it rewrites all other ones.
"""

import re
from enum import Enum
from functools import lru_cache
from typing import Final

from kubectl_applylint.core.outcome import PredictionError
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import int64

NANO: Final = -9
MILLI: Final = -3
_MAX: Final = 2**63 - 1
_MOST_DIGITS: Final = 4_000
"""Digits of the largest number that is calculated with; Python writes and reads 4,300."""
_EXACT_DIGITS: Final = 18
"""Numbers of at most so many digits certainly fit 64 bits; longer ones use big numbers."""
_FORM: Final = regex(
    r"(?P<number>(?P<sign>[+-]?)0*+(?P<whole>[0-9]*)(?P<point>\.(?P<fraction>[0-9]*))?)"
    r"(?P<suffix>[eEinumkKMGTP]*[-+]?[0-9]*)"
)
_EXPONENT: Final = regex("[eE](?P<sign>[+-]?)0*(?P<digits>[0-9]{1,19})")
_DECIMAL: Final = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY: Final = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_DECIMAL_SUFFIX: Final = {exponent: suffix for suffix, exponent in _DECIMAL.items()}
_BINARY_SUFFIX: Final = {0: "", **{exponent: suffix for suffix, exponent in _BINARY.items()}}


class QuantityError(ValueError):
    """A text that is not a quantity; the message is the server's."""


class IncalculableError(PredictionError):
    """A quantity too large for a prediction: a server takes minutes to compare ``1e999999999``."""


class Suffixes(Enum):
    """The family of suffixes of a quantity, in which it is also written."""

    DECIMAL = "DecimalSI"
    BINARY = "BinarySI"
    EXPONENT = "DecimalExponent"


@dataclass(frozen=True, slots=True)
class Quantity:
    """The amount ``unscaled × 10**exponent``; ``text`` is its original spelling if that is kept."""

    unscaled: int
    exponent: int
    suffixes: Suffixes
    text: str = ""

    def __str__(self) -> str:
        return self.text or _spell(self)


@lru_cache(maxsize=4096)
def canonical(text: str) -> str:
    """Return the spelling that a server stores; raise ``QuantityError`` for an invalid quantity."""
    return str(parse(text))


@lru_cache(maxsize=4096)
def rounded_up(text: str, exponent: int) -> str:
    """Return the stored spelling of a quantity rounded away from zero to multiples of ``10**exponent``."""
    quantity = parse(text)
    if quantity.exponent >= exponent:
        return str(quantity)
    return str(replace(_round(quantity, exponent), text=""))


def parse(text: str) -> Quantity:
    """Return the amount of ``text``, rounded up beyond nine decimal places.

    Raises ``QuantityError`` for an invalid quantity, ``IncalculableError`` for more than 4,000 digits.
    """
    match = _FORM.fullmatch(text)
    if match is None or not text:
        raise QuantityError(
            "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
        )
    if text == "0":
        return Quantity(0, 0, Suffixes.DECIMAL, text)
    suffixes, exponent = _interpret(match["suffix"])
    whole, fraction = match["whole"] or "0", match["fraction"] or ""
    digits, sign = whole + fraction, -1 if match["sign"] == "-" else 1
    places = len(digits) + (0 if suffixes is Suffixes.BINARY or not digits.strip("0") else exponent)
    if max(len(digits), places) > _MOST_DIGITS:
        raise IncalculableError(f"a quantity of more than {_MOST_DIGITS} digits: {text[:20]}")
    if suffixes is Suffixes.BINARY:
        short = _EXACT_DIGITS - 4 - len(whole) - exponent * 3 // 10 >= 0 and not fraction
        factor, scale = 2**exponent, 0
    else:
        short = len(digits) <= _EXACT_DIGITS and exponent - len(fraction) >= NANO
        factor, scale = 1, exponent - len(fraction)
    if short and int(digits) * factor <= _MAX:
        kept = text if _keeps_spelling(digits, exponent, scale, suffixes) else ""
        return Quantity(sign * int(digits) * factor, scale, suffixes, kept)
    return _parse_long(match, suffixes, exponent)


def _interpret(suffix: str) -> tuple[Suffixes, int]:
    """Return the family of a suffix and its exponent, of 2 or of 10."""
    if suffix in _DECIMAL:
        return Suffixes.DECIMAL, _DECIMAL[suffix]
    if suffix in _BINARY:
        return Suffixes.BINARY, _BINARY[suffix]
    exponent = _EXPONENT.fullmatch(suffix)
    power = int64(exponent["sign"] + exponent["digits"]) if exponent else None
    if power is not None and abs(power) <= _MAX:
        return Suffixes.EXPONENT, (power + 2**31) % 2**32 - 2**31
    raise QuantityError("unable to parse quantity's suffix")


def _keeps_spelling(digits: str, exponent: int, scale: int, suffixes: Suffixes) -> bool:
    if suffixes is Suffixes.BINARY:
        return int(digits) % 8 != 0
    return scale % 3 == 0 and not digits.endswith("000") and digits[0] != "0"


def _parse_long(match: re.Match[str], suffixes: Suffixes, exponent: int) -> Quantity:
    """Return the amount of a number with many digits or decimal places: rounded up to nano and, with binary
    suffixes, capped at 64 bits.
    """
    digits = re.sub("[^0-9]", "", match["number"])
    if not digits:
        raise QuantityError("unable to parse numeric part of quantity")
    sign, places = -1 if match["sign"] == "-" else 1, len(match["fraction"] or "")
    if suffixes is not Suffixes.BINARY:
        return _with_sign(_round(Quantity(int(digits), exponent - places, suffixes), NANO), sign)
    amount = _round(Quantity(int(digits) * 2**exponent, -places, suffixes), NANO)
    whole, _ = _shift(amount.unscaled, amount.exponent)
    if whole > _MAX or (whole == _MAX and amount.unscaled != _MAX * 10**-amount.exponent):
        return Quantity(sign * _MAX, 0, suffixes)
    below_one = amount.unscaled > 0 and whole == 0
    return _with_sign(replace(amount, suffixes=Suffixes.DECIMAL) if below_one else amount, sign)


def _with_sign(quantity: Quantity, sign: int) -> Quantity:
    return replace(quantity, unscaled=sign * quantity.unscaled)


def _round(quantity: Quantity, exponent: int) -> Quantity:
    """Return the amount rounded away from zero to ``exponent``; unchanged if it is not finer."""
    places = exponent - quantity.exponent
    if places <= 0 or quantity.unscaled == 0:
        return quantity
    size, sign = abs(quantity.unscaled), 1 if quantity.unscaled > 0 else -1
    # Beyond its own digits any amount rounds to 1; Python would take very long to compute the power.
    whole = -(-size // 10**places) if places <= len(str(size)) else 1
    return replace(quantity, unscaled=sign * whole, exponent=exponent)


def _shift(unscaled: int, exponent: int) -> tuple[int, bool]:
    """Return the whole part of an amount with decimal places, and whether that is all of it."""
    whole, rest = divmod(unscaled, 10**-exponent) if exponent < 0 else (unscaled * 10**exponent, 0)
    return whole, rest == 0


def _spell(quantity: Quantity) -> str:
    """Return the canonical spelling: no fraction, and the largest suffix that keeps the precision."""
    if quantity.unscaled == 0:
        return "0"
    if quantity.suffixes is Suffixes.BINARY:
        whole, exact = _shift(abs(quantity.unscaled), quantity.exponent)
        if exact and whole >= 1024:
            return _spell_binary(whole if quantity.unscaled > 0 else -whole)
    amount, times = _without_factors(quantity.unscaled, 10)
    exponent = quantity.exponent + times
    amount, exponent = amount * 10 ** (exponent % 3), exponent - exponent % 3
    if quantity.suffixes is Suffixes.EXPONENT:
        return f"{amount}e{exponent}" if exponent else str(amount)
    # Beyond the largest suffix (1000E) Kubernetes writes the number without any.
    return f"{amount}{_DECIMAL_SUFFIX.get(exponent, '')}"


def _spell_binary(amount: int) -> str:
    amount, times = _without_factors(amount, 1024)
    return f"{amount}{_BINARY_SUFFIX.get(10 * times, '')}"


def _without_factors(amount: int, base: int) -> tuple[int, int]:
    times = 0
    while amount % base == 0:
        amount, times = amount // base, times + 1
    return amount, times
