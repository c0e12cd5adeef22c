"""The server's estimate of the maximum cost of an expression, by the sizes that its schema allows.

Mirrors ``checker/cost.go`` of cel-go and ``EstimateCallCost`` of apiserver's ``pkg/cel/library/cost.go``. Whatever is
not certain raises ``UnsupportedError``: then there is no estimate.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import lark

from kubectl_applylint.core.records import replace
from kubectl_applylint.server.validate.custom.cost_estimate import (
    LOST,
    ROOT,
    Estimate,
    Scope,
    Size,
    add,
    place_of_elements,
    place_of_field,
    times,
)
from kubectl_applylint.server.validate.custom.decls import Decl
from kubectl_applylint.server.validate.custom.estimated_calls import call
from kubectl_applylint.server.validate.custom.evaluation import UnsupportedError
from kubectl_applylint.server.validate.custom.grammar import ExpressionSyntaxError, parse_expression


def estimate(expression: str, decl: Decl, *, optional: bool) -> int | None:
    """Return the maximum cost of an expression about a value of a type, ``None`` if that is not certain."""
    root = Estimate(1, decl, decl)
    old = Estimate(1, Decl("optional", element=decl), decl) if optional else root
    try:
        return estimate_tree(parse_expression(expression), {ROOT: root, "self": root, "oldSelf": old}).cost
    except (
        UnsupportedError,
        ExpressionSyntaxError,
        LookupError,
        RecursionError,
        TypeError,
        ValueError,
        AttributeError,
    ):
        return None


def estimate_tree(tree: Any, scope: Scope) -> Estimate:
    """Return the maximum cost of a tree; ``scope`` holds the variables, and the whole value under ``ROOT``."""
    children = [child for child in tree.children if child is not None]
    if len(children) == 1 and isinstance(children[0], lark.Tree) and tree.data not in ("list_lit", "map_lit"):
        return estimate_tree(children[0], scope)
    rule = _RULES.get(tree.data)
    if rule is None:
        raise UnsupportedError(tree.data)
    return rule(children, scope)


def _of_kind(kind: str, cost: int) -> Estimate:
    return Estimate(cost, Decl(kind))


def _conditional(children: Sequence[Any], scope: Scope) -> Estimate:
    """Return the estimate of a conditional (``? :``)."""
    condition, yes, no = (estimate_tree(child, scope) for child in children)
    entry = yes.entry.union(no.entry) if yes.entry and no.entry else None
    kind = yes.kind if yes.kind.kind != "dyn" else no.kind
    cost = add(condition.cost, max(yes.cost, no.cost))
    return Estimate(cost, kind, own=yes.size.union(no.size), entry=entry)


def _logical(children: Sequence[Any], scope: Scope) -> Estimate:
    """Return the estimate of ``||`` or ``&&``."""
    return _of_kind("bool", add(*(estimate_tree(child, scope).cost for child in children)))


def _operation(children: Sequence[Any], scope: Scope) -> Estimate:
    """Return the estimate of a binary operation."""
    sign, right = children
    left = estimate_tree(sign.children[0], scope)
    return OPERATORS[sign.data](left, estimate_tree(right, scope))


def _comparison(left: Estimate, right: Estimate) -> Estimate:
    own = Size(0, min(left.size.most, right.size.most)).times(0.1)
    cost = {"string": own, "bytes": own, "dyn": max(1, own)}.get(left.kind.kind, 1)
    if "dyn" in (left.kind.kind, right.kind.kind):
        cost = max(cost, own, 1)
    return _of_kind("bool", add(left.cost, right.cost, cost))


def _equal(left: Estimate, right: Estimate) -> Estimate:
    """Return the estimate of ``==`` or ``!=``."""
    if left.kind.kind == right.kind.kind and left.kind.kind in ("quantity", "ip", "cidr", "semver"):
        return _of_kind("bool", add(left.cost, right.cost, 1))
    if left.kind.kind in ("url", "format"):
        raise UnsupportedError("equality of URLs")
    own = Size(0, min(left.size.most, right.size.most)).times(0.1)
    return _of_kind("bool", add(left.cost, right.cost, own))


def _member(left: Estimate, right: Estimate) -> Estimate:
    """Return the estimate of ``in``."""
    cost = 1 if right.kind.kind == "map" else right.size.most
    return _of_kind("bool", add(left.cost, right.cost, max(cost, 1) if right.kind.kind == "dyn" else cost))


def _sum(left: Estimate, right: Estimate) -> Estimate:
    """Return the estimate of ``+``."""
    size = Size(add(left.size.least, right.size.least), add(left.size.most, right.size.most))
    if left.kind.kind == "dyn" or right.kind.kind == "dyn":
        raise UnsupportedError("a sum of values of any type")
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
    **dict.fromkeys(("relation_lt", "relation_le", "relation_gt", "relation_ge"), _comparison),
    **dict.fromkeys(("relation_eq", "relation_ne"), _equal),
    "relation_in": _member,
    "addition_add": _sum,
    **dict.fromkeys(("addition_sub", "multiplication_mul", "multiplication_div", "multiplication_mod"), _arithmetic),
}


def is_double_sign(children: Sequence[Any]) -> bool:
    """Return whether a sign is doubled; CEL's parser drops such a pair."""
    inner = children[1]
    return inner.data == "unary" and len(inner.children) == 2 and inner.children[0].data == children[0].data


def _unary(children: Sequence[Any], scope: Scope) -> Estimate:
    """Return the estimate of ``!`` or ``-``."""
    if is_double_sign(children):
        return estimate_tree(children[1].children[1], scope)
    inner = estimate_tree(children[1], scope)
    if inner.literal and children[0].data == "unary_neg":
        return inner
    return Estimate(add(inner.cost, 1), Decl(inner.kind.kind))


def _variable(children: Sequence[Any], scope: Scope) -> Estimate:
    name = str(children[0])
    if name in scope:
        return replace(scope[name], cost=1)
    if name in ("int", "string", "bool", "double", "list", "map", "bytes", "null_type", "uint", "type"):
        return Estimate(1, Decl("type"), scope[ROOT].place)
    raise UnsupportedError(f"unknown name {name!r}")


def _field(children: Sequence[Any], scope: Scope) -> Estimate:
    holder, name = estimate_tree(children[0], scope), str(children[1])
    cost = add(holder.cost, 1) if holder.kind.kind in ("map", "object") else holder.cost
    kind = holder.kind.fields.get(name) if holder.kind.kind == "object" else holder.kind.element
    if kind is None or holder.kind.kind not in ("map", "object"):
        raise UnsupportedError(f"unknown field {name!r}")
    return Estimate(cost, kind, place_of_field(holder, name, scope))


def _element(children: Sequence[Any], scope: Scope) -> Estimate:
    """Return the estimate of an element of a list or map."""
    holder, index = (estimate_tree(child, scope) for child in children)
    if holder.kind.kind not in ("list", "map") or holder.kind.element is None:
        raise UnsupportedError("an element of a value of any type")
    cost = add(holder.cost, index.cost, 1)
    return Estimate(cost, holder.kind.element, place_of_elements(holder, scope), own=holder.entry)


def _list(children: Sequence[Any], scope: Scope) -> Estimate:
    parts = [estimate_tree(each, scope) for each in (children[0].children if children else [])]
    entry = Size(0, 0) if not parts else parts[0].size
    for part in parts:
        entry = entry.union(part.size)
    kind = Decl("list", element=parts[0].kind if parts else None)
    return Estimate(add(10, *(part.cost for part in parts)), kind, own=Size(len(parts), len(parts)), entry=entry)


def _map(children: Sequence[Any], scope: Scope) -> Estimate:
    parts = [estimate_tree(each, scope) for each in (children[0].children if children else [])]
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
        return Estimate(0, Decl(kind), own=Size(1, 1), literal=(str(token),))
    value = _text(token) if kind == "string" else _bytes(token)
    return Estimate(0, Decl(kind), own=Size(len(value), len(value)), literal=(value,))


def _text(token: lark.Token) -> str:
    if "\\" not in token and token[0] in _QUOTES and token[:3] not in _LONG_QUOTES:
        return str(token[1:-1])
    from celpy.evaluation import celstr  # noqa: PLC0415  46 ms, for literals that hardly any rule has

    return str(celstr(token))


def _bytes(token: lark.Token) -> bytes:
    from celpy.evaluation import celbytes  # noqa: PLC0415  46 ms, as above

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
    """Return the estimate of a function call without a receiver."""
    name, given = str(children[0]), list(children[1].children) if len(children) > 1 else []
    if name == "has":
        asked = _unwrap(given[0])
        if asked.data != "member_dot":
            raise UnsupportedError("has() of no field")
        return Estimate(estimate_tree(asked.children[0], scope).cost, Decl("bool"))
    return call(name, None, [estimate_tree(each, scope) for each in given])


def _method(children: Sequence[Any], scope: Scope) -> Estimate:
    name, given = str(children[1]), list(children[2].children) if len(children) > 2 else []
    return _method_call(children[0], name, given, scope)


def _unwrap(tree: Any) -> Any:
    """Return the innermost tree of those that only contain one tree."""
    while isinstance(tree, lark.Tree) and len(tree.children) == 1 and isinstance(tree.children[0], lark.Tree):
        tree = tree.children[0]
    return tree


def _method_call(tree: Any, name: str, given: Sequence[Any], scope: Scope) -> Estimate:
    """Return the cost of a method call, a macro, or a function of a library."""
    holder = _unwrap(tree)
    spelled = str(holder.children[0]) if holder.data == "ident" else ""
    if spelled in ("sets", "optional", "ip", "format") and spelled not in scope:
        return call(f"{spelled}.{name}", None, [estimate_tree(each, scope) for each in given])
    target = estimate_tree(tree, scope)
    macro = _MACROS.get((name, len(given)))
    if macro is not None:
        return macro(target, given, scope)
    if name == "optSelect":
        return _optional_field(target, given[0], scope)
    return call(name, target, [estimate_tree(each, scope) for each in given])


def _optional_field(target: Estimate, name: Any, scope: Scope) -> Estimate:
    key = estimate_tree(name, scope)
    inner = target.kind.element if target.kind.kind == "optional" else target.kind
    kind = None
    if inner is not None:
        kind = inner.fields.get(str(key.literal[0])) if inner.kind == "object" and key.literal else inner.element
    if kind is None:
        raise UnsupportedError("an optional field of a value of any type")
    return Estimate(add(target.cost, key.cost, 1), Decl("optional", element=kind))


def _variables(target: Estimate, names: Sequence[Any], scope: Scope) -> dict[str, Estimate]:
    """Return the variables that a macro binds: the element or the key, or both the index and the element."""
    kind, spelled = target.kind, [str(_unwrap(name).children[0]) for name in names]
    if kind.kind not in ("list", "map") or kind.element is None:
        raise UnsupportedError("a loop over a value of any type")
    root = scope[ROOT].place
    place = place_of_elements(target, scope)
    key_place = root if target.place is None else target.place.key or LOST
    element = Estimate(1, kind.element, place)
    key = Estimate(1, kind.key or Decl("string"), key_place) if kind.kind == "map" else Estimate(1, Decl("int"))
    if len(spelled) == 1:
        return {spelled[0]: element if kind.kind == "list" else key}
    return {spelled[0]: key, spelled[1]: element}


def _quantifier(fixed: int) -> Callable[[Estimate, Sequence[Any], Scope], Estimate]:
    """Return the estimate of ``all`` or ``exists``; ``fixed`` is the cost of one iteration."""

    def macro(target: Estimate, given: Sequence[Any], scope: Scope) -> Estimate:
        inner = estimate_tree(given[-1], {**scope, **_variables(target, given[:-1], scope)})
        cost = add(target.cost, 1, times(target.size.most, add(fixed, inner.cost)))
        return Estimate(cost, Decl("bool"), own=Size(1, 1))

    return macro


def _exists_one(target: Estimate, given: Sequence[Any], scope: Scope) -> Estimate:
    inner = estimate_tree(given[-1], {**scope, **_variables(target, given[:-1], scope)})
    cost = add(target.cost, 2, times(target.size.most, add(2, inner.cost)))
    return Estimate(cost, Decl("bool"), own=Size(1, 1))


def _map_estimate(target: Estimate, given: Sequence[Any], scope: Scope) -> Estimate:
    """Return the cost of ``map``, with or without a test."""
    inside = {**scope, **_variables(target, given[:1], scope)}
    test = estimate_tree(given[1], inside).cost if len(given) == 3 else 0
    made = estimate_tree(given[-1], inside)
    cost = add(target.cost, 11, times(target.size.most, add(test, made.cost, 12)))
    return Estimate(cost, Decl("list", element=made.kind), own=target.size, entry=Size(0, made.size.most))


def _filter_estimate(target: Estimate, given: Sequence[Any], scope: Scope) -> Estimate:
    bound = _variables(target, given[:1], scope)
    test, element = estimate_tree(given[1], {**scope, **bound}), next(iter(bound.values()))
    cost = add(target.cost, 11, times(target.size.most, add(test.cost, 13)))
    return Estimate(cost, Decl("list", element=element.kind), own=target.size, entry=Size(0, element.size.most))


def _optional(fixed: int) -> Callable[[Estimate, Sequence[Any], Scope], Estimate]:
    """Return the estimate of ``optMap`` or ``optFlatMap``."""

    def macro(target: Estimate, given: Sequence[Any], scope: Scope) -> Estimate:
        if target.kind.kind != "optional" or target.kind.element is None:
            raise UnsupportedError("no optional value")
        name = str(_unwrap(given[0]).children[0])
        made = estimate_tree(given[1], {**scope, name: Estimate(1, target.kind.element)})
        cost = add(target.cost, 1, max(1, add(fixed, 10, target.cost, 1, made.cost)))
        kind = Decl("optional", element=made.kind) if fixed else made.kind
        return Estimate(cost, kind)

    return macro


_MACROS: Final[Mapping[tuple[str, int], Callable[[Estimate, Sequence[Any], Scope], Estimate]]] = {
    ("all", 2): _quantifier(3),
    ("all", 3): _quantifier(3),
    ("exists", 2): _quantifier(4),
    ("exists", 3): _quantifier(4),
    ("exists_one", 2): _exists_one,
    ("exists_one", 3): _exists_one,
    ("existsOne", 3): _exists_one,
    ("map", 2): _map_estimate,
    ("map", 3): _map_estimate,
    ("filter", 2): _filter_estimate,
    ("optMap", 2): _optional(1),
    ("optFlatMap", 2): _optional(0),
}


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
