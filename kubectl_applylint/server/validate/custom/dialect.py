"""The functions that Kubernetes adds to CEL: for numbers, texts, lists, sets and optional values.

Mirrors cel-go's ``ext`` and apiserver's ``pkg/cel/library``; ``kinds`` has the quantities, addresses and URLs. Methods
get their receiver as first argument.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice, pairwise
from typing import Any, Final

from celpy import celtypes
from celpy.evaluation import base_functions

from kubectl_applylint.core.patterns.linear import Matcher, compile_linear
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.server.validate.custom import kinds
from kubectl_applylint.server.validate.custom.plain import boolean, integer, string, strings


@dataclass(frozen=True, slots=True)
class Optional:
    """An optional value: ``content`` holds it, or is empty."""

    content: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Namespace:
    """The namespace of functions such as ``sets.contains``."""

    name: str


NAMESPACES: Final[Mapping[str, Any]] = {name: Namespace(name) for name in ("optional", "sets")}
"""Variables of every expression."""


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, celtypes.BoolType)


def _plain(value: float) -> float:
    """Return a number of the library as a Python number."""
    return float(value) if isinstance(value, float) else int(value)


def _comparison(name: str, compare: Callable[[float, float], bool]) -> Callable[[Any, Any], Any]:
    """Return an operator that also compares numbers of different types, which ``cel-python`` rejects.

    A truth value is not a number, although in Python it equals 0 or 1.
    """
    other = base_functions[name]

    def operate(left: Any, right: Any) -> Any:
        if _is_number(left) and _is_number(right):
            return boolean(compare(_plain(left), _plain(right)))
        if _is_truth_and_number(left, right):
            return _UNEQUAL.get(name, NotImplemented)
        return other(left, right)

    return operate


def _is_truth_and_number(left: Any, right: Any) -> bool:
    """Return whether one value is a truth value and the other a number."""
    return (_is_number(left) and isinstance(right, celtypes.BoolType)) or (
        isinstance(left, celtypes.BoolType) and _is_number(right)
    )


_UNEQUAL: Final = {"_==_": boolean(False), "_!=_": boolean(True)}
"""The results of operators for values of types that are never equal; other operators have no overload for them."""


def _has_element(item: Any, container: Any) -> Any:
    """Return whether a list, or the keys of a map, contain a value; truth values and numbers are never the same."""
    return base_functions["_in_"](item, [each for each in container if not _is_truth_and_number(item, each)])


_OPERATORS: Final[Mapping[str, Callable[..., Any]]] = {
    "_<_": _comparison("_<_", lambda left, right: left < right),
    "_<=_": _comparison("_<=_", lambda left, right: left <= right),
    "_>_": _comparison("_>_", lambda left, right: left > right),
    "_>=_": _comparison("_>=_", lambda left, right: left >= right),
    "_==_": _comparison("_==_", lambda left, right: left == right),
    "_!=_": _comparison("_!=_", lambda left, right: left != right),
    "_in_": _has_element,
}


def _index_of(value: Any, wanted: Any, start: int = 0) -> Any:
    """Return the index of a part of a text, or of an element of a list, or -1. An empty part is found at ``start``."""
    if isinstance(value, str):
        return integer(_place_in_text(value, wanted, start))
    return integer(next((place for place, each in enumerate(value) if each == wanted), -1))


def _place_in_text(value: str, wanted: str, start: int) -> int:
    """Return the position of a part in a text, -1 if it is absent."""
    if not wanted:
        return start
    if start < 0:
        raise ValueError("index out of range")
    return value.find(wanted, start)


def _last_index_of(value: Any, wanted: Any) -> Any:
    if isinstance(value, str):
        return integer(value.rfind(wanted))
    places = [place for place, each in enumerate(value) if each == wanted]
    return integer(places[-1] if places else -1)


def _substring(value: str, start: int, end: int | None = None) -> Any:
    """Return a part of a text; raise ``ValueError`` for positions outside of it."""
    if not 0 <= start <= (len(value) if end is None else end) <= len(value):
        raise ValueError("index out of range")
    return string(value[start:end])


def _split(value: str, separator: str, limit: int = -1) -> Any:
    if limit == 0:
        return strings([])
    if not separator:
        cut = limit - 1 if limit > 0 else len(value)
        return strings([*value[:cut], *filter(None, [value[cut:]])])
    return strings(value.split(separator, limit - 1 if limit > 0 else -1))


_WHITE_SPACE: Final = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f"
    "\u205f\u3000"
)
"""Unicode's White_Space; Python's ``strip`` removes U+001C to U+001F as well."""


def _replace(value: str, old: str, new: str, limit: int = -1) -> Any:
    return string(value.replace(old, new, limit))


def _map_ascii(value: str, change: Callable[[str], str]) -> Any:
    """Return a text with its ASCII characters changed."""
    return string("".join(change(sign) if sign.isascii() else sign for sign in value))


def _matches(value: str, pattern: str) -> Iterator[str]:
    """Yield the matches of a pattern in a text; raise ``ValueError`` if it may not be run."""
    compiled = compile_linear(pattern)
    if not isinstance(compiled, Matcher) or not compiled.takes(value):
        raise ValueError(f"cannot match {pattern!r}")
    return compiled.matches(value)


def _first_match(value: str, pattern: str) -> Any:
    return string(next(_matches(value, pattern), ""))


def _all_matches(value: str, pattern: str, limit: int = -1) -> Any:
    return strings(list(islice(_matches(value, pattern), None if limit < 0 else int(limit))))


def _format(pattern: str, values: Iterable[Any]) -> Any:
    """Return a text with values for ``%s`` and ``%d``; raise ``ValueError`` for other verbs or too few values."""
    rest = iter(values)
    try:
        return string(
            re.sub("%(.?)", lambda verb: "%" if verb[1] == "%" else _format_value(verb[1], next(rest)), pattern)
        )
    except StopIteration:
        raise ValueError("index out of range") from None


def _format_value(verb: str, value: Any) -> str:
    """Return a value in the format of a verb; raise ``ValueError`` for other verbs."""
    if verb == "s" and isinstance(value, (str, celtypes.BoolType, int)):
        return str(bool(value)).lower() if isinstance(value, celtypes.BoolType) else str(value)
    if verb == "d" and _is_number(value):
        return str(_plain(value))
    raise ValueError(f"cannot format with %{verb}")


def _is_sorted(values: list[Any]) -> Any:
    return boolean(all(left <= right for left, right in pairwise(values)))


def _sum(values: list[Any]) -> Any:
    total = values[0]
    for value in values[1:]:
        total = total + value
    return total


_TEXTS_AND_LISTS: Final[Mapping[str, Callable[..., Any]]] = {
    "charAt": lambda value, place: _substring(value, place, min(place + 1, len(value))),
    "find": _first_match,
    "findAll": _all_matches,
    "format": _format,
    "indexOf": _index_of,
    "isSorted": _is_sorted,
    "join": lambda values, separator="": string(separator.join(values)),
    "lastIndexOf": _last_index_of,
    "lowerAscii": lambda value: _map_ascii(value, str.lower),
    "matches": lambda value, pattern: boolean(next(_matches(value, pattern), None) is not None),
    "max": lambda values: max(values),
    "min": lambda values: min(values),
    "replace": _replace,
    "split": _split,
    "substring": _substring,
    "sum": _sum,
    "trim": lambda value: string(value.strip(_WHITE_SPACE)),
    "upperAscii": lambda value: _map_ascii(value, str.upper),
}


def _contains(value: Any, *arguments: Any) -> Any:
    """Return whether a text contains a part, or, in ``sets``, whether a list has all elements of another."""
    if isinstance(value, Namespace):
        whole, part = arguments
        return boolean(all(each in whole for each in part))
    return base_functions["contains"](value, *arguments)


def _equivalent(_: Namespace, left: list[Any], right: list[Any]) -> Any:
    return boolean(all(each in right for each in left) and all(each in left for each in right))


def _intersects(_: Namespace, left: list[Any], right: list[Any]) -> Any:
    return boolean(any(each in right for each in left))


def _select(value: Any, name: Any) -> Optional:
    """Return an optional field or element of a value that may be optional itself."""
    held = value if isinstance(value, Optional) else Optional((value,))
    if held.content and isinstance(held.content[0], dict):
        return Optional((held.content[0][name],)) if name in held.content[0] else Optional()
    if held.content and isinstance(held.content[0], list):
        return Optional((held.content[0][name],)) if 0 <= name < len(held.content[0]) else Optional()
    return Optional()


def _value(value: Optional) -> Any:
    """Return the content of an optional value; raise ``ValueError`` if it is empty."""
    if not value.content:
        raise ValueError("optional.none() dereference")
    return value.content[0]


_SETS_AND_OPTIONALS: Final[Mapping[str, Callable[..., Any]]] = {
    "contains": _contains,
    "equivalent": _equivalent,
    "hasValue": lambda value: boolean(bool(value.content)),
    "intersects": _intersects,
    "none": lambda _: Optional(),
    "of": lambda _, value: Optional((value,)),
    "ofNonZeroValue": lambda _, value: Optional((value,)) if value else Optional(),
    "optSelect": _select,
    "or": lambda value, other: value if value.content else other,
    "orValue": lambda value, other: value.content[0] if value.content else other,
    "value": _value,
}

FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    **_OPERATORS,
    **_TEXTS_AND_LISTS,
    **_SETS_AND_OPTIONALS,
    **kinds.FUNCTIONS,
}
"""The functions by name; one name may serve several kinds of values."""
