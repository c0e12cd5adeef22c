"""Finds undeclared names in a CEL expression, as a server does when it compiles the expression.

Only names are examined: types, functions and members are the server's business. If a text is not a plain expression, or
a name might come from a macro or a library, no fault is reported, so that no valid expression is rejected.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from kubectl_applylint.core.regex import regex
from kubectl_applylint.server.validate.field_context import Constraint, FieldContext, FieldErrors

_LONG: Final = r"\"{3}.*?\"{3}|'{3}.*?'{3}"
_RAW: Final = rf"(?:[rR][bB]?|[bB][rR])(?:{_LONG}|\"[^\"\n]*\"|'[^'\n]*')"
_QUOTED: Final = rf"[bB]?(?:{_LONG}|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*')"
_NUMBER: Final = r"0[xX][0-9a-fA-F]+[uU]?|[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?[uU]?"
_TOKEN: Final = regex(
    rf"(?P<blank>\s+|//[^\n]*)|(?P<value>{_RAW}|{_QUOTED}|`[^`]*`|{_NUMBER})"
    r"|(?P<name>[_a-zA-Z][_a-zA-Z0-9]*)|(?P<sign>.)",
    re.DOTALL,
)
RESERVED: Final = frozenset(
    (
        *("true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function", "if", "import"),
        *("let", "loop", "package", "namespace", "return", "var", "void", "while"),
    )
)
"""The words of CEL that are not names."""
_TYPES: Final = frozenset(
    ("bool", "bytes", "double", "dyn", "int", "list", "map", "null_type", "string", "type", "uint", "optional_type")
)
_LIBRARIES: Final = frozenset(
    (
        *("base64", "cel", "cidr", "format", "google", "ip", "lists", "math", "net", "optional", "regex", "semver"),
        *("sets", "strings", "kubernetes", "Object", "JSONPatch", "jsonpatch"),
    )
)
"""The prefixes of functions and types of libraries."""
_KNOWN: Final = RESERVED | _TYPES | _LIBRARIES


class _Token(NamedTuple):
    kind: str
    text: str
    start: int


def undeclared_names_message(expression: str, declared: Collection[str]) -> str:
    """Return the server's message about undeclared names in an expression, ``""`` if there are none.

    ``declared`` are the variables; types, functions and libraries are known. Of a variable that is listed with its
    fields as well (``variables``, ``variables.replicas``) only these fields are known, none for ``variables.`` alone.
    """
    tokens = [token for token in _tokens(expression) if token.kind != "blank"]
    if any(token.text in ('"', "'", "`") for token in tokens):  # an unterminated string literal
        return ""
    bound = _bound(tokens)
    known, holders = _KNOWN.union(declared, bound), {name.partition(".")[0] for name in declared if "." in name} - bound
    faults = []
    for place, token in enumerate(tokens):
        if token.text not in known and _refers(tokens, place):
            faults.append(_fault(expression, token, f"undeclared reference to '{token.text}' (in container '')"))
        holder = _holder(tokens, place)
        if _text(tokens, holder) in holders and f"{tokens[holder].text}.{token.text}" not in declared:
            faults.append(_fault(expression, _place_of_field(tokens, holder), f"undefined field '{token.text}'"))
    return "\n".join(faults)


def _holder(tokens: Sequence[_Token], place: int) -> int:
    """Return the position of the variable whose field a token names, -1 if there is none."""
    dot = place - 2 if _text(tokens, place - 1) == "?" else place - 1
    is_field = tokens[place].kind == "name" and _text(tokens, dot) == "." and _text(tokens, place + 1) != "("
    return dot - 1 if is_field and dot > 0 and _refers(tokens, dot - 1) else -1


def _place_of_field(tokens: Sequence[_Token], holder: int) -> _Token:
    """Return the token at which the server reports a field: its dot, or the ``has`` macro around it."""
    is_asked_for = _text(tokens, holder - 1) == "(" and _text(tokens, holder - 2) == "has"
    return tokens[holder - 1] if is_asked_for else tokens[holder + 1]


def _tokens(expression: str) -> Iterator[_Token]:
    for found in _TOKEN.finditer(expression):
        yield _Token(found.lastgroup or "", found[0], found.start())


def _text(tokens: Sequence[_Token], place: int) -> str:
    return tokens[place].text if 0 <= place < len(tokens) else ""


def _bound(tokens: Sequence[_Token]) -> set[str]:
    """Return the names that a call may bind, as macros do: its first two arguments, if others follow."""
    bound = set()
    for place, token in enumerate(tokens):
        is_first = _text(tokens, place - 1) == "("
        is_second = _text(tokens, place - 1) == "," and _text(tokens, place - 3) == "("
        if token.kind == "name" and _text(tokens, place + 1) == "," and (is_first or is_second):
            bound.add(token.text)
    return bound


def _refers(tokens: Sequence[_Token], place: int) -> bool:
    """Return whether a token is the name of a variable, not a member, function, message type or field of one."""
    before, after = _text(tokens, place - 1), _text(tokens, place + 1)
    is_member = before == "." or (before == "?" and _text(tokens, place - 2) == ".")
    is_field = after == ":" and before in ("{", ",", "?")
    return tokens[place].kind == "name" and not is_member and not is_field and after not in ("(", "{")


def _fault(expression: str, token: _Token, words: str) -> str:
    """Return the server's message about one token."""
    start = expression.rfind("\n", 0, token.start) + 1
    line = expression[start:].partition("\n")[0]
    row, column = expression.count("\n", 0, token.start) + 1, token.start - start
    return f"ERROR: <input>:{row}:{column + 1}: {words}\n | {line}\n | {'.' * column}^"


def uses_only_variables(declared: Callable[[FieldContext], Iterable[str]]) -> Constraint:
    """Require an expression that uses only variables that are ``declared`` at its place."""

    def check(fld: FieldContext) -> FieldErrors:
        fault = undeclared_names_message(fld.text(), frozenset(declared(fld)))
        return (fld.invalid(f"compilation failed: {fault}"),) if fault else ()

    return check
