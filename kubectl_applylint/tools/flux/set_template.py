"""Templates of a ``ResourceSet``: the actions of Go's ``text/template`` between ``<<`` and ``>>``.

Supported are names, variables, pipelines, ``if``, ``range`` and ``with``, and the functions of ``set_functions``.
``TemplateError`` names all else.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Final, TypeAlias

from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.tools.flux import set_functions
from kubectl_applylint.tools.flux.set_functions import FUNCTIONS, TemplateError, TemplateMeter, is_true, text_of

_ACTION: Final = regex(r'<<(-(?=\s))?((?:"(?:\\.|[^"\\])*"|`[^`]*`|[^"`])*?)((?<=\s)-)?>>', re.DOTALL)
_COMMENT: Final = regex(r"<<(-\s+)?(/\*(?:[^*]|\*(?!/))*\*/)(\s+-)?>>")
_TOKEN: Final = regex(
    r'\s*(?:("(?:\\.|[^"\\\n])*"|`[^`]*`)|(-?\d+(?:\.\d+)?)|([A-Za-z_]\w*(?:\.\w+)*)|(\$\w*(?:\.\w+)*|(?:\.\w+)+|\.)'
    r"|(:=|[=|(),]))"
)
_ESCAPE: Final = regex(r"\\(.)", re.DOTALL)
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "\\": "\\"}
_MOST_TEXT: Final = 256 * 1024
"""Maximum number of characters of a template, and of what it renders."""
_MOST_DEPTH: Final = 50
"""Maximum nesting of blocks and parentheses."""
_CHANGING: Final = regex(r"\b(?:set|unset|(?:mustM|m)erge(?:Overwrite)?)\b")
"""The functions that change their argument."""
_BLOCKS: Final = ("if", "range", "with")


@dataclass(frozen=True, slots=True)
class Term:
    """A part of a command: a literal, a name with its fields, or a pipeline in parentheses."""

    kind: str
    """``literal``, ``function``, ``variable``, ``dot`` or ``pipeline``."""
    value: Json = None
    fields: tuple[str, ...] = ()
    inner: "Pipeline | None" = None


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Commands that get the result of the one before them, and the variables that get the last result."""

    commands: tuple[tuple[Term, ...], ...]
    variables: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TemplateNode:
    """A part of a template: text, an action, or a block with its alternative."""

    kind: str
    """``text``, ``action``, ``if``, ``range`` or ``with``."""
    text: str = ""
    pipeline: Pipeline | None = None
    body: tuple["TemplateNode", ...] = ()
    otherwise: tuple["TemplateNode", ...] = ()


@dataclass(frozen=True, slots=True)
class _Scope:
    """The values that names refer to; ``variables`` and ``meter`` change while a template is rendered."""

    inputs: JsonObject | None
    dot: Json = None
    variables: dict[str, Json] = field(default_factory=lambda: {"$": None})
    meter: TemplateMeter = field(default_factory=TemplateMeter)
    functions: Mapping[str, Callable[..., Json]] = field(default_factory=lambda: FUNCTIONS)
    is_lenient: bool = False
    """Whether a missing field is null, as without ``missingkey=error``."""
    show_unknown: Callable[[str], str] | None = None
    """Returns the text for an action that is not evaluated; without it, such an action is an error."""


def render(template: str, inputs: JsonObject | None, meter: TemplateMeter | None = None) -> str:
    """Return the text of a template; raise ``TemplateError`` for what is not supported or fails.

    ``meter`` counts for several templates.
    """
    return _render(template, _Scope(inputs, meter=meter or TemplateMeter()))


def render_with_dot(
    template: str,
    dot: JsonObject,
    functions: Mapping[str, Callable[..., Json]],
    *,
    is_lenient: bool,
    show_unknown: Callable[[str], str] | None = None,
) -> str:
    """Return the text of a template whose names are fields of ``dot``; with ``is_lenient`` missing ones are null.

    ``show_unknown`` returns the text for an action that cannot be evaluated, by its own text.
    """
    scope = _Scope(None, dot, {"$": dot}, functions=functions, is_lenient=is_lenient, show_unknown=show_unknown)
    return _render(template, scope)


def _render(template: str, scope: _Scope) -> str:
    if len(template) > _MOST_TEXT:
        raise TemplateError("the template is too long")
    parts: list[str] = []
    size = 0
    for part in _render_nodes(parse(template), scope):
        parts.append(part)
        size += len(part)
        if size > _MOST_TEXT:
            raise TemplateError("the template renders too much text")
    return "".join(parts)


Piece: TypeAlias = tuple[str, str]
"""``text`` or ``action``, and its text."""


def parse(template: str) -> tuple[TemplateNode, ...]:
    """Return the parts of a template."""
    pieces = [*_pieces(template)]
    nodes, rest, end = _nodes(pieces, 0, 0)
    if end or rest < len(pieces):
        raise TemplateError(f"unexpected << {end} >>")
    return nodes


def _pieces(template: str) -> Iterator[Piece]:
    """Yield texts and actions; ``<<-`` and ``->>`` trim the text next to them."""
    position, trims = 0, False
    while (start := template.find("<<", position)) >= 0:
        found = _COMMENT.match(template, start) or _ACTION.match(template, start)
        if found is None:
            raise TemplateError("an action has no end")
        text = template[position:start]
        text = text.lstrip() if trims else text
        yield "text", text.rstrip() if found[1] else text
        yield "action", found[2]
        position, trims = found.end(), bool(found[3])
    yield "text", template[position:].lstrip() if trims else template[position:]


def _nodes(pieces: Sequence[Piece], position: int, depth: int) -> tuple[tuple[TemplateNode, ...], int, str]:
    """Return the parts up to the end of a block, the position after it, and the action that ends it."""
    if depth > _MOST_DEPTH:
        raise TemplateError("blocks are nested too deeply")
    found: list[TemplateNode] = []
    while position < len(pieces):
        kind, whole = pieces[position]
        position += 1
        text = whole.strip() if kind == "action" else whole
        word = text.split(None, 1)[0] if kind == "action" and text else ""
        if kind == "text":
            found.append(TemplateNode("text", text))
        elif word in ("end", "else"):
            return tuple(found), position, text
        elif word in _BLOCKS:
            node, position = _block(word, text[len(word) :], pieces, position, depth)
            found.append(node)
        elif not text.startswith("/*"):
            found.append(TemplateNode("action", whole, _pipeline(text)))
    return tuple(found), position, ""


def _block(word: str, rest: str, pieces: Sequence[Piece], position: int, depth: int) -> tuple[TemplateNode, int]:
    body, position, end = _nodes(pieces, position, depth + 1)
    otherwise: tuple[TemplateNode, ...] = ()
    inner = end.removeprefix("else").strip()
    if end != "end" and inner:
        kind, _, condition = inner.partition(" ")
        if kind not in ("if", "with"):
            raise TemplateError(f"<< {end} >> is not supported")
        node, position = _block(kind, condition, pieces, position, depth + 1)
        otherwise = (node,)
    elif end != "end":
        otherwise, position, end = _nodes(pieces, position, depth + 1)
        if end != "end":
            raise TemplateError(f"<< {word} >> has no end")
    return TemplateNode(word, pipeline=_pipeline(rest), body=body, otherwise=otherwise), position


def _tokens(text: str) -> list[tuple[str, str]]:
    names = ("literal", "number", "name", "chain", "sign")
    found: list[tuple[str, str]] = []
    position, text = 0, text.rstrip()
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise TemplateError(f"<< {text} >> is not supported")
        found.append((names[(match.lastindex or 1) - 1], match[match.lastindex or 1]))
        position = match.end()
    return found


def _pipeline(text: str) -> Pipeline:
    tokens = _tokens(text)
    signs = [value for _, value in tokens]
    if "=" in signs:
        raise TemplateError("assignments to variables are not supported")
    variables: tuple[str, ...] = ()
    if ":=" in signs:
        place = signs.index(":=")
        variables = tuple(value for kind, value in tokens[:place] if kind == "chain")
        tokens = tokens[place + 1 :]
    commands, rest = _commands(tokens, 0)
    if rest < len(tokens) or not any(commands):
        raise TemplateError(f"<< {text.strip()} >> is not supported")
    return Pipeline(commands, variables)


def _commands(
    tokens: Sequence[tuple[str, str]], position: int, depth: int = 0
) -> tuple[tuple[tuple[Term, ...], ...], int]:
    """Return the commands up to the end or a closing parenthesis, and its position."""
    if depth > _MOST_DEPTH:
        raise TemplateError("parentheses are nested too deeply")
    commands: list[tuple[Term, ...]] = []
    terms: list[Term] = []
    while position < len(tokens) and tokens[position][1] != ")":
        kind, text = tokens[position]
        position += 1
        if text == "|" and kind == "sign":
            commands, terms = [*commands, tuple(terms)], []
        elif text == "(" and kind == "sign":
            inner, position = _commands(tokens, position, depth + 1)
            if position >= len(tokens):
                raise TemplateError("a parenthesis is not closed")
            position += 1
            terms.append(Term("pipeline", inner=Pipeline(inner)))
        else:
            terms.append(_term(kind, text))
    return (*commands, tuple(terms)), position


def _term(kind: str, text: str) -> Term:
    first, *fields = text.split(".")
    match kind:
        case "literal":
            return Term("literal", text[1:-1] if text[0] == "`" else _unquote(text[1:-1]))
        case "number":
            return Term("literal", float(text) if fields else int(text))
        case "name" if text in ("true", "false", "nil"):
            return Term("literal", {"true": True, "false": False, "nil": None}[text])
        case "name":
            return Term("function", first, tuple(fields))
        case "chain" if first:
            return Term("variable", first, tuple(fields))
        case "chain":
            return Term("dot", fields=tuple(filter(None, fields)))
    raise TemplateError(f"{text} is not supported")


def _unquote(text: str) -> str:
    try:
        return _ESCAPE.sub(lambda found: _ESCAPES[found[1]], text)
    except KeyError as fault:
        raise TemplateError(f'the escapes in "{text}" are not supported') from fault


def _render_nodes(nodes: Sequence[TemplateNode], scope: _Scope) -> Iterator[str]:
    for node in nodes:
        scope.meter.count(None)
        if node.pipeline is None:
            yield node.text
            continue
        try:
            value = _value(node.pipeline, scope)
        except TemplateError:
            text = _unknown_text(node, node.pipeline, scope)
            if text is None:
                raise
            yield text
            continue
        scope.meter.count(value)
        match node.kind:
            case "action":
                scope.variables.update(dict.fromkeys(node.pipeline.variables, value))
                yield "" if node.pipeline.variables else text_of(value)
            case "range":
                yield from _render_range(node, node.pipeline, value, scope)
            case _:
                yield from _render_branch(node, node.pipeline, value, scope)


def _unknown_text(node: TemplateNode, pipeline: Pipeline, scope: _Scope) -> str | None:
    """Return the text for an action that cannot be evaluated, ``None`` if that is an error."""
    # In a loop the action stands for several values, and what follows may read a map that it changes.
    is_one_value = node.kind == "action" and scope.dot is scope.variables["$"]
    if scope.show_unknown is None or not is_one_value or _CHANGING.search(node.text):
        return None
    for name in pipeline.variables:
        scope.variables.pop(name, None)
    return "" if pipeline.variables else scope.show_unknown(node.text)


def _render_branch(node: TemplateNode, pipeline: Pipeline, value: Json, scope: _Scope) -> Iterator[str]:
    """Yield the texts of an ``if`` or ``with``."""
    inner = replace(scope, variables={**scope.variables, **dict.fromkeys(pipeline.variables, value)})
    if not is_true(value):
        return _render_nodes(node.otherwise, inner)
    return _render_nodes(node.body, replace(inner, dot=value) if node.kind == "with" else inner)


def _render_range(node: TemplateNode, pipeline: Pipeline, value: Json, scope: _Scope) -> Iterator[str]:
    if isinstance(value, dict):
        pairs: list[tuple[Json, Json]] = sorted(value.items())
    elif isinstance(value, list):
        pairs = [*enumerate(value)]
    elif value is None:
        pairs = []
    else:
        raise TemplateError("range needs a list or a map")
    if not pairs:
        yield from _render_nodes(node.otherwise, scope)
    for each in pairs:
        named = dict(zip(pipeline.variables, each[-len(pipeline.variables) :], strict=False))
        yield from _render_nodes(node.body, replace(scope, dot=each[1], variables={**scope.variables, **named}))


def _value(pipeline: Pipeline, scope: _Scope) -> Json:
    found: tuple[Json, ...] = ()
    for command in pipeline.commands:
        if not command:
            raise TemplateError("a command is empty")
        found = (_result(command, found, scope),)
    return found[0]


def _result(command: Sequence[Term], piped: tuple[Json, ...], scope: _Scope) -> Json:
    """Return the result of a command; functions get the piped value as their last argument."""
    first, *rest = command
    if first.kind == "function" and first.value != "inputs":
        arguments = [partial(_term_value, term, scope) for term in rest]
        return _call(str(first.value), arguments, piped, scope)
    if rest or piped:
        raise TemplateError("a value has arguments")
    return _term_value(first, scope)


def _call(name: str, arguments: Sequence[Callable[[], Json]], piped: tuple[Json, ...], scope: _Scope) -> Json:
    values = chain((one() for one in arguments), piped)
    if name in ("and", "or"):
        return _first_decisive(values, name == "or")
    function = scope.functions.get(name)
    if function is None:
        raise TemplateError(f"the function {name} is not supported")
    given = [*values]
    scope.meter.count(*given)
    try:
        return function(*given)
    except (TypeError, ValueError, IndexError, KeyError, AttributeError) as fault:
        raise TemplateError(f"the function {name} fails with its arguments") from fault


def _first_decisive(values: Iterator[Json], wanted: bool) -> Json:
    """Return the first value that decides ``and`` or ``or``, else the last one; those after it are not evaluated."""
    last: Json = None
    for last in values:
        if is_true(last) == wanted:
            return last
    return last


def _term_value(term: Term, scope: _Scope) -> Json:
    match term.kind:
        case "literal":
            return term.value
        case "pipeline" if term.inner:
            return _value(term.inner, scope)
        case "function" if term.value != "inputs":
            return _call(str(term.value), (), (), scope)
        case "function":
            return _at(scope.inputs, term.fields, "inputs", scope)
        case "variable":
            return _at(_variable(str(term.value), scope.variables), term.fields, str(term.value), scope)
    return _at(scope.dot, term.fields, "", scope)


def _variable(name: str, variables: Mapping[str, Json]) -> Json:
    if name not in variables:
        raise TemplateError(f"the variable {name} is not defined")
    return variables[name]


def _at(value: Json, names: Sequence[str], name: str, scope: _Scope) -> Json:
    """Return the value of a field; a missing one is an error, as with ``missingkey=error``, or null."""
    for one in names:
        name = f"{name}.{one}"
        if scope.is_lenient and (value is None or (isinstance(value, dict) and one not in value)):
            return None
        if not isinstance(value, dict) or one not in value:
            raise set_functions.MissingFieldError(f"{name} is not set")
        value = value[one]
    return value
