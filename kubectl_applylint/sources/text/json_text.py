"""Parses JSON text as kubectl does: values, their ends, and the positions of everything inside."""

import json
import math
import re
from bisect import bisect_right
from functools import lru_cache
from json import JSONDecodeError

from kubectl_applylint.core.nesting import STRING, too_deep
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import Json
from kubectl_applylint.sources.system.recursion import USUAL_LEVELS, raise_recursion_limit
from kubectl_applylint.sources.text.yaml_events import OwnMark, YamlError
from kubectl_applylint.sources.text.yaml_nodes import TOO_DEEP, ListNode, MapNode, Node, ScalarNode
from kubectl_applylint.sources.text.yaml_scalars import number

_SHORTER_THAN_INT64, _LONGEST_INT64 = 18, 20
_SPACE = regex(r"[ \t\r\n]*")
_SURROGATE_ESCAPE = regex(r"\\u[dD][89a-fA-F]")
_LONE_SURROGATE = regex("[\ud800-\udfff]")
_NEWLINE = regex("\n")
_TOKEN = regex(rf'[\s,:]*([{{}}\[\]]|{STRING}|[^\s,:{{}}\[\]"]+)', re.DOTALL)


def read(text: str, start: int) -> tuple[Json, int]:
    """Return the JSON value that begins at ``start`` and the index after it; raises ``YamlError``.

    Numbers without a fraction that fit in 64 bits are integers in any notation; all others are floats. The last value
    of a duplicate key is used, and an unpaired surrogate becomes U+FFFD.
    """
    shallow = _shallow_part(text)
    try:
        value, end = _DECODER.raw_decode(shallow, start)
    except JSONDecodeError as error:
        if len(shallow) < len(text):
            raise YamlError(TOO_DEEP, place(text, len(shallow))) from None
        raise YamlError(f"not JSON: {error.msg.lower()}", place(text, error.pos)) from None
    except ValueError as error:
        raise YamlError(str(error), place(text, start)) from None
    return _whole(value) if _SURROGATE_ESCAPE.search(text, start, end) else value, end


def after_space(text: str, start: int) -> int:
    """Return the index of the first character after whitespace."""
    space = _SPACE.match(text, start)
    return space.end() if space else start


def _integer(text: str) -> int | float:
    if len(text) <= _SHORTER_THAN_INT64:
        return int(text)
    # Python does not convert very long numerals; none of them fits in 64 bits.
    return number(int(text)) if len(text) <= _LONGEST_INT64 else _float(text)


def _float(text: str) -> int | float:
    value = float(text)
    if math.isinf(value):
        raise ValueError(f"cannot unmarshal number {text[:40]} into Go value of type float64")
    return number(value)


def _refuse(name: str) -> float:
    raise ValueError(f"not JSON: {name} is not a number")


_DECODER = json.JSONDecoder(parse_int=_integer, parse_float=_float, parse_constant=_refuse)


@lru_cache(maxsize=1)
def _shallow_part(text: str) -> str:
    """Return ``text`` up to the point where it is nested too deep; call it once for all values of a text."""
    if too_deep(text, USUAL_LEVELS) is None:
        return text
    raise_recursion_limit()
    return text[: too_deep(text)]


def _whole(value: Json) -> Json:
    """Return ``value`` with every unpaired surrogate replaced."""
    if isinstance(value, str):
        return _LONE_SURROGATE.sub("�", value)
    if isinstance(value, dict):
        return {_whole(key): _whole(item) for key, item in value.items()}
    return [_whole(item) for item in value] if isinstance(value, list) else value


def place(text: str, index: int) -> OwnMark:
    """Return the line and column of the character at ``index``."""
    return OwnMark(text.count("\n", 0, index), index - text.rfind("\n", 0, index) - 1, index)


def place_after(text: str, mark: OwnMark, index: int) -> OwnMark:
    """Return the line and column of the character at ``index``, counted on from ``mark``, which is not after it."""
    newline = text.rfind("\n", mark.index, index)
    column = index - newline - 1 if newline >= 0 else mark.column + index - mark.index
    return OwnMark(mark.line + text.count("\n", mark.index, index), column, index)


@lru_cache(maxsize=4)
def compose(text: str, start: int) -> Node:
    """Return the node tree of the JSON value at ``start``, which ``read`` has already validated."""
    newlines = [found.end() for found in _NEWLINE.finditer(text)]

    def at(index: int) -> OwnMark:
        line = bisect_right(newlines, index)
        return OwnMark(line, index - (newlines[line - 1] if line else 0), index)

    root: list[Node] = []
    open_collections = [(at(start), root)]
    position = start
    while not root:
        token = _next(text, position)
        position = token.end()
        first, last = at(token.start(1)), at(token.end(1))
        if token[1] in "{[":
            open_collections.append((first, []))
            continue
        node: Node = ScalarNode(first, last, _string_or_empty(token[1]))
        if token[1] in "}]":
            begin, children = open_collections.pop()
            node = _collection(token[1], begin, last, children)
        open_collections[-1][1].append(node)
    return root[0]


def _next(text: str, position: int) -> re.Match[str]:
    token = _TOKEN.match(text, position)
    assert token is not None, "the value was read before"
    return token


def _string_or_empty(token: str) -> str:
    """Return the text of a string, and "" for other scalars, as no position depends on their values."""
    return str(json.loads(token)) if token[0] == '"' else ""


def _collection(end: str, first: OwnMark, last: OwnMark, children: list[Node]) -> Node:
    if end == "]":
        return ListNode(first, last, tuple(children))
    return MapNode(first, last, tuple(zip(children[::2], children[1::2], strict=True)))
