"""The macros of CEL that iterate over lists and maps, with the cost that the server counts for their loops.

Mirrors ``parser/macro.go`` and the optional macros of cel-go. Two variables before the last argument are the index and
the element of a list, or the key and the value of a map.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from celpy import celtypes

from kubectl_applylint.server.validate.custom import costs
from kubectl_applylint.server.validate.custom.calls import ERRORS, Code, EvaluationError, Run, Scope
from kubectl_applylint.server.validate.custom.costs import Meter
from kubectl_applylint.server.validate.custom.dialect import Optional

_Macro: TypeAlias = Callable[[Code, Sequence[str], Sequence[Code]], Code]


def _scopes(names: Sequence[str], values: Any, scope: Scope) -> Iterator[Scope]:
    """Yield the scope of each iteration of a loop: one object, which changes."""
    inner = dict(scope)
    if len(names) == 1 and isinstance(values, (list, dict)):
        for inner[names[0]] in values:
            yield inner
    elif isinstance(values, list):
        for index, value in enumerate(values):
            inner[names[0]], inner[names[1]] = celtypes.IntType(index), value
            yield inner
    elif isinstance(values, dict):
        for inner[names[0]], inner[names[1]] in values.items():
            yield inner
    else:
        raise TypeError("no such overload")


def _is_true(run: Run, scope: Scope, meter: Meter) -> bool:
    """Return the truth value of a condition; raise ``TypeError`` for other values."""
    value = run(scope, meter)
    if not isinstance(value, celtypes.BoolType):
        raise TypeError("no such overload")
    return bool(value)


def _quantifier(decisive: bool, cost: int) -> _Macro:
    """Return ``all`` or ``exists``; ``cost`` is that of the loop condition."""

    def macro(target: Code, names: Sequence[str], parts: Sequence[Code]) -> Code:
        test = parts[0].run

        def run(scope: Scope, meter: Meter) -> Any:
            error: Exception | None = None
            turns = _scopes(names, target.run(scope, meter), scope)
            for inner in turns:
                meter.add(cost + 1)
                meter.add_work(1)
                try:
                    found = _is_true(test, inner, meter) is decisive
                except (*ERRORS, EvaluationError) as problem:
                    error = error or problem
                    continue
                if found:
                    meter.add(cost + 1 if next(turns, None) is not None else 1)
                    return celtypes.BoolType(decisive)
            meter.add(1)
            if error is not None:
                raise error
            return celtypes.BoolType(not decisive)

        return Code(run)

    return macro


def _exists_one(target: Code, names: Sequence[str], parts: Sequence[Code]) -> Code:
    test = parts[0].run

    def run(scope: Scope, meter: Meter) -> Any:
        count = 0
        for inner in _scopes(names, target.run(scope, meter), scope):
            meter.add_work(1)
            found = _is_true(test, inner, meter)
            count += found
            meter.add(2 if found else 0)
        meter.add(2)
        return celtypes.BoolType(count == 1)

    return Code(run)


def _collect(target: Code, name: str, test: Run | None, transform: Run) -> Code:
    """Return the code of a macro that lists the results of ``transform`` for the elements that pass a test."""

    def run(scope: Scope, meter: Meter) -> Any:
        found = []
        for inner in _scopes([name], target.run(scope, meter), scope):
            meter.add_work(1)
            if test is None or _is_true(test, inner, meter):
                found.append(transform(inner, meter))
                meter.add(costs.LIST + 2)
        meter.add(1)
        return celtypes.ListType(found)

    return Code(run)


def _filter(target: Code, names: Sequence[str], parts: Sequence[Code]) -> Code:
    name = names[0]

    def itself(scope: Scope, meter: Meter) -> Any:
        meter.add(1)
        return scope[name]

    return _collect(target, name, parts[0].run, itself)


def _map(target: Code, names: Sequence[str], parts: Sequence[Code]) -> Code:
    test = parts[0].run if len(parts) == 2 else None
    return _collect(target, names[0], test, parts[-1].run)


def _optional(wrap: Callable[[Any], Any], cost: int) -> _Macro:
    """Return ``optMap`` or ``optFlatMap``: the server evaluates the optional value twice."""

    def macro(target: Code, names: Sequence[str], parts: Sequence[Code]) -> Code:
        name, transform = names[0], parts[0].run

        def run(scope: Scope, meter: Meter) -> Any:
            value = target.run(scope, meter)
            meter.add(1)
            if not isinstance(value, Optional):
                raise TypeError("no such overload")
            if not value.content:
                meter.add(1)
                return value
            target.run(scope, meter)
            meter.add(1)
            result = transform({**scope, name: value.content[0]}, meter)
            meter.add(cost)
            return wrap(result)

        return Code(run)

    return macro


MACROS: Final[Mapping[tuple[str, int], tuple[int, _Macro]]] = {
    **{("all", bound + 1): (bound, _quantifier(False, 2)) for bound in (1, 2)},
    **{("exists", bound + 1): (bound, _quantifier(True, 3)) for bound in (1, 2)},
    ("exists_one", 2): (1, _exists_one),
    ("exists_one", 3): (2, _exists_one),
    ("existsOne", 3): (2, _exists_one),
    ("filter", 2): (1, _filter),
    ("map", 2): (1, _map),
    ("map", 3): (1, _map),
    ("optMap", 2): (1, _optional(lambda value: Optional((value,)), 1)),
    ("optFlatMap", 2): (1, _optional(lambda value: value, 0)),
}
"""The macros by name and number of arguments, with the number of names that they bind."""
