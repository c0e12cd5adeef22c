"""What an expression costs at most, by the sizes that its schema allows: the server's estimate.

Mirrors ``checker/cost.go`` of cel-go and ``EstimateCallCost`` of apiserver's ``pkg/cel/library/cost.go``. Whatever is
not certain raises ``Unsupported``: then there is no estimate.
"""

from collections.abc import Callable, Mapping, Sequence
from math import ceil
from typing import Any, Final, TypeAlias

import lark

from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.server.validate.custom.decls import Decl
from kubectl_applylint.server.validate.custom.evaluation import Unsupported
from kubectl_applylint.server.validate.custom.grammar import BadExpression, parsed

MOST: Final = 2**64 - 1
"""The greatest cost and size; the server counts no further."""
_SCALARS: Final = frozenset(("bool", "double", "duration", "int", "timestamp", "uint", "null"))
LOST: Final = Decl("")
"""The place of a value whose sizes the server looks for where no declaration is."""


@dataclass(frozen=True, slots=True)
class Size:
    """The least and the greatest size of a value."""

    least: int = 0
    most: int = MOST

    def times(self, factor: float) -> int:
        """Return the greatest cost of going through a value with ``factor`` units a step."""
        return MOST if self.most * factor >= MOST else ceil(float(self.most) * factor)

    def union(self, other: "Size") -> "Size":
        """Return a size that covers both."""
        return Size(min(self.least, other.least), max(self.most, other.most))


_UNKNOWN: Final = Size()
_ONE: Final = Size(1, 1)


@dataclass(frozen=True, slots=True)
class Estimate:
    """What is known of a part: its cost and type, where its sizes are declared, its own size and that of its elements.

    ``place`` is the declaration that the server looks sizes up in; ``literal`` is a constant.
    """

    cost: int
    kind: Decl
    place: Decl | None = None
    own: Size | None = None
    entry: Size | None = None
    literal: tuple[Any, ...] = ()

    @property
    def size(self) -> Size:
        """The size, as far as it is known."""
        if self.own is not None:
            return self.own
        if self.place is not None and self.place is not LOST:
            return Size(0, self.place.most)
        return _ONE if _is_scalar(self.kind) else _UNKNOWN


def _is_scalar(kind: Decl) -> bool:
    if kind.kind == "optional" and kind.element is not None:
        return _is_scalar(kind.element)
    return kind.kind in _SCALARS


Scope: TypeAlias = Mapping[str, Estimate]
ROOT: Final = "@root"


def estimate(expression: str, decl: Decl, *, optional: bool) -> int | None:
    """Return what an expression about a value of a type costs at most, ``None`` where that is not certain."""
    root = Estimate(1, decl, decl)
    old = Estimate(1, Decl("optional", element=decl), decl) if optional else root
    try:
        return estimated(parsed(expression), {ROOT: root, "self": root, "oldSelf": old}).cost
    except (Unsupported, BadExpression, LookupError, RecursionError, TypeError, ValueError, AttributeError):
        return None


def add(*costs: int) -> int:
    """Return a sum of costs that goes no further than ``MOST``."""
    return min(MOST, sum(costs))


def estimated(tree: Any, scope: Scope) -> Estimate:
    """Return what a tree costs at most; ``scope`` holds the variables, and the whole value under ``ROOT``."""
    children = [child for child in tree.children if child is not None]
    if len(children) == 1 and isinstance(children[0], lark.Tree) and tree.data not in ("list_lit", "map_lit"):
        return estimated(children[0], scope)
    rule = _RULES.get(tree.data)
    if rule is None:
        raise Unsupported(tree.data)
    return rule(children, scope)


def _of_kind(kind: str, cost: int) -> Estimate:
    return Estimate(cost, Decl(kind))


def _conditional(children: Sequence[Any], scope: Scope) -> Estimate:
    condition, yes, no = (estimated(child, scope) for child in children)
    entry = yes.entry.union(no.entry) if yes.entry and no.entry else None
    kind = yes.kind if yes.kind.kind != "dyn" else no.kind
    cost = add(condition.cost, max(yes.cost, no.cost))
    return Estimate(cost, kind, own=yes.size.union(no.size), entry=entry)


def _logical(children: Sequence[Any], scope: Scope) -> Estimate:
    return _of_kind("bool", add(*(estimated(child, scope).cost for child in children)))


def _operation(children: Sequence[Any], scope: Scope) -> Estimate:
    sign, right = children
    left = estimated(sign.children[0], scope)
    return OPERATORS[sign.data](left, estimated(right, scope))


def _compared(left: Estimate, right: Estimate) -> Estimate:
    own = Size(0, min(left.size.most, right.size.most)).times(0.1)
    cost = {"string": own, "bytes": own, "dyn": max(1, own)}.get(left.kind.kind, 1)
    if "dyn" in (left.kind.kind, right.kind.kind):
        cost = max(cost, own, 1)
    return _of_kind("bool", add(left.cost, right.cost, cost))


def _equal(left: Estimate, right: Estimate) -> Estimate:
    if left.kind.kind == right.kind.kind and left.kind.kind in ("quantity", "ip", "cidr", "semver"):
        return _of_kind("bool", add(left.cost, right.cost, 1))
    if left.kind.kind in ("url", "format"):
        raise Unsupported("equality of URLs")
    own = Size(0, min(left.size.most, right.size.most)).times(0.1)
    return _of_kind("bool", add(left.cost, right.cost, own))


def _member(left: Estimate, right: Estimate) -> Estimate:
    cost = 1 if right.kind.kind == "map" else right.size.most
    return _of_kind("bool", add(left.cost, right.cost, max(cost, 1) if right.kind.kind == "dyn" else cost))


def _sum(left: Estimate, right: Estimate) -> Estimate:
    size = Size(add(left.size.least, right.size.least), add(left.size.most, right.size.most))
    if left.kind.kind == "dyn" or right.kind.kind == "dyn":
        raise Unsupported("a sum of values of any type")
    if left.kind.kind in ("string", "bytes"):
        return Estimate(add(left.cost, right.cost, size.times(0.1)), left.kind, own=size)
    cost = add(left.cost, right.cost, 1)
    if left.kind.kind != "list":
        return Estimate(cost, _arithmetic_kind(left.kind, right.kind))
    entry = left.entry.union(right.entry) if left.entry and right.entry else None
    return Estimate(cost, left.kind if left.kind.element else right.kind, own=size, entry=entry)


def _arithmetic_kind(left: Decl, right: Decl) -> Decl:
    kinds = {left.kind, right.kind}
    if kinds == {"timestamp"}:
        return Decl("duration")
    return Decl("timestamp") if "timestamp" in kinds else Decl(left.kind)


def _arithmetic(left: Estimate, right: Estimate) -> Estimate:
    return Estimate(add(left.cost, right.cost, 1), _arithmetic_kind(left.kind, right.kind))


OPERATORS: Final[Mapping[str, Callable[[Estimate, Estimate], Estimate]]] = {
    **dict.fromkeys(("relation_lt", "relation_le", "relation_gt", "relation_ge"), _compared),
    **dict.fromkeys(("relation_eq", "relation_ne"), _equal),
    "relation_in": _member,
    "addition_add": _sum,
    **dict.fromkeys(("addition_sub", "multiplication_mul", "multiplication_div", "multiplication_mod"), _arithmetic),
}


def doubled(children: Sequence[Any]) -> bool:
    """Return whether a sign stands twice, which CEL's parser takes for none."""
    inner = children[1]
    return inner.data == "unary" and len(inner.children) == 2 and inner.children[0].data == children[0].data


def _unary(children: Sequence[Any], scope: Scope) -> Estimate:
    if doubled(children):
        return estimated(children[1].children[1], scope)
    inner = estimated(children[1], scope)
    if inner.literal and children[0].data == "unary_neg":
        return inner
    return Estimate(add(inner.cost, 1), Decl(inner.kind.kind))


def _variable(children: Sequence[Any], scope: Scope) -> Estimate:
    name = str(children[0])
    if name in scope:
        return replace(scope[name], cost=1)
    if name in ("int", "string", "bool", "double", "list", "map", "bytes", "null_type", "uint", "type"):
        return Estimate(1, Decl("type"), scope[ROOT].place)
    raise Unsupported(f"unknown name {name!r}")


def _field(children: Sequence[Any], scope: Scope) -> Estimate:
    holder, name = estimated(children[0], scope), str(children[1])
    cost = add(holder.cost, 1) if holder.kind.kind in ("map", "object") else holder.cost
    kind = holder.kind.fields.get(name) if holder.kind.kind == "object" else holder.kind.element
    if kind is None or holder.kind.kind not in ("map", "object"):
        raise Unsupported(f"unknown field {name!r}")
    return Estimate(cost, kind, place_of_field(holder, name, scope))


def _element(children: Sequence[Any], scope: Scope) -> Estimate:
    holder, index = (estimated(child, scope) for child in children)
    if holder.kind.kind not in ("list", "map") or holder.kind.element is None:
        raise Unsupported("an element of a value of any type")
    cost = add(holder.cost, index.cost, 1)
    return Estimate(cost, holder.kind.element, place_of_elements(holder, scope), own=holder.entry)


def place_of_elements(holder: Estimate, scope: Scope) -> Decl | None:
    """Return where sizes of elements are declared; without a path the server takes the whole value for it."""
    return scope[ROOT].place if holder.place is None else holder.place.element or LOST


def place_of_field(holder: Estimate, name: str, scope: Scope) -> Decl | None:
    """Return where the size of a field is declared, in the same way."""
    return scope[ROOT].place if holder.place is None else holder.place.fields.get(name, LOST)


def _list(children: Sequence[Any], scope: Scope) -> Estimate:
    parts = [estimated(each, scope) for each in (children[0].children if children else [])]
    entry = Size(0, 0) if not parts else parts[0].size
    for part in parts:
        entry = entry.union(part.size)
    kind = Decl("list", element=parts[0].kind if parts else None)
    return Estimate(add(10, *(part.cost for part in parts)), kind, own=Size(len(parts), len(parts)), entry=entry)


def _map(children: Sequence[Any], scope: Scope) -> Estimate:
    parts = [estimated(each, scope) for each in (children[0].children if children else [])]
    entry = Size(0, 0) if not parts else parts[1].size
    for part in parts[1::2]:
        entry = entry.union(part.size)
    kind = Decl("map", element=parts[1].kind if parts else None, key=parts[0].kind if parts else None)
    count = len(parts) // 2
    return Estimate(add(30, *(part.cost for part in parts)), kind, own=Size(count, count), entry=entry)


def _literal(children: Sequence[Any], scope: Scope) -> Estimate:
    token = children[0]
    kind = _LITERALS[token.type]
    if kind not in ("string", "bytes"):
        return Estimate(0, Decl(kind), own=_ONE, literal=(str(token),))
    value = _text(token) if kind == "string" else _bytes(token)
    return Estimate(0, Decl(kind), own=Size(len(value), len(value)), literal=(value,))


def _text(token: lark.Token) -> str:
    if "\\" not in token and token[0] in _QUOTES and token[:3] not in _LONG_QUOTES:
        return str(token[1:-1])
    from celpy.evaluation import celstr  # noqa: PLC0415  46 ms, for literals that nearly no rule has

    return str(celstr(token))


def _bytes(token: lark.Token) -> bytes:
    from celpy.evaluation import celbytes  # noqa: PLC0415  see above

    return bytes(celbytes(token))


_QUOTES: Final = ("'", '"')
_LONG_QUOTES: Final = ("'''", '"""')
_LITERALS: Final = {
    "FLOAT_LIT": "double",
    "INT_LIT": "int",
    "UINT_LIT": "uint",
    "STRING_LIT": "string",
    "MLSTRING_LIT": "string",
    "BYTES_LIT": "bytes",
    "BOOL_LIT": "bool",
    "NULL_LIT": "null",
}


def _function(children: Sequence[Any], scope: Scope) -> Estimate:
    from kubectl_applylint.server.validate.custom import estimated_calls  # noqa: PLC0415  # it estimates trees itself

    name, given = str(children[0]), list(children[1].children) if len(children) > 1 else []
    if name == "has":
        return estimated_calls.presence(given[0], scope)
    return estimated_calls.call(name, None, [estimated(each, scope) for each in given])


def _method(children: Sequence[Any], scope: Scope) -> Estimate:
    from kubectl_applylint.server.validate.custom import estimated_calls  # noqa: PLC0415  # it estimates trees itself

    name, given = str(children[1]), list(children[2].children) if len(children) > 2 else []
    return estimated_calls.method(children[0], name, given, scope)


_RULES: Final[Mapping[str, Callable[[Sequence[Any], Scope], Estimate]]] = {
    "expr": _conditional,
    "conditionalor": _logical,
    "conditionaland": _logical,
    "relation": _operation,
    "addition": _operation,
    "multiplication": _operation,
    "unary": _unary,
    "member_dot": _field,
    "member_dot_arg": _method,
    "member_index": _element,
    "literal": _literal,
    "ident": _variable,
    "ident_arg": _function,
    "list_lit": _list,
    "map_lit": _map,
}
