"""Functions of sprig in templates of an ``ApplicationSet`` that Argo CD has and Flux does not: texts, numbers, lists.

Mirrors sprig 3.3. Functions that depend on the time, on randomness or on the order of maps are not supported, nor are
texts outside of ASCII where Go counts bytes.
"""

import base64
import copy
import hashlib
import math
import posixpath
import zlib
from collections.abc import Callable, Mapping
from typing import Final

from kubectl_applylint.core.gotext import show
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import Json
from kubectl_applylint.core.version_ranges import parse_range, parse_version
from kubectl_applylint.tools.flux import set_functions
from kubectl_applylint.tools.flux.set_functions import is_true, list_argument, text_argument

_MOST_RESULT: Final = 256 * 1024
_MOST_NUMBERS: Final = 10_000
_INTEGER: Final = regex(r"[+-]?[0-9]{1,18}")
_WORD_START: Final = regex(r"(?<![A-Za-z0-9_])[a-z]")
_FIRST_LETTER: Final = regex(r"(?<!\S)[A-Z]")


class OwnMap(dict[str, Json]):
    """A map that a template has made, and may change: ``set`` of another map would change the parameters."""


class Int64(int):
    """A number of Go's type ``int64``, which is no argument of the type ``int``."""


def whole(value: Json) -> int:
    """Return an argument of Go's type ``int``; raise ``TypeError`` for other values."""
    if type(value) is not int:
        raise TypeError
    return value


def ascii_argument(value: Json) -> str:
    """Return a text in ASCII; raise ``ValueError`` for other texts, and ``TypeError`` for other values."""
    text = text_argument(value)
    if not text.isascii():
        raise ValueError
    return text


def map_argument(value: Json) -> dict[str, Json]:
    """Return a map; raise ``TypeError`` for other values."""
    if not isinstance(value, dict):
        raise TypeError
    return value


def _own_map(value: Json) -> OwnMap:
    if not isinstance(value, OwnMap):
        raise TypeError
    return value


def new_map(*pairs: Json) -> OwnMap:
    """Return a map of keys and values; the last value may be left out."""
    return OwnMap(map_argument(set_functions.FUNCTIONS["dict"](*pairs)))


def _set(values: Json, key: Json, value: Json) -> Json:
    found = _own_map(values)
    # Like sprig, the function changes the map that all variables for it share.
    found[text_argument(key)] = value
    return found


def _unset(values: Json, key: Json) -> Json:
    found = _own_map(values)
    found.pop(text_argument(key), None)
    return found


def _deep_copy(value: Json) -> Json:
    if value is None:
        raise TypeError
    made = copy.deepcopy(value)
    return OwnMap(made) if isinstance(made, dict) else made


def _repeat(count: Json, text: Json) -> str:
    number = whole(count)
    if number < 0 or number * len(text_argument(text)) > _MOST_RESULT:
        raise ValueError
    return text_argument(text) * number


def _substring(start: Json, end: Json, text: Json) -> str:
    first, last, word = whole(start), whole(end), ascii_argument(text)
    if first < 0:
        if not 0 <= last <= len(word):
            raise ValueError
        return word[:last]
    if first > len(word) or first > last >= 0:
        raise ValueError
    return word[first:] if last < 0 else word[first:last]


def _truncate(length: Json, text: Json) -> str:
    return str(set_functions.FUNCTIONS["trunc"](whole(length), text))


def _number(value: Json) -> Int64:
    return Int64(set_functions.FUNCTIONS["int64"](value))


def _product(*values: Json) -> Int64:
    product = math.prod(map(_number, values))
    if abs(product) >= 1 << 63:
        raise ValueError
    return Int64(product)


def _quotient(left: Json, right: Json) -> Int64:
    """Return a quotient as Go cuts it: towards zero."""
    one, other = _number(left), _number(right)
    if not other:
        raise ValueError
    return Int64(abs(one) // abs(other) * (1 if (one < 0) is (other < 0) else -1))


def _remainder(left: Json, right: Json) -> Int64:
    return Int64(_number(left) - _quotient(left, right) * _number(right))


def _float(value: Json) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError
    return float(value)


def _round(value: Json, places: Json) -> float:
    power = math.pow(10, whole(places))
    digit = power * _float(value)
    return (math.ceil(digit) if math.modf(digit)[0] >= 0.5 else math.floor(digit)) / power


def _atoi(text: Json) -> int:
    return int(text_argument(text)) if _INTEGER.fullmatch(text_argument(text)) else 0


def _numbers(start: int, stop: int, step: int) -> list[Json]:
    if (stop - start) * step <= 0:
        return []
    found = range(start, stop, step)
    if len(found) > _MOST_NUMBERS:
        raise ValueError
    return [*found]


def _until(count: Json) -> list[Json]:
    return _numbers(0, whole(count), -1 if whole(count) < 0 else 1)


def _until_step(start: Json, stop: Json, step: Json) -> list[Json]:
    return _numbers(whole(start), whole(stop), whole(step))


def _sequence(*bounds: Json) -> str:
    first, last = (1, *map(whole, bounds)) if len(bounds) == 1 else map(whole, bounds)
    step = -1 if last < first else 1
    return " ".join(map(str, _numbers(first, last + step, step)))


def _texts(values: Json) -> list[str]:
    return [show(one) for one in list_argument(values) if one is not None]


def _join(separator: Json, values: Json) -> str:
    return str(set_functions.FUNCTIONS["join"](separator, [*_texts(values)]))


def _filled_list(values: Json) -> list[Json]:
    """Return a list; raise ``ValueError`` for an empty one, which sprig makes null."""
    if not list_argument(values):
        raise ValueError
    return list_argument(values)


def _slice(values: Json, start: Json = 0, stop: Json = None) -> list[Json]:
    found = _filled_list(values)
    end = len(found) if stop is None else whole(stop)
    if not 0 <= whole(start) <= end <= len(found):
        raise ValueError
    return found[whole(start) : end]


def _split_at_most(separator: Json, count: Json, text: Json) -> Json:
    if whole(count) < 1 or not text_argument(separator):
        raise ValueError
    parts = text_argument(text).split(text_argument(separator), whole(count) - 1)
    return {f"_{number}": part for number, part in enumerate(parts)}


def _base(path: Json) -> str:
    word = text_argument(path)
    return posixpath.basename(word.rstrip("/")) or ("/" if word else ".")


def _clean(path: Json) -> str:
    word = posixpath.normpath(text_argument(path))
    return f"/{word.lstrip('/')}" if word.startswith("//") else word


def _folder(path: Json) -> str:
    return _clean(text_argument(path).rpartition("/")[0] + ("/" if "/" in text_argument(path) else ""))


def _extension(path: Json) -> str:
    name = text_argument(path).rpartition("/")[2]
    return name[name.rindex(".") :] if "." in name else ""


def _allows(wanted: Json, version: Json) -> bool:
    bounds, found = parse_range(text_argument(wanted)), parse_version(text_argument(version))
    if bounds is None or found is None:
        raise ValueError
    return bounds.allows(found)


def _digest(name: str) -> Callable[[Json], Json]:
    return lambda text: hashlib.new(name, text_argument(text).encode(), usedforsecurity=False).hexdigest()


def _only(values: list[Json]) -> list[Json]:
    """Return what a map has if it has one entry at most: Go has no order of entries."""
    if len(values) > 1:
        raise ValueError
    return values


SPRIG_FUNCTIONS: Final[Mapping[str, Callable[..., Json]]] = {
    "add": lambda *values: Int64(sum(map(_number, values))),
    "add1": lambda value: Int64(_number(value) + 1),
    "adler32sum": lambda text: str(zlib.adler32(text_argument(text).encode())),
    "all": lambda *values: all(map(is_true, values)),
    "any": lambda *values: any(map(is_true, values)),
    "atoi": _atoi,
    "b32enc": lambda text: base64.b32encode(text_argument(text).encode()).decode(),
    "base": _base,
    "biggest": lambda *values: Int64(max(map(_number, values))),
    "ceil": lambda value: float(math.ceil(_float(value))),
    "clean": _clean,
    "compact": lambda values: [*filter(is_true, list_argument(values))],
    "deepCopy": _deep_copy,
    "dict": new_map,
    "dir": _folder,
    "div": _quotient,
    "ext": _extension,
    "float64": _float,
    "floor": lambda value: float(math.floor(_float(value))),
    "indent": lambda spaces, text: set_functions.FUNCTIONS["indent"](whole(spaces), text),
    "initial": lambda values: _filled_list(values)[:-1],
    "int64": _number,
    "isAbs": lambda path: text_argument(path).startswith("/"),
    "join": _join,
    "keys": lambda values: _only([*map_argument(values)]),
    "max": lambda *values: Int64(max(map(_number, values))),
    "min": lambda *values: Int64(min(map(_number, values))),
    "mod": _remainder,
    "mul": _product,
    "nospace": lambda text: "".join(text_argument(text).split()),
    "nindent": lambda spaces, text: set_functions.FUNCTIONS["nindent"](whole(spaces), text),
    "omit": lambda values, *names: OwnMap((key, one) for key, one in map_argument(values).items() if key not in names),
    "pick": lambda values, *names: OwnMap((key, one) for key, one in map_argument(values).items() if key in names),
    "pluck": lambda name, *maps: [one[text_argument(name)] for one in map(map_argument, maps) if name in one],
    "prepend": lambda values, one: [one, *list_argument(values)],
    "repeat": _repeat,
    "reverse": lambda values: list_argument(values)[::-1],
    "round": _round,
    "semverCompare": _allows,
    "seq": _sequence,
    "set": _set,
    "sha1sum": _digest("sha1"),
    "sha512sum": _digest("sha512"),
    "slice": _slice,
    "sortAlpha": lambda values: [*sorted(_texts(values))],
    "splitn": _split_at_most,
    "sub": lambda left, right: Int64(_number(left) - _number(right)),
    "substr": _substring,
    "title": lambda text: _WORD_START.sub(lambda found: found[0].upper(), ascii_argument(text)),
    "toStrings": _texts,
    "trunc": _truncate,
    "tuple": lambda *values: [*values],
    "unset": _unset,
    "until": _until,
    "untilStep": _until_step,
    "untitle": lambda text: _FIRST_LETTER.sub(lambda found: found[0].lower(), ascii_argument(text)),
    "values": lambda values: _only([*map_argument(values).values()]),
}
"""The functions by name; arguments of other types raise ``TypeError`` or ``ValueError``."""
