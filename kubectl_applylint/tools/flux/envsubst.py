"""Variable expressions in text, as Flux evaluates them: ``${NAME}`` and the operators of bash that it knows.

Mirrors ``github.com/fluxcd/pkg/envsubst`` 1.7 to 1.9. It differs from bash: ``:+`` and ``:?`` give a default as well,
a default without its colon is an error except ``=``, lengths and offsets count bytes, and ``$$`` writes one ``$``.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import int64
from kubectl_applylint.tools.flux.prefix_patterns import longest_prefix, shortest_prefix

_DEEPEST: Final = 100
"""Levels of expressions within expressions. Flux has no bound."""
_MOST_TEXT: Final = 16 * 1024 * 1024
"""Characters that the expressions of a Kustomization are evaluated to."""
_PATTERN_COST: Final = 16
"""What a character costs that is compared with a pattern: a microsecond or more."""
_BAD: Final = "bad substitution"
_NO_ARGUMENT: Final = "unable to parse substitution within function"
_TEXT: Final = regex(r"(?:[^$\0]+|\$\$|\$(?![{$]))*")
_WORD: Final = regex(r"(?:[^}$\0]+|\$(?!\{))*")
_OFFSET: Final = regex(r"(?:[^:}$\0]|\$(?!\{))*")
_REPLACED: Final = regex(r"(?:[^/$\\\0]|\$\$|\$(?![{$])|\\[/\\]|\\(?![/\\]))*")
_REPLACEMENT: Final = regex(r"(?:[^}$\\\0]|\$\$|\$(?![{$])|\\[/\\]|\\(?![/\\]))*")
_ESCAPED: Final = regex(r"\$(\$)|\\([/\\])")
_OPERATOR: Final = regex(r":[-=?+]|=|[,^]{1,2}|/[/#%]?|#{1,2}|%{1,2}|:")
_DEFAULTS: Final = frozenset({"=", ":=", ":-", ":?", ":+"})


class SubstitutionError(Exception):
    """An expression cannot be evaluated; Flux fails the reconciliation."""


@dataclass(frozen=True, slots=True)
class ValueHole:
    """A part of a result that is not known here: it depends on the value of a variable that is unknown."""

    variable: str
    expression: str
    """The expression as written; equal expressions with the same variables have the same value."""
    reason: str


Parts: TypeAlias = tuple[str | ValueHole, ...]
"""A result: text, and the holes in it."""
Lookup: TypeAlias = Callable[[str], str | Unknown | None]
"""Returns the value of a variable, ``None`` if it is not set."""


@dataclass(frozen=True, slots=True)
class _Expression:
    """An expression; ``operator`` is empty if there is none. ``#`` without arguments is the length."""

    variable: str
    written: str
    operator: str = ""
    arguments: tuple["str | _Expression", ...] = ()


_Node: TypeAlias = str | _Expression


class WorkMeter:
    """Counts the characters that expressions are evaluated to, and ends the evaluation if there are too many."""

    __slots__ = ("_left",)

    def __init__(self) -> None:
        self._left = _MOST_TEXT

    def count(self, characters: int) -> None:
        """Count characters; raise ``SubstitutionError`` if there are too many."""
        self._left -= characters
        if self._left < 0:
            raise SubstitutionError(f"the result has more than {_MOST_TEXT // 2**20} MiB")


def substitute(text: str, lookup: Lookup, *, is_strict: bool, meter: WorkMeter | None = None) -> Parts:
    """Return a text with its expressions evaluated; raise ``SubstitutionError`` if that is impossible.

    If ``is_strict``, a variable that is not set is an error unless the expression has a default, else it is empty.
    ``meter`` counts for several texts.
    """
    meter, found = meter or WorkMeter(), list[str | ValueHole]()
    for node in tuple(_parse(text)):
        found.extend(_evaluate(node, lookup, meter, is_strict=is_strict))
    return tuple(found)


def _parse(text: str) -> Iterator[_Node]:
    """Yield the parts of a text. As in Flux, a text ends at a NUL character."""
    position = 0
    while position < len(text):
        plain = _TEXT.match(text, position)
        if plain and plain[0]:
            yield plain[0].replace("$$", "$")
            position = plain.end()
        if not text.startswith("${", position):
            return
        expression, position = _expression(text, position, 1)
        yield expression


def _expression(text: str, start: int, depth: int) -> tuple[_Expression, int]:
    """Return the expression that starts at ``start``, and its end."""
    if depth > _DEEPEST:
        raise SubstitutionError(f"expressions are nested more than {_DEEPEST} levels deep")
    if text.startswith("#", start + 2):
        return _length(text, start)
    end = _name_end(text, start + 2)
    if end == start + 2:
        raise SubstitutionError("unable to parse variable name")
    variable, operator = text[start + 2 : end], _OPERATOR.match(text, end)
    if operator is None:
        closed = _brace_end(text, end, "missing closing brace")
        return _Expression(variable, text[start:closed]), closed
    arguments, last = _ARGUMENTS[operator[0][:1] if operator[0] not in _DEFAULTS else "="](text, operator.end(), depth)
    closed = _brace_end(text, last, _BAD)
    return _Expression(variable, text[start:closed], operator[0], arguments), closed


def _length(text: str, start: int) -> tuple[_Expression, int]:
    end = _name_end(text, start + 3)
    if end == start + 3:
        raise SubstitutionError(_BAD)
    closed = _brace_end(text, end, _BAD)
    return _Expression(text[start + 3 : end], text[start:closed], "#"), closed


def _name_end(text: str, position: int) -> int:
    """Return the end of a name: letters and digits of any script, and underscores."""
    while position < len(text) and (text[position].isalpha() or text[position].isdecimal() or text[position] == "_"):
        position += 1
    return position


def _brace_end(text: str, position: int, complaint: str) -> int:
    if not text.startswith("}", position):
        raise SubstitutionError(complaint)
    return position + 1


_Arguments: TypeAlias = tuple[tuple[_Node, ...], int]


def _argument(text: str, position: int, plain: re.Pattern[str], depth: int) -> tuple[_Node, int]:
    """Return the argument at a position, which is an expression or text, and its end."""
    if text.startswith("${", position):
        return _expression(text, position, depth + 1)
    found = plain.match(text, position)
    if not found or not found[0]:
        raise SubstitutionError(_NO_ARGUMENT)
    return found[0], found.end()


def _default_arguments(text: str, position: int, depth: int) -> _Arguments:
    arguments: list[_Node] = []
    while not text.startswith("}", position):
        argument, position = _argument(text, position, _WORD, depth)
        arguments.append(argument)
    return tuple(arguments), position


def _substring_arguments(text: str, position: int, depth: int) -> _Arguments:
    following = text[position : position + 1]
    if not following or not following.isascii():  # Flux steps back by the bytes of this character.
        raise SubstitutionError(_BAD)
    offset, position = _argument(text, position, _OFFSET, depth)
    if not text.startswith(":", position):
        return (offset,), position
    length, position = _argument(text, _after(text, position, ":"), _WORD, depth)
    return (offset, length), position


def _removal_arguments(text: str, position: int, depth: int) -> _Arguments:
    pattern, position = _argument(text, position, _WORD, depth)
    return (pattern,), position


def _replacement_arguments(text: str, position: int, depth: int) -> _Arguments:
    replaced, position = _argument(text, position, _REPLACED, depth)
    if not text.startswith("/", position):
        raise SubstitutionError(_BAD)
    position = _after(text, position, "/")
    if text.startswith("}", position):
        return (_unescape(replaced),), position
    replacement, position = _argument(text, position, _REPLACEMENT, depth)
    return (_unescape(replaced), _unescape(replacement)), position


def _no_arguments(text: str, position: int, depth: int) -> _Arguments:
    return (), position


def _after(text: str, position: int, character: str) -> int:
    """Return the position after the repetitions of a character."""
    while text.startswith(character, position):
        position += 1
    return position


def _unescape(argument: _Node) -> _Node:
    return _ESCAPED.sub(r"\1\2", argument) if isinstance(argument, str) else argument


_ARGUMENTS: Final[Mapping[str, Callable[[str, int, int], _Arguments]]] = {
    "=": _default_arguments,
    ":": _substring_arguments,
    "#": _removal_arguments,
    "%": _removal_arguments,
    "/": _replacement_arguments,
    ",": _no_arguments,
    "^": _no_arguments,
}
"""How the arguments of an operator are written, by its first character; ``=`` stands for all defaults."""


def _evaluate(node: _Node, lookup: Lookup, meter: WorkMeter, *, is_strict: bool) -> Parts:
    """Return the value of a part. As in Flux, arguments are evaluated even if they are not needed."""
    if isinstance(node, str):
        meter.count(len(node))
        return (node,)
    arguments = [_evaluate(each, lookup, meter, is_strict=is_strict) for each in node.arguments]
    value = lookup(node.variable)
    if isinstance(value, Unknown):
        return (ValueHole(node.variable, node.written, value.reason),)
    if value is None and is_strict and node.operator not in _DEFAULTS:
        raise SubstitutionError(f'variable not set (strict mode): "{node.variable}"')
    if node.operator in _DEFAULTS:
        meter.count(len(value or ""))
        return (value,) if value else tuple(part for argument in arguments for part in argument)
    hole = next((part for argument in arguments for part in argument if isinstance(part, ValueHole)), None)
    if hole is not None:
        return (ValueHole(hole.variable, node.written, hole.reason),)
    texts = ["".join(part for part in argument if isinstance(part, str)) for argument in arguments]
    made = _transform(node.operator, value or "", texts, meter)
    meter.count(len(made))
    return (made,)


def _transform(operator: str, value: str, arguments: Sequence[str], meter: WorkMeter) -> str:
    """Return a value changed by an operator that is not a default."""
    meter.count(len(value))
    if operator == "#" and not arguments:
        return str(len(_bytes(value)))
    if operator == ":":
        return _text(_substring(_bytes(value), arguments))
    if operator[:1] in ("#", "%"):
        meter.count(_PATTERN_COST * len(value))
        return _without_affix(operator, value, arguments[0])
    if operator[:1] == "/":
        return _replace(operator, value, arguments, meter)
    return _CASES.get(operator, str)(value)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _text(content: bytes) -> str:
    return content.decode("utf-8", "surrogateescape")


def _substring(value: bytes, arguments: Sequence[str]) -> bytes:
    """Return a part of a value; offset and length may count from its end. A value stays if they are not integers."""
    numbers = [int64(argument) for argument in arguments]
    start, length = numbers[0], numbers[-1] if len(numbers) > 1 else len(value)
    if start is None:
        return value
    start = max(start + len(value), 0) if start < 0 else start
    if length is None:
        return value if start < len(value) or len(numbers) > 1 else b""
    return value[start : max(len(value) + length, start) if length < 0 else start + length]


def _without_affix(operator: str, value: str, pattern: str) -> str:
    """Return a value without the prefix or suffix that matches a pattern, the longest if the operator is doubled."""
    find = longest_prefix if len(operator) > 1 else shortest_prefix
    if operator[0] == "#":
        content = _bytes(value)
        return _text(content[find(_bytes(pattern), content) :])
    content = _bytes(value[::-1])
    return _text(content[find(_bytes(pattern[::-1]), content) :])[::-1]


def _replace(operator: str, value: str, arguments: Sequence[str], meter: WorkMeter) -> str:
    """Return a value with a text in it replaced: the first, all, or that at the start or end."""
    old, new = (*arguments, "")[:2]
    if operator in ("/#", "/%"):
        if len(arguments) < len(("old", "new")):
            return value
        if operator == "/%":
            return value.removesuffix(old) + new if value.endswith(old) else value
        return new + value.removeprefix(old) if value.startswith(old) else value
    count = -1 if operator == "//" else 1
    if count < 0:
        meter.count(value.count(old) * len(new))
    return value.replace(old, new, count)


def _upper(text: str) -> str:
    return text.upper() if text.isascii() else "".join(map(_upper_rune, text))


def _lower(text: str) -> str:
    return text.lower() if text.isascii() else "".join(map(_lower_rune, text))


def _upper_rune(rune: str) -> str:
    """Return a character in upper case, as a single character: Go has no other mappings."""
    return next((made for made in (rune.upper(), rune.title()) if len(made) == 1), rune)


def _lower_rune(rune: str) -> str:
    return rune.lower()[:1]


_CASES: Final[Mapping[str, Callable[[str], str]]] = {
    "^": lambda text: _upper(text[:1]) + text[1:],
    "^^": _upper,
    ",": lambda text: _lower(text[:1]) + text[1:],
    ",,": _lower,
}
"""Operators that change the case; any other pair of their characters changes nothing."""
