"""The estimated cost of rules in CustomResourceDefinitions, which the server limits for each rule and in total.

Mirrors ``ValidateCustomResourceDefinitionOpenAPISchema`` and ``CELSchemaContext`` of the apiextensions server. A rule
whose cost cannot be estimated here counts nothing.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.values import Json, JsonObject, Missing, dig, items, mapping
from kubectl_applylint.server.validate.custom.decls import LARGEST_REQUEST, Decl, declared_type
from kubectl_applylint.server.validate.custom.estimates import Rough, estimate
from kubectl_applylint.server.validate.custom.reading import flag, number, sub, text
from kubectl_applylint.server.validate.definitions.parts import Parts, fields, inner, parts_of, remarkable
from kubectl_applylint.server.validate.field_context import FieldContext, FieldErrors

_PER_RULE: Final = 10_000_000
_PER_SCHEMA: Final = 100_000_000
_MOST: Final = 2**64 - 1
_TOLD: Final = 4
_ADVICE: Final = (
    "(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are "
    "declared)"
)


@dataclass(frozen=True, slots=True)
class _Level:
    """A schema within a definition: how many values of it there may be, ``None`` without a bound."""

    fld: FieldContext
    looked_at: frozenset[int]
    """The schemas that have rules, or contain one that has."""
    count: int | None = 1
    whole: bool = False


@dataclass(frozen=True, slots=True)
class _RuleCost:
    """An expression and its maximum cost, ``None`` if that is unknown."""

    fld: FieldContext
    cost: int | None
    words: str


_RECENT: Final = deque[tuple[Json, Sequence[_RuleCost]]](maxlen=8)
"""The schemas with the last estimates: a definition without faults is checked for doubts next."""


def cost_faults(fld: FieldContext, parts: Parts) -> FieldErrors:
    """Yield the rules of a schema that cost too much by the server's estimate.

    ``fld`` is the whole schema, ``parts`` are those of its value.
    """
    priced = list(_rule_costs(_root_level(fld, parts)))
    _RECENT.append((fld.value, priced))
    for each in priced:
        if each.cost is not None and each.cost > _PER_RULE:
            yield each.fld.forbidden(_budget_message(each.words, each.cost, _PER_RULE))
    known = [(each.cost, each) for each in priced if each.cost is not None]
    total = min(_MOST, sum(cost for cost, _ in known))
    if total > _PER_SCHEMA:
        costly = sorted((each for each in known if each[0] >= _PER_SCHEMA // 100), key=lambda each: -each[0])
        for _, each in costly[:_TOLD]:
            words = "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema"
            yield each.fld.forbidden(words)
        words = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema"
        yield fld.forbidden(_budget_message(words, total, _PER_SCHEMA))


def cost_doubts(definition: JsonObject) -> tuple[str, ...]:
    """Return what is unknown of the cost of a definition's rules, in one sentence at most."""
    schemas = [dig(version, "schema", "openAPIV3Schema") for version in items(dig(definition, "spec", "versions"))]
    open_ones = [each for schema in schemas for each in _cached_rule_costs(schema) if each.cost is None]
    if not open_ones:
        return ()
    rule = open_ones[0].fld.text()
    more = f" and of {len(open_ones) - 1} more" if len(open_ones) > 1 else ""
    return (
        f"the cost of the rule {rule!r}{more} is not estimated; the server may reject the definition because of it",
    )


def _cached_rule_costs(schema: Json | Missing) -> Iterable[_RuleCost]:
    """Return the expressions of a schema with their costs, from ``cost_faults`` if it is among the last ones."""
    for one, priced in _RECENT:
        if one is schema:
            return priced
    return _rule_costs(_root_level(FieldContext(schema), parts_of(schema)))


def _budget_message(words: str, cost: int, limit: int) -> str:
    """Return the server's message about a cost above the limit."""
    factor = cost / limit
    shown = "more than 100x" if factor > 100 else f"{factor:.6f}x" if factor < 1.5 else f"{factor:.1f}x"
    return f"{words} exceeds budget by factor of {shown} {_ADVICE}"


def _root_level(fld: FieldContext, parts: Parts) -> _Level:
    """Return the level of the whole schema."""
    return _Level(fld, remarkable(parts, _has_rules), whole=True)


def _has_rules(schema: JsonObject) -> bool:
    return "x-kubernetes-validations" in schema


def _rule_costs(level: _Level) -> Iterator[_RuleCost]:
    """Yield the expressions of a schema and of its inner schemas, the inner ones first."""
    for part in _inner_levels(level):
        yield from _rule_costs(part)
    rules = level.fld.child("x-kubernetes-validations")
    decl = declared_type(mapping(level.fld.value), whole=_is_whole(level)) if rules.there else None
    for rule in rules.items() if decl is not None else ():
        yield from _costs_of_rule(rule, decl, level)


def _is_whole(level: _Level) -> bool:
    return level.whole or level.fld.flag("x-kubernetes-embedded-resource")


def _costs_of_rule(rule: FieldContext, decl: Decl | None, level: _Level) -> Iterator[_RuleCost]:
    if decl is None:
        return
    once = _cost(rule.text("rule"), decl, optional=rule.flag("optionalOldSelf"))
    count = LARGEST_REQUEST // (decl.least + 1) if level.count is None else level.count
    yield _RuleCost(rule.child("rule"), None if once is None else min(_MOST, once * count), "estimated rule cost")
    if rule.text("messageExpression"):
        cost = _cost(rule.text("messageExpression"), decl, optional=rule.flag("optionalOldSelf"))
        yield _RuleCost(rule.child("messageExpression"), cost, "estimated messageExpression cost")


def _cost(expression: str, decl: Decl, *, optional: bool) -> int | None:
    """Return the estimated cost of an expression."""
    found = estimate(expression, decl, optional=optional) if expression.strip() else Rough(0)
    return found.cost


def _inner_levels(level: _Level) -> Iterator[_Level]:
    """Yield the inner schemas of a schema, except conditions."""
    fld = level.fld
    most = _most(mapping(fld.value))
    count = None if level.count is None or most is None else min(_MOST, level.count * most)
    of_values = (part for name in ("items", "additionalProperties") for part in inner(fld, name, level.looked_at))
    for part in (*fields(fld, level.looked_at), *of_values):
        yield replace(level, fld=part, count=count, whole=False)


def _most(schema: JsonObject) -> int | None:
    """Return how many values of each inner schema a value may hold, ``None`` without a bound."""
    match text(schema, "type"):
        case "object" if sub(schema, "additionalProperties") or flag(schema, "additionalProperties"):
            bound = number(schema, "maxProperties")
        case "array":
            bound = number(schema, "maxItems")
        case _:
            return 1
    return None if bound is None else max(0, int(bound))
