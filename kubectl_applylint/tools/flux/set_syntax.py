"""Helm's syntax for single values, as in ``helm --set``: ``a.b=value``, ``list[0].name=value``, ``a={x,y}``.

Mirrors ``pkg/strvals`` of Helm 4.2. The text of a value is read, too: ``1,b=2`` sets a second value.
"""

from collections.abc import Collection, Mapping
from typing import Final

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.values import Json, int64

_MOST_LEVELS: Final = 30
_LARGEST_INDEX: Final = 65536
_WORDS: Final[Mapping[str, Json]] = {"true": True, "false": False, "null": None}
_ESCAPED: Final = str.maketrans({character: f"\\{character}" for character in "\\,[]{}.="})


class SetError(Exception):
    """A text that Helm does not accept; it never quotes a value."""


class WholeNumber(int):
    """A number that Helm holds as an integer; numbers of YAML texts are floats in its templates."""


def set_values(values: dict[str, Json], text: str, *, is_string: bool = False, number: type[int] = WholeNumber) -> None:
    """Set what a text assigns in ``values`` itself, and in the maps and lists inside.

    The controller relies on this: a value set in a map that another result shares is set there, too. ``is_string``
    keeps all values as strings; ``number`` is the type of numbers. Raises ``SetError``.
    """
    reader = _SetReader(text, is_string=is_string, number=number)
    while not reader.set_next(values, 0):
        pass


def escape_key(key: str) -> str:
    """Return the name of a map entry for a path of this syntax."""
    return key.translate(_ESCAPED)


@dataclass(frozen=True, slots=True)
class _FilledList:
    items: list[Json]
    is_end: bool = False


class _SetReader:
    """Reads assignments; the methods that return ``is_end`` return whether the text ended where Helm stops silently."""

    def __init__(self, text: str, *, is_string: bool, number: type[int]) -> None:
        self._text, self._position, self._is_string, self._number = text, 0, is_string, number

    def set_next(self, values: dict[str, Json], level: int) -> bool:
        """Set the next value, and return ``is_end``."""
        key, stop = self._until("=[,.")
        if not stop:
            if not key:
                return True
            raise SetError("a key has no value")
        if stop == ",":
            raise SetError("a key has no value")
        if stop == "=":
            value, is_end = self._value()
            _put(values, key, value)
            return is_end
        return self._set_in_list(values, key, level) if stop == "[" else self._set_in_map(values, key, level + 1)

    def _set_in_map(self, values: dict[str, Json], key: str, level: int) -> bool:
        if level > _MOST_LEVELS:
            raise SetError(f"the path has more than {_MOST_LEVELS} levels")
        inner = values.get(key, {})
        if not isinstance(inner, dict):
            raise SetError("the path leads through a value that is no map")
        is_end = self.set_next(inner, level)
        if not inner and not is_end:
            raise SetError("a map in the path has no value")
        if inner:
            _put(values, key, inner)
        return is_end

    def _set_in_list(self, values: dict[str, Json], key: str, level: int) -> bool:
        index = self._index()
        if index is None:
            return True
        items = values.get(key, [])
        if not isinstance(items, list):
            raise SetError("the path has an index at a value that is no list")
        found = self._set_item(items, index, level)
        _put(values, key, found.items)
        return found.is_end

    def _index(self) -> int | None:
        """Return the index before ``]``, or ``None`` if the text ends before that."""
        text, stop = self._until("]")
        index = int64(text)
        if stop and index is None:
            raise SetError("an index is not a number")
        return index if stop else None

    def _set_item(self, items: list[Json], index: int, level: int) -> _FilledList:
        """Set an item of a list, in the list itself if it is long enough, and return the list."""
        if index < 0:
            raise SetError("an index is negative")
        text, stop = self._until("[.=")
        if text:
            raise SetError("there is text after an index")
        if not stop:
            return _FilledList(items, is_end=True)
        if stop == "=":
            return _FilledList(_with_item(items, index, self._value()[0]))
        before = items[index] if index < len(items) else None
        if stop == ".":
            return self._set_in_item(items, index, before, level)
        inner = self._index()
        if inner is None:
            return _FilledList(items, is_end=True)
        if before is not None and not isinstance(before, list):
            raise SetError("the path has an index at a value that is no list")
        found = self._set_item(before or [], inner, level)
        return _FilledList(items, is_end=True) if found.is_end else _FilledList(_with_item(items, index, found.items))

    def _set_in_item(self, items: list[Json], index: int, before: Json, level: int) -> _FilledList:
        inner = before if isinstance(before, dict) else {}
        if index < len(items):
            items[index] = inner
        is_end = self.set_next(inner, level)
        return _FilledList(items, is_end=True) if is_end else _FilledList(_with_item(items, index, inner))

    def _value(self) -> tuple[Json, bool]:
        """Return the next value, and ``is_end``."""
        if self._position >= len(self._text):
            return "", True
        if self._text[self._position] == "{":
            self._position += 1
            return self._items(), False
        return self._parse_value(self._until(",")[0]), False

    def _items(self) -> list[Json]:
        found: list[Json] = []
        while True:
            text, stop = self._until(",}")
            if not stop:
                raise SetError("a list has no closing brace")
            found.append(self._parse_value(text))
            if stop == "}":
                self._position += self._text.startswith(",", self._position)
                return found

    def _parse_value(self, text: str) -> Json:
        if self._is_string:
            return text
        word = text.casefold()
        if word in _WORDS:
            return _WORDS[word]
        value = int64(text) if text == "0" or not text.startswith("0") else None
        return text if value is None else self._number(value)

    def _until(self, stops: Collection[str]) -> tuple[str, str]:
        """Return the text before one of some characters, unescaped, and the character; "" at the end of the text."""
        found: list[str] = []
        while self._position < len(self._text):
            character = self._text[self._position]
            self._position += 1
            if character in stops:
                return "".join(found), character
            if character == "\\":
                character = self._text[self._position : self._position + 1]
                self._position += 1
            found.append(character)
        return "".join(found), ""


def _put(values: dict[str, Json], key: str, value: Json) -> None:
    """Set a value; without a key, Helm sets nothing."""
    if key:
        values[key] = value


def _with_item(items: list[Json], index: int, value: Json) -> list[Json]:
    """Return the list with an item set, a new list if it is too short."""
    if index > _LARGEST_INDEX:
        raise SetError(f"an index is larger than {_LARGEST_INDEX}")
    longer = items if index < len(items) else [*items, *[None] * (index + 1 - len(items))]
    longer[index] = value
    return longer
