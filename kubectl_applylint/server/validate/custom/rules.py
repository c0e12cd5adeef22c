"""The validation rules in the schema of a custom resource (``x-kubernetes-validations``).

Mirrors ``pkg/apiserver/schema/cel/validation.go`` of the apiextensions server.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Final, TypeAlias

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.values import MISSING, Json, JsonObject, Missing, mapping, objects_at
from kubectl_applylint.server.validate.custom.correlation import Pair, matching
from kubectl_applylint.server.validate.custom.evaluation import (
    EXCEEDED,
    PER_OBJECT,
    EvaluatedValue,
    Evaluation,
    Failed,
    Undecided,
    Value,
)
from kubectl_applylint.server.validate.custom.expressions import evaluate, speaks_of_old
from kubectl_applylint.server.validate.custom.reading import flag, part, sub, text
from kubectl_applylint.server.validate.field_context import FieldContext
from kubectl_applylint.server.validate.result import Open

_VALUES_SHOWN_SINCE: Final = 35
_STRING: Final[JsonObject] = {"type": "string"}
_METADATA: Final[JsonObject] = {"type": "object", "properties": {"name": _STRING, "generateName": _STRING}}
_TYPED: Final[JsonObject] = {"apiVersion": _STRING, "kind": _STRING, "metadata": _METADATA}
"""The fields of any object that expressions may use."""


Finding: TypeAlias = FieldError | Open
_LEFT_TO_THE_SERVER: Final = PER_OBJECT - 4_000_000
"""What the server could still spend on an object after it has become too much work here: some five seconds."""
_NO_FURTHER: Final = "no further validation rules will be run"


class _StoppedError(Exception):
    """The rules cost too much: the server evaluates no further one."""


@dataclass(slots=True)
class _Budget:
    """The remaining cost budget for the rules about one object."""

    left: int = PER_OBJECT

    def spend(self, evaluation: Evaluation) -> None:
        """Subtract the cost of an evaluation; one that was left open costs nothing."""
        self.left -= 0 if isinstance(evaluation, Undecided) else evaluation.cost


@dataclass(frozen=True, slots=True)
class _Node:
    """One value with its rules.

    ``rules`` is the schema with the rules, ``schema`` the one that declares its type: they differ in ``allOf``.
    ``current`` and ``nearest`` are the pairs with the stored value, of this value and of the next one around it.
    """

    fld: FieldContext
    old: Json | Missing
    rules: JsonObject
    schema: JsonObject
    current: Pair | None = None
    nearest: Pair | None = None
    budget: _Budget = field(default_factory=_Budget)

    def inside(self, fld: FieldContext, old: Json | Missing, rules: JsonObject, schema: JsonObject) -> "_Node":
        """Return a value inside this one, with its rules and schema."""
        return replace(self, fld=fld, old=MISSING if old is None else old, rules=rules, schema=schema)

    @property
    def stays(self) -> bool:
        """Whether the value, or the next matchable one around it, is unchanged."""
        pair = self.current if self.current is not None else self.nearest
        return pair is not None and pair.same


def broken_rules(fld: FieldContext, schema: JsonObject) -> Iterator[Finding]:
    """Yield the rules that an object breaks, and those that only the server can evaluate."""
    current = None if fld.creating else Pair(fld.value, fld.old, schema)
    with suppress(_StoppedError):
        yield from _findings(_Node(fld, fld.old, schema, schema, current))


def _findings(node: _Node) -> Iterator[Finding]:
    """Yield the findings of a value and of the values inside it."""
    value = node.fld.value
    if value is None or value is MISSING:
        return
    rules = objects_at(node.rules, "x-kubernetes-validations")
    for rule in rules:
        yield from _rule_findings(node, rule)
    for carrier in objects_at(node.rules, "allOf"):
        yield from _findings(replace(node, rules=carrier, current=None))
    if isinstance(value, dict):
        yield from _object_findings(node, value)
    elif isinstance(value, list):
        yield from _list_findings(node, value)


def _object_findings(node: _Node, value: JsonObject) -> Iterator[Finding]:
    declared = sub(node.rules, "properties")
    for name in value:
        carrier = part(node.rules, name)
        if not carrier:
            continue
        fld = node.fld.child(name) if name in declared else node.fld.entry(name)
        inner = node.inside(fld, mapping(node.old).get(name), carrier, part(node.schema, name))
        yield from _findings(_with_field_pair(inner, node, name))


def _with_field_pair(inner: _Node, outer: _Node, name: str) -> _Node:
    """Return the value of a field with the pairs that its stored values make."""
    if outer.current is None:
        return inner
    if outer.nearest is None and name in ("apiVersion", "kind"):
        return replace(inner, current=None, nearest=None)
    return replace(inner, current=outer.current.key(name), nearest=outer.current)


def _list_findings(node: _Node, value: list[Json]) -> Iterator[Finding]:
    carrier, schema = sub(node.rules, "items"), sub(node.schema, "items")
    if not carrier:
        return
    for place, item in enumerate(value):
        fld = FieldContext(item, step=f"[{place}]", up=node.fld, occasion=node.fld.occasion)
        inner = node.inside(fld, matching(node.schema, node.old, item), carrier, schema)
        if node.current is not None:
            inner = replace(inner, current=node.current.index(place), nearest=node.current)
        yield from _findings(inner)


def _rule_findings(node: _Node, rule: JsonObject) -> Iterator[Finding]:
    expression, optional = text(rule, "rule"), flag(rule, "optionalOldSelf")
    if speaks_of_old(expression) and node.old is MISSING and not optional:
        return
    if node.budget.left < _LEFT_TO_THE_SERVER:
        yield Open(str(node.fld), expression, "the rules before it are too expensive to evaluate here")
        return
    evaluation = evaluate(expression, _subject(node, optional=optional))
    node.budget.spend(evaluation)
    match evaluation:
        case Value(True):
            return
        case Value(False):
            if speaks_of_old(expression) or not node.stays:
                yield _rule_error(node, rule)
        case Failed(words) if words == EXCEEDED:
            said = f"'{words}': {_NO_FURTHER} due to call cost exceeds limit for rule: {_rule_text(rule)}"
            yield _typed_error(node, said)
            raise _StoppedError
        case Failed(words):
            yield _typed_error(node, f"{words} evaluating rule: {_rule_text(rule)}")
        case Undecided(why):
            yield Open(str(node.fld), expression, why)
        case Value(_):
            yield Open(str(node.fld), expression, "it comes to no truth value")


def _subject(node: _Node, *, optional: bool) -> EvaluatedValue:
    """Return the subject of the expressions about a value."""
    return EvaluatedValue(node.fld.value, node.old, _with_metadata(node), optional)


def _with_metadata(node: _Node) -> JsonObject:
    """Return the schema of a value; whole and embedded objects have a type and a name in addition."""
    if node.fld.up is not None and not flag(node.schema, "x-kubernetes-embedded-resource"):
        return node.schema
    return {**node.schema, "properties": {**sub(node.schema, "properties"), **_TYPED}}


def _rule_error(node: _Node, rule: JsonObject) -> FieldError:
    detail, place = _message(node, rule), _place(node, rule)
    match text(rule, "reason"):
        case "FieldValueForbidden":
            return place.forbidden(detail)
        case "FieldValueRequired":
            return place.required(detail)
        case "FieldValueDuplicate":
            return place.duplicate(node.fld.value)
        case _:
            return _invalid(node, place, detail)


def _typed_error(node: _Node, detail: str) -> FieldError:
    """Return the error with the type of the value instead of the value."""
    return node.fld.invalid(detail, text(node.schema, "type"))


def _invalid(node: _Node, place: FieldContext, detail: str) -> FieldError:
    """Return the error in the form of the server's version: with the value, with its type, or with neither."""
    kind = text(node.schema, "type")
    if node.fld.occasion.minor < _VALUES_SHOWN_SINCE:
        return place.invalid(detail, kind)
    if kind in ("object", "array"):
        return FieldError(str(place), "FieldValueInvalid", f"Invalid value: {detail}")
    return place.invalid(detail, node.fld.value)


def _place(node: _Node, rule: JsonObject) -> FieldContext:
    """Return the place of the error: the value, or the field in it that the rule names."""
    path = text(rule, "fieldPath").removeprefix(".")
    return node.fld.child(re.sub(r"\['((?:\\.|[^'\\])*)'\]", r".\1", path)) if path else node.fld


def _message(node: _Node, rule: JsonObject) -> str:
    """Return the message of a rule: that of its expression, or else the fixed one."""
    if expression := text(rule, "messageExpression"):
        evaluation = evaluate(expression, _subject(node, optional=False))
        node.budget.spend(evaluation)
        words = _words(evaluation)
        if words:
            return words
    return text(rule, "message").strip() or f"failed rule: {_rule_text(rule)}"


def _words(evaluation: Evaluation) -> str:
    """Return the text that an expression evaluates to, the empty text if it is not usable."""
    match evaluation:
        case Value(str(words)) if "\n" not in words.strip():
            return words.strip()
        case _:
            return ""


def _rule_text(rule: JsonObject) -> str:
    """Return the fixed message of a rule, or else its expression."""
    return text(rule, "message").strip() or text(rule, "rule").strip()
