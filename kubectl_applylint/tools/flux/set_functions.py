"""The supported functions of templates of a ``ResourceSet``: of ``text/template``, slim-sprig and the operator.

Numbers are those of JSON; functions that depend on the time, on randomness or on the order of maps are not supported.
"""

import base64
import hashlib
from collections.abc import Callable, Mapping
from itertools import zip_longest
from typing import Final

from kubectl_applylint.core.go_yaml import format_yaml
from kubectl_applylint.core.gotext import encode, show
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import Json

_INTEGER: Final = regex("[+-]?[0-9]{1,18}")
_VERB: Final = regex("%[a-z%]")
_NO_WORD: Final = regex("[^a-z0-9_-]")
_DASHES: Final = regex("-{2,}")
_MOST_WORK: Final = 300_000
_CHARACTERS: Final = 16
"""The number of characters that count as much as one value."""
_MOST_RESULT: Final = 4 * 1024 * 1024
"""Maximum number of characters of a result whose size is a product of those of arguments."""
_MOST_LABEL: Final = 63
_SHORT_ESCAPES: Final = {"\a": "\\a", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\v": "\\v"}


class TemplateError(Exception):
    """A template that cannot be rendered; the text is the reason."""


class MissingFieldError(TemplateError):
    """A template with a name that has no value."""


class TemplateMeter:
    """Counts the values that templates use, and ends the rendering if there are too many."""

    __slots__ = ("_left",)

    def __init__(self) -> None:
        self._left = _MOST_WORK

    def count(self, *values: Json) -> None:
        """Count values with all in them; raise ``TemplateError`` if the sum is too large."""
        stack = [*values]
        while stack:
            value = stack.pop()
            self._left -= 1 + (len(value) // _CHARACTERS if isinstance(value, str) else 0)
            if self._left < 0:
                raise TemplateError("its templates need too much work")
            stack += value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def is_true(value: Json) -> bool:
    """Return whether a value counts as true in a condition."""
    return bool(value)


def text_of(value: Json) -> str:
    """Return a value as a template prints it."""
    return "<no value>" if value is None else show(value)


def _string(value: Json) -> str:
    return "" if value is None else show(value)


def text_argument(value: Json) -> str:
    """Return a text; raise ``TypeError`` for other values, as Go does for parameters that are strings."""
    if not isinstance(value, str):
        raise TypeError
    return value


def _quote(text: str) -> str:
    """Return a text in quotes as ``%q`` writes it."""
    return f'"{"".join(map(_escape, text))}"'


def _escape(character: str) -> str:
    if character in ('"', "\\"):
        return f"\\{character}"
    if character.isprintable():
        return character
    code = ord(character)
    return _SHORT_ESCAPES.get(character) or (f"\\x{code:02x}" if code < 0x80 else f"\\u{code:04x}")


def _indent(spaces: Json, text: Json) -> str:
    if not isinstance(spaces, int) or not 0 <= spaces <= 100:
        raise ValueError
    pad = " " * spaces
    return pad + text_argument(text).replace("\n", f"\n{pad}")


def _number(value: Json) -> int:
    if isinstance(value, str):
        return int(value) if _INTEGER.fullmatch(value) else 0
    return int(value) if isinstance(value, int | float) else 0


def _comparable(left: Json, right: Json) -> tuple[str, str] | tuple[float, float]:
    """Return two values of one basic type; raise ``TypeError`` for other pairs, as Go does."""
    if isinstance(left, str) and isinstance(right, str):
        return left, right
    if isinstance(left, int | float) and isinstance(right, int | float) and _basic(left) is _basic(right):
        return left, right
    raise TypeError


def _basic(value: float) -> type:
    return next(kind for kind in (bool, int, float) if isinstance(value, kind))


def _equal(first: Json, *others: Json) -> bool:
    return any(one is first if None in (one, first) else _is_equal(first, one) for one in others)


def _is_equal(left: Json, right: Json) -> bool:
    one, other = _comparable(left, right)
    return one == other


def _less(left: Json, right: Json) -> bool:
    one, other = _comparable(left, right)
    if isinstance(one, bool):
        raise TypeError
    return one < other  # type: ignore[operator]  # both have one type


def _index(value: Json, *keys: Json) -> Json:
    for key in keys:
        if isinstance(value, dict):
            value = value.get(text_argument(key))
        elif isinstance(value, list) and isinstance(key, int) and key >= 0:
            value = value[key]
        else:
            raise TypeError
    return value


def _dig(*arguments: Json) -> Json:
    """Return the value at a path of keys in a map, which is the last argument; the one before it is the default."""
    *keys, other, value = arguments
    if not keys:
        raise ValueError
    for key in map(text_argument, keys):
        if not isinstance(value, dict):
            raise TypeError
        if key not in value:
            return other
        value = value[key]
    return value


def _dict(*pairs: Json) -> Json:
    keys = map(_string, pairs[::2])
    return dict(zip_longest(keys, pairs[1::2], fillvalue=""))


def _replace(old: Json, new: Json, text: Json) -> str:
    whole = text_argument(text)
    if whole.count(text_argument(old)) * len(text_argument(new)) > _MOST_RESULT:
        raise ValueError
    return whole.replace(text_argument(old), text_argument(new))


def _join(separator: Json, values: Json) -> str:
    texts = [*map(_string, list_argument(values))]
    if len(texts) * len(text_argument(separator)) > _MOST_RESULT:
        raise ValueError
    return text_argument(separator).join(texts)


def _truncate(length: Json, text: Json) -> str:
    if not isinstance(length, int) or not text_argument(text).isascii():
        raise ValueError
    return text_argument(text)[length:] if length < 0 else text_argument(text)[:length]


def _slug(text: Json) -> str:
    """Return a text as the library ``slug`` does, for texts in ASCII."""
    word = text_argument(text).strip()
    if not word.isascii():
        raise ValueError
    word = word.replace("&", "and").replace("@", "at").replace('"', "").replace("'", "")
    word = _DASHES.sub("-", _NO_WORD.sub("-", " ".join(word.split()).lower())).strip("-_")
    if len(word) <= _MOST_LABEL:
        return word
    whole = word[: _MOST_LABEL + 1].rpartition("-")[0]
    return whole or word[:_MOST_LABEL]


def _format(form: Json, *values: Json) -> str:
    verbs = [verb for verb in _VERB.findall(text_argument(form)) if verb != "%%"]
    if len(verbs) != len(values) or text_argument(form).replace("%%", "").count("%") != len(verbs):
        raise ValueError
    texts = iter([_PRINTERS[verb](value) for verb, value in zip(verbs, values, strict=True)])
    return _VERB.sub(lambda found: "%" if found[0] == "%%" else next(texts), text_argument(form))


def _whole(value: Json) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError
    return value


def _boolean(value: Json) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value


def list_argument(value: Json) -> list[Json]:
    """Return a list; raise ``TypeError`` for other values."""
    if not isinstance(value, list):
        raise TypeError
    return value


def _length(value: Json) -> int:
    if not isinstance(value, str | list | dict):
        raise TypeError
    return len(value.encode()) if isinstance(value, str) else len(value)


def _yaml(value: Json) -> str:
    return f"{format_yaml(value).rstrip()}\n"


_PRINTERS: Final[Mapping[str, Callable[[Json], str]]] = {
    "%d": lambda value: str(int(_whole(value))),
    "%q": lambda value: _quote(text_argument(value)),
    "%s": text_argument,
    "%v": show,
}
FUNCTIONS: Final[Mapping[str, Callable[..., Json]]] = {
    "add": lambda *values: sum(map(_number, values)),
    "b64enc": lambda text: base64.b64encode(text_argument(text).encode()).decode(),
    "coalesce": lambda *values: next(filter(is_true, values), None),
    "contains": lambda part, text: text_argument(part) in text_argument(text),
    "default": lambda other, value=None: value if is_true(value) else other,
    "dict": _dict,
    "dig": _dig,
    "empty": lambda value: not is_true(value),
    "eq": _equal,
    "first": lambda values: list_argument(values)[0],
    "ge": lambda left, right: not _less(left, right),
    "get": lambda values, key: values.get(text_argument(key), ""),
    "gt": lambda left, right: _less(right, left),
    "has": lambda value, values: value in list_argument(values),
    "hasKey": lambda values, key: text_argument(key) in values,
    "hasPrefix": lambda start, text: text_argument(text).startswith(text_argument(start)),
    "hasSuffix": lambda end, text: text_argument(text).endswith(text_argument(end)),
    "indent": _indent,
    "index": _index,
    "int": _number,
    "int64": _number,
    "join": _join,
    "last": lambda values: list_argument(values)[-1],
    "le": lambda left, right: not _less(right, left),
    "len": _length,
    "list": lambda *values: [*values],
    "lower": lambda text: text_argument(text).lower(),
    "lt": _less,
    "ne": lambda left, right: not _equal(left, right),
    "nindent": lambda spaces, text: f"\n{_indent(spaces, text)}",
    "not": lambda value: not is_true(value),
    "printf": _format,
    "quote": lambda *values: " ".join(_quote(_string(one)) for one in values if one is not None),
    "replace": _replace,
    "sha256sum": lambda text: hashlib.sha256(text_argument(text).encode()).hexdigest(),
    "slugify": _slug,
    "splitList": lambda separator, text: [*text_argument(text).split(text_argument(separator))],
    "squote": lambda *values: " ".join(f"'{show(one)}'" for one in values if one is not None),
    "sub": lambda left, right: _number(left) - _number(right),
    "ternary": lambda yes, no, condition: yes if _boolean(condition) else no,
    "toJson": encode,
    "toString": _string,
    "toYaml": _yaml,
    "trim": lambda text: text_argument(text).strip(),
    "trimPrefix": lambda start, text: text_argument(text).removeprefix(text_argument(start)),
    "trimSuffix": lambda end, text: text_argument(text).removesuffix(text_argument(end)),
    "trunc": _truncate,
    "upper": lambda text: text_argument(text).upper(),
}
"""The functions by name; arguments of other types raise ``TypeError`` or ``ValueError``."""
