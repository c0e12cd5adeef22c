"""Evaluates expressions that only test fields: whether they are present, and whether a text equals a constant.

Most rules of the definitions of Flux are of this form: ``has(self.chart) && !has(self.chartRef)``. ``cel-python``
would take 0.2 s to import and to parse them. Everything else, every error included, is left to it. Values and costs are
those of ``computing``.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from math import ceil
from typing import Final, TypeAlias

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import MISSING, Json, JsonObject, Missing
from kubectl_applylint.server.validate.cel_names import RESERVED
from kubectl_applylint.server.validate.custom.evaluation import EvaluatedValue, Value
from kubectl_applylint.server.validate.custom.reading import part, sub

_LONGEST: Final = 500
_MOST_BRACKETS: Final = 40
"""Limits of an expression; rules of this form are short."""
_TOKEN: Final = regex(
    r"\s*(?P<token>has\(\s*self(?:\.[a-zA-Z][a-zA-Z0-9]*)+\s*\)|self(?:\.[a-zA-Z][a-zA-Z0-9]*)+(?!\w)"
    r"|'[^'\"\\\n]*'|\"[^'\"\\\n]*\"|&&|\|\||==|!=|!|\(|\))",
    re.ASCII,
)
_NAME: Final = regex(r"\.(\w+)")
_EQUALITY: Final = ("==", "!=")


class _OtherFormError(Exception):
    """An expression or a value is not of the supported form."""


@dataclass(frozen=True, slots=True)
class _Subject:
    """An object with the schema that declares its fields."""

    value: Json
    schema: JsonObject


Result: TypeAlias = tuple[bool | str, int]
"""A value and its cost."""
Code: TypeAlias = Callable[[_Subject], Result]


def evaluate(expression: str, subject: EvaluatedValue) -> Value | None:
    """Return the result of an expression; ``None`` if it is not of this form, or fails."""
    code = _compile(expression)
    if code is None:
        return None
    try:
        value, cost = code(_Subject(subject.new, subject.schema))
    except _OtherFormError:
        return None
    return Value(value, cost) if isinstance(value, bool) else None


@lru_cache(maxsize=1024)
def _compile(expression: str) -> Code | None:
    """Return an expression as a function, ``None`` if it is not of this form."""
    if len(expression) > _LONGEST or expression.count("(") > _MOST_BRACKETS:
        return None
    try:
        tokens = _Tokens(_tokens(expression))
        code = _any_of(tokens)
        tokens.take("")
    except _OtherFormError:
        return None
    return code


def _tokens(expression: str) -> Iterator[str]:
    position, text = 0, expression.rstrip()
    while position < len(text):
        found = _TOKEN.match(text, position)
        if found is None:
            raise _OtherFormError
        yield found["token"]
        position = found.end()


class _Tokens:
    """The tokens of an expression, read one by one; ``""`` follows the last one."""

    def __init__(self, tokens: Iterator[str]) -> None:
        self._rest = tokens
        self.next = next(tokens, "")

    def take(self, *wanted: str) -> str:
        """Return the next token, which must be one of the ``wanted`` ones if there are any, and move on."""
        token = self.next
        if wanted and token not in wanted:
            raise _OtherFormError
        self.next = next(self._rest, "")
        return token


def _any_of(tokens: _Tokens) -> Code:
    """Return the code of terms with ``||`` between them."""
    return _logical(tokens, "||", _all_of, decisive=True)


def _all_of(tokens: _Tokens) -> Code:
    """Return the code of terms with ``&&`` between them."""
    return _logical(tokens, "&&", _comparison, decisive=False)


def _logical(tokens: _Tokens, sign: str, term: Callable[[_Tokens], Code], *, decisive: bool) -> Code:
    terms = [term(tokens)]
    while tokens.next == sign:
        tokens.take()
        terms.append(term(tokens))
    return terms[0] if len(terms) == 1 else _first_decisive(terms, decisive=decisive)


def _first_decisive(terms: Sequence[Code], *, decisive: bool) -> Code:
    """Return the code of terms that are evaluated up to the first one with the ``decisive`` value."""

    def run(subject: _Subject) -> Result:
        total = 0
        for term in terms:
            value, cost = _boolean(term(subject))
            total += cost
            if value == decisive:
                return value, total
        return not decisive, total

    return run


def _comparison(tokens: _Tokens) -> Code:
    """Return the code of a term, or of the comparison of two."""
    left = _negation(tokens)
    if tokens.next not in _EQUALITY:
        return left
    is_equality, right = tokens.take() == "==", _negation(tokens)
    if tokens.next in _EQUALITY:
        raise _OtherFormError

    def run(subject: _Subject) -> Result:
        (one, first), (two, second) = left(subject), right(subject)
        if type(one) is not type(two):
            raise _OtherFormError
        length = min(map(len, (one, two))) if isinstance(one, str) and isinstance(two, str) else 1
        return (one == two) == is_equality, first + second + ceil(length * 0.1)

    return run


def _negation(tokens: _Tokens) -> Code:
    """Return the code of a primary expression, perhaps with ``!`` before it."""
    if tokens.next != "!":
        return _primary(tokens)
    tokens.take()
    inner = _primary(tokens)

    def run(subject: _Subject) -> Result:
        value, cost = _boolean(inner(subject))
        return not value, cost + 1

    return run


def _primary(tokens: _Tokens) -> Code:
    token = tokens.take()
    if token == "(":
        inner = _any_of(tokens)
        tokens.take(")")
        return inner
    if token[:1] in ("'", '"'):
        return lambda subject: (token[1:-1], 0)
    names = _NAME.findall(token)
    if not names or not RESERVED.isdisjoint(names):
        raise _OtherFormError
    return _presence(names) if token.startswith("has") else _text(names)


def _presence(names: Sequence[str]) -> Code:
    """Return the code of ``has()``: each field on the way costs a unit."""
    *outer, last = names

    def run(subject: _Subject) -> Result:
        holder = _inner(subject, outer)
        return _field(holder, last) is not MISSING, len(names)

    return run


def _text(names: Sequence[str]) -> Code:
    """Return the code that reads a text: a unit for each field, and one for the variable."""

    def run(subject: _Subject) -> Result:
        found = _inner(subject, names)
        if not isinstance(found.value, str) or "format" in found.schema:
            raise _OtherFormError
        return found.value, len(names) + 1

    return run


def _inner(subject: _Subject, names: Sequence[str]) -> _Subject:
    """Return the value at some names with its schema."""
    for name in names:
        value = _field(subject, name)
        if isinstance(value, Missing):
            raise _OtherFormError
        subject = _Subject(value, part(subject.schema, name))
    return subject


def _field(holder: _Subject, name: str) -> Json | Missing:
    """Return the value of a field of an object; those that its schema does not declare are absent."""
    declared = sub(holder.schema, "properties")
    if not isinstance(holder.value, dict) or not declared:
        raise _OtherFormError
    return holder.value.get(name, MISSING) if name in declared else MISSING


def _boolean(result: Result) -> tuple[bool, int]:
    value, cost = result
    if not isinstance(value, bool):
        raise _OtherFormError
    return value, cost
