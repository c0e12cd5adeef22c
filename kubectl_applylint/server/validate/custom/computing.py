"""Compiles the tree of an expression into functions that compute it and count its cost.

Mirrors the planner and the interpreter of cel-go: which constants are folded, what short-circuits, which steps the
server counts. Functions and values are those of ``dialect`` and ``cel-python``.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import lark
from celpy import celtypes
from celpy.evaluation import celbytes, celstr

from kubectl_applylint.server.validate.custom import costs
from kubectl_applylint.server.validate.custom.calls import (
    CONVERSIONS,
    ERRORS,
    FALSE,
    KNOWN,
    TRUE,
    Code,
    EvaluationError,
    Scope,
    binary,
    call,
    constant,
    place,
)
from kubectl_applylint.server.validate.custom.costs import Meter
from kubectl_applylint.server.validate.custom.dialect import FUNCTIONS, NAMESPACES, Optional
from kubectl_applylint.server.validate.custom.evaluation import UnsupportedError
from kubectl_applylint.server.validate.custom.macros import MACROS


def compute(code: Code, variables: Scope, meter: Meter) -> Any:
    """Return the value of an expression; raise its functions' exceptions, ``EvaluationError`` or a limit error."""
    return code.run(variables, meter)


def compile_tree(tree: lark.Tree) -> Code:  # type: ignore[type-arg]  # lark names no type of leaves
    """Return a tree as functions; raise ``UnsupportedError`` if a part of it is not supported here."""
    children = [child for child in tree.children if child is not None]
    rule = _RULES.get(tree.data)
    if rule is None:
        raise UnsupportedError(tree.data)
    return rule(children)


def _only(children: Sequence[Any]) -> Code:
    """Return the code of a rule with one child."""
    return compile_tree(children[0])


def _expr(children: Sequence[Any]) -> Code:
    """Return the code of a conditional (``? :``)."""
    if len(children) == 1:
        return compile_tree(children[0])
    condition, *branches = map(compile_tree, children)
    yes, no = (branch.bare or branch.run for branch in branches)

    def run(scope: Scope, meter: Meter) -> Any:
        chosen = condition.run(scope, meter)
        if not isinstance(chosen, celtypes.BoolType):
            raise TypeError("no such overload")
        return yes(scope, meter) if chosen else no(scope, meter)

    return Code(run, run, unit=0)


def _logical(decisive: Any) -> Callable[[Sequence[Any]], Code]:
    """Return the rule of ``||`` or ``&&``, which stop at the ``decisive`` value."""

    def rule(children: Sequence[Any]) -> Code:
        if len(children) == 1:
            return compile_tree(children[0])
        left, right = (compile_tree(child).run for child in children)

        def run(scope: Scope, meter: Meter) -> Any:
            error: Exception | None = None
            for term in (left, right):
                try:
                    value = term(scope, meter)
                except (*ERRORS, EvaluationError) as problem:
                    error = error or problem
                    continue
                if not isinstance(value, celtypes.BoolType):
                    error = error or TypeError("no such overload")
                elif value == decisive:
                    return value
            if error is not None:
                raise error
            return celtypes.BoolType(not decisive)

        return Code(run)

    return rule


def _operator(names: Mapping[str, str]) -> Callable[[Sequence[Any]], Code]:
    """Return the rule of binary operators."""

    def rule(children: Sequence[Any]) -> Code:
        if len(children) == 1:
            return compile_tree(children[0])
        sign, right = children
        return binary(names[sign.data], compile_tree(sign.children[0]), compile_tree(right))

    return rule


def _unary(children: Sequence[Any]) -> Code:
    """Return the code of ``!`` or ``-``."""
    if len(children) == 1:
        return compile_tree(children[0])
    inner = children[1]
    if inner.data == "unary" and len(inner.children) == 2 and inner.children[0].data == children[0].data:
        return compile_tree(inner.children[1])  # CEL's parser drops a double sign.
    name = {"unary_not": "!_", "unary_neg": "-_"}[children[0].data]
    return call(name, [compile_tree(inner)])


def _variable(children: Sequence[Any]) -> Code:
    """Return the code that reads a variable."""
    name = str(children[0])
    if name in CONVERSIONS or name in ("list", "map", "null_type"):
        kind = KNOWN[name]
        return Code(lambda scope, meter: scope.get(name, kind))

    def bare(scope: Scope, meter: Meter) -> Any:
        if name not in scope:
            raise UnsupportedError(f"unknown name {name!r}")
        return scope[name]

    return place(bare)


def _field(children: Sequence[Any]) -> Code:
    """Return the code that reads a field."""
    holder, name = compile_tree(children[0]), celtypes.StringType(children[1])
    read = holder.bare or holder.run

    def bare(scope: Scope, meter: Meter) -> Any:
        value = read(scope, meter)
        meter.add(1)
        return _entry(value, name)

    return place(bare, holder.unit)


def _entry(value: Any, key: Any) -> Any:
    """Return the value of a field, an entry or an element."""
    match value:
        case Optional():
            return FUNCTIONS["optSelect"](value, key)
        case dict():
            if key not in value:
                raise EvaluationError(f"no such key: {key}")
            return value[key]
        case list() if isinstance(key, (int, float)) and not isinstance(key, celtypes.BoolType):
            if key != int(key) or not 0 <= key < len(value):
                raise EvaluationError(f"index out of bounds: {key}")
            return value[int(key)]
        case _:
            raise TypeError("no such overload")


def _element(children: Sequence[Any]) -> Code:
    """Return the code that reads an element by index or key."""
    holder, index = compile_tree(children[0]), compile_tree(children[1])
    read, key = holder.bare or holder.run, index.bare or index.run

    def bare(scope: Scope, meter: Meter) -> Any:
        value, name = read(scope, meter), key(scope, meter)
        meter.add(1)
        return _entry(value, name)

    return place(bare, holder.unit)


def _list(children: Sequence[Any]) -> Code:
    """Return the code of a list literal."""
    elements = [compile_tree(each) for each in children[0].children] if children else []
    if all(each.constant for each in elements):
        return constant(celtypes.ListType([each.constant[0] for each in elements]))

    def run(scope: Scope, meter: Meter) -> Any:
        value = celtypes.ListType([each.run(scope, meter) for each in elements])
        meter.add(costs.LIST)
        return value

    return Code(run)


def _map(children: Sequence[Any]) -> Code:
    """Return the code of a map literal."""
    parts = [compile_tree(each) for each in children[0].children] if children else []
    pairs = list(zip(parts[::2], parts[1::2], strict=True))
    if all(each.constant for each in parts):
        return constant(celtypes.MapType({key.constant[0]: value.constant[0] for key, value in pairs}))

    def run(scope: Scope, meter: Meter) -> Any:
        value = celtypes.MapType({key.run(scope, meter): each.run(scope, meter) for key, each in pairs})
        meter.add(costs.MAP)
        return value

    return Code(run)


def _literal(children: Sequence[Any]) -> Code:
    """Return the code of a constant."""
    token = children[0]
    return constant(_LITERALS[token.type](token))


_LITERALS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "FLOAT_LIT": lambda token: celtypes.DoubleType(token.value),
    "INT_LIT": lambda token: celtypes.IntType(token.value),
    "UINT_LIT": lambda token: celtypes.UintType(token.value[:-1]),
    "STRING_LIT": celstr,
    "MLSTRING_LIT": celstr,
    "BYTES_LIT": celbytes,
    "BOOL_LIT": lambda token: celtypes.BoolType(token.value == "true"),
    "NULL_LIT": lambda token: None,
}


def _arguments(children: Sequence[Any]) -> list[Any]:
    """Return the arguments of a call."""
    return list(children[0].children) if children else []


def _function(children: Sequence[Any]) -> Code:
    """Return the code of a function call without a receiver."""
    name, given = str(children[0]), _arguments(children[1:])
    if name == "has" and len(given) == 1:
        return _presence(given[0])
    return call(name, [compile_tree(each) for each in given])


def _presence(tree: Any) -> Code:
    """Return the code of ``has(a.b)``: the unit for the last field is the cost of the whole."""
    while tree.data not in ("member_dot",):
        if len(tree.children) != 1:
            raise UnsupportedError("has() of no field")
        tree = tree.children[0]
    holder, name = compile_tree(tree.children[0]), str(tree.children[1])
    read = holder.bare or holder.run

    def run(scope: Scope, meter: Meter) -> Any:
        value = read(scope, meter)
        meter.add(1)
        if isinstance(value, Optional):
            return celtypes.BoolType(bool(FUNCTIONS["optSelect"](value, name).content))
        if not isinstance(value, dict):
            raise TypeError("no such overload")
        return celtypes.BoolType(name in value)

    return Code(run)


def _method(children: Sequence[Any]) -> Code:
    """Return the code of a method call or a macro."""
    name, given = str(children[1]), _arguments(children[2:])
    if (name, len(given)) in MACROS:
        bound, macro = MACROS[name, len(given)]
        names, codes = [_bound(each) for each in given[:bound]], [compile_tree(each) for each in given[bound:]]
        return macro(compile_tree(children[0]), names, codes)
    if name == "optSelect":
        return _optional_field(children[0], given[0])
    holder = _namespace(children[0])
    if holder is not None:
        return call(name, [compile_tree(each) for each in given], [holder])
    if name in ("or", "orValue"):
        return _alternative(name, compile_tree(children[0]), compile_tree(given[0]))
    return call(name, [compile_tree(each) for each in (children[0], *given)])


def _bound(tree: Any) -> str:
    """Return the variable that a macro binds."""
    while len(tree.children) == 1 and isinstance(tree.children[0], lark.Tree):
        tree = tree.children[0]
    if tree.data != "ident":
        raise UnsupportedError("a macro binds no name")
    return str(tree.children[0])


def _namespace(tree: Any) -> Any:
    """Return the namespace of functions such as ``sets.contains``, ``None`` for everything else."""
    while isinstance(tree, lark.Tree) and len(tree.children) == 1:
        tree = tree.children[0]
    return NAMESPACES.get(str(tree)) if isinstance(tree, lark.Token) and tree.type == "IDENT" else None


def _optional_field(tree: Any, name: Any) -> Code:
    holder, key = compile_tree(tree), compile_tree(name)
    read, index = holder.bare or holder.run, key.bare or key.run

    def bare(scope: Scope, meter: Meter) -> Any:
        found = FUNCTIONS["optSelect"](read(scope, meter), index(scope, meter))
        if found.content:
            meter.add(1)
        return found

    return place(bare)


def _alternative(name: str, left: Code, right: Code) -> Code:
    """Return the code of ``or`` and ``orValue``, which evaluate the second value on demand."""

    def run(scope: Scope, meter: Meter) -> Any:
        value = left.run(scope, meter)
        if not isinstance(value, Optional):
            raise TypeError("no such overload")
        if value.content:
            return value if name == "or" else value.content[0]
        return right.run(scope, meter)

    return Code(run)


_RELATIONS: Final = {
    "relation_lt": "_<_",
    "relation_le": "_<=_",
    "relation_gt": "_>_",
    "relation_ge": "_>=_",
    "relation_eq": "_==_",
    "relation_ne": "_!=_",
    "relation_in": "_in_",
}
_RULES: Final[Mapping[str, Callable[[Sequence[Any]], Code]]] = {
    "expr": _expr,
    "conditionalor": _logical(TRUE),
    "conditionaland": _logical(FALSE),
    "relation": _operator(_RELATIONS),
    "addition": _operator({"addition_add": "_+_", "addition_sub": "_-_"}),
    "multiplication": _operator(
        {"multiplication_mul": "_*_", "multiplication_div": "_/_", "multiplication_mod": "_%_"}
    ),
    "unary": _unary,
    "member": _only,
    "member_dot": _field,
    "member_dot_arg": _method,
    "member_index": _element,
    "primary": _only,
    "paren_expr": _only,
    "literal": _literal,
    "ident": _variable,
    "ident_arg": _function,
    "list_lit": _list,
    "map_lit": _map,
}
