"""The server's estimates of the costs of function calls."""

from collections.abc import Callable, Mapping, Sequence
from math import ceil
from typing import Final

from kubectl_applylint.core.records import replace
from kubectl_applylint.server.validate.custom.cost_estimate import MOST, Estimate, Size, add, times
from kubectl_applylint.server.validate.custom.decls import Decl
from kubectl_applylint.server.validate.custom.evaluation import UnsupportedError

_STRINGS: Final = Decl("list", element=Decl("string"))


def call(name: str, target: Estimate | None, given: Sequence[Estimate]) -> Estimate:
    """Return the cost estimate of a function call."""
    values = [*([target] if target is not None else []), *given]
    if any(value.kind.kind == "dyn" for value in values[:1]) and name not in ("string", "int", "double", "type", "dyn"):
        raise UnsupportedError("a function of a value of any type")
    rule = _CALLS.get(name)
    if rule is None:
        raise UnsupportedError(f"unknown name {name!r}")
    found = rule(values)
    return replace(found, cost=add(found.cost, *(value.cost for value in values)))


_Call = Callable[[Sequence[Estimate]], Estimate]


def _fixed_cost(kind: str, cost: int = 1) -> _Call:
    return lambda values: Estimate(cost, Decl(kind))


def _linear_cost(kind: Decl, factor: float = 0.1, *, place: int = 0, sized: bool = False) -> _Call:
    """Return the estimate of a function that iterates over one value; the result of ``sized`` ones has its size."""
    return lambda values: Estimate(values[place].size.times(factor), kind, own=values[place].size if sized else None)


def _pattern_cost(kind: Decl, sized: bool) -> _Call:
    def rule(values: Sequence[Estimate]) -> Estimate:
        text, pattern = values[0].size, values[1].size
        cost = times(Size(0, add(text.most, 1)).times(0.1), pattern.times(0.25))
        return Estimate(cost, kind, own=Size(0, text.most) if sized else None)

    return rule


def _contains(values: Sequence[Estimate]) -> Estimate:
    return Estimate(times(values[0].size.times(0.1), values[1].size.times(0.1)), Decl("bool"))


def _sets(factor: float) -> _Call:
    def rule(values: Sequence[Estimate]) -> Estimate:
        product = Size(0, times(values[0].size.most, values[1].size.most))
        return Estimate(add(product.times(factor), 1), Decl("bool"))

    return rule


def _search_cost(kind: str) -> _Call:
    """Return the estimate of a function that searches a text, or a list with the texts in it."""

    def rule(values: Sequence[Estimate]) -> Estimate:
        target = values[0]
        result = target.kind.element if not kind and target.kind.element else Decl(kind or "dyn")
        if target.kind.kind != "list" or target.kind.element is None:
            return Estimate(target.size.times(0.1), result)
        cost = 1
        if target.kind.element.kind in ("string", "bytes"):
            inner = Size(0, target.place.element.most) if target.place and target.place.element else Size()
            cost = add(1, inner.times(0.1))
        return Estimate(times(target.size.most, cost), result)

    return rule


def _join_estimate(values: Sequence[Estimate]) -> Estimate:
    target = values[0]
    inner = Size(0, target.place.element.most) if target.place and target.place.element else Size()
    most = times(target.size.most, inner.most)
    if len(values) > 1 and target.size.most:
        most = add(most, times(values[1].size.most, target.size.most - 1))
    return Estimate(Size(0, most).times(0.1), Decl("string"), own=Size(0, most))


def _replace_estimate(values: Sequence[Estimate]) -> Estimate:
    text, old, new = (value.size for value in values[:3])
    if old.least == 0:
        most = add(times(add(text.most, 1), new.most), text.most)
    elif new.most <= old.least:
        most = text.most
    else:
        most = times(ceil(text.most / old.least), new.most)
    return Estimate(text.times(0.2), Decl("string"), own=Size(0, most))


def _split(values: Sequence[Estimate]) -> Estimate:
    limit = int(values[2].literal[0]) if len(values) > 2 and values[2].literal else values[0].size.most
    return Estimate(values[0].size.times(0.2), _STRINGS, own=Size(0, limit % (MOST + 1)))


def _copy_estimate(values: Sequence[Estimate]) -> Estimate:
    return Estimate(1, Decl("dyn"), own=values[0].size)


def _to_text(values: Sequence[Estimate]) -> Estimate:
    size = values[0].size
    return Estimate(size.times(0.1), Decl("string"), own=size) if values[0].kind.kind == "bytes" else _TEXT


def _to_bytes(values: Sequence[Estimate]) -> Estimate:
    size = values[0].size
    return Estimate(size.times(0.1), Decl("bytes"), own=Size(size.least, times(size.most, 4)))


def _content(values: Sequence[Estimate]) -> Estimate:
    if values[0].kind.element is None:
        raise UnsupportedError("no optional value")
    return Estimate(1, values[0].kind.element)


def _optional_estimate(values: Sequence[Estimate]) -> Estimate:
    return Estimate(1, Decl("optional", element=values[0].kind))


_TEXT: Final = Estimate(1, Decl("string"))
_STRING, _BOOL = Decl("string"), Decl("bool")


def _block_estimate(values: Sequence[Estimate], fixed: int) -> Estimate:
    parsed = values[1].size.times(0.1) if values[1].kind.kind == "string" else 0
    return Estimate(add(fixed, parsed), _BOOL)


_CALLS: Final[Mapping[str, _Call]] = {
    **dict.fromkeys(("size", "int", "getDate", "getDayOfMonth", "getDayOfWeek", "getDayOfYear"), _fixed_cost("int")),
    **dict.fromkeys(("getFullYear", "getMonth", "getHours", "getMinutes", "getSeconds"), _fixed_cost("int")),
    **dict.fromkeys(("getMilliseconds", "compareTo", "sign", "asInteger", "family"), _fixed_cost("int")),
    **dict.fromkeys(("prefixLength", "major", "minor", "patch"), _fixed_cost("int")),
    **dict.fromkeys(("double", "asApproximateFloat"), _fixed_cost("double")),
    **dict.fromkeys(("isGreaterThan", "isLessThan", "isInteger", "hasValue", "bool"), _fixed_cost("bool")),
    **dict.fromkeys(("isUnspecified", "isLoopback", "isLinkLocalMulticast", "isLinkLocalUnicast"), _fixed_cost("bool")),
    "isGlobalUnicast": _fixed_cost("bool"),
    **dict.fromkeys(("getScheme", "getHost", "getHostname", "getPort", "getEscapedPath"), _fixed_cost("string")),
    **dict.fromkeys(("add", "sub"), _fixed_cost("quantity")),
    "uint": _fixed_cost("uint"),
    "type": _fixed_cost("type"),
    "duration": _fixed_cost("duration"),
    "timestamp": _fixed_cost("timestamp"),
    "dyn": _copy_estimate,
    "string": _to_text,
    "bytes": _to_bytes,
    **dict.fromkeys(("startsWith", "endsWith"), _linear_cost(_BOOL, place=1)),
    **dict.fromkeys(("lowerAscii", "upperAscii", "substring", "trim"), _linear_cost(_STRING, sized=True)),
    **dict.fromkeys(("isIP", "isCIDR", "isQuantity", "isSemver"), _linear_cost(_BOOL)),
    "charAt": _fixed_cost("string"),
    "isURL": _fixed_cost("bool"),
    "ip": lambda values: (
        Estimate(1, Decl("ip")) if values[0].kind.kind == "cidr" else Estimate(values[0].size.times(0.1), Decl("ip"))
    ),
    "ip.isCanonical": _linear_cost(_BOOL, 0.2),
    "cidr": _linear_cost(Decl("cidr")),
    "quantity": _linear_cost(Decl("quantity")),
    "semver": _linear_cost(Decl("semver")),
    "url": _linear_cost(Decl("url"), sized=True),
    "masked": _fixed_cost("cidr"),
    "containsIP": lambda values: _block_estimate(values, 4),
    "containsCIDR": lambda values: _block_estimate(values, 7),
    "format": _linear_cost(_STRING),
    "matches": _pattern_cost(_BOOL, False),
    "find": _pattern_cost(_STRING, True),
    "findAll": _pattern_cost(_STRINGS, True),
    "contains": _contains,
    **dict.fromkeys(("sets.contains", "sets.intersects"), _sets(1)),
    "sets.equivalent": _sets(2),
    **dict.fromkeys(("indexOf", "lastIndexOf"), _search_cost("int")),
    "isSorted": _search_cost("bool"),
    **dict.fromkeys(("sum", "min", "max"), _search_cost("")),
    "join": _join_estimate,
    "replace": _replace_estimate,
    "split": _split,
    "orValue": _content,
    "value": _content,
    "or": lambda values: Estimate(1, values[0].kind),
    "optional.of": _optional_estimate,
    "optional.ofNonZeroValue": _optional_estimate,
    "optional.none": _fixed_cost("optional"),
}
