"""The types of option values: how their text is read, and their JSON schema."""

import os
import re
from collections.abc import Callable
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, TypeAlias

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.spelling import meant
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.lint.hiding.waivers import field_pattern, file_pattern, resource_pattern
from kubectl_applylint.sources.cluster.connection import parse_timeout
from kubectl_applylint.sources.render.render_limits import MEMORY_PATTERN, mebibytes_of

Reader: TypeAlias = Callable[[str, Path], Any]
"""Returns the value of a text; file names are relative to a folder; raises ``ValueError``."""


@dataclass(frozen=True, slots=True)
class Type:
    """A type of values: its reader, and the JSON schema of values in a file."""

    read: Reader
    schema: JsonObject


@dataclass(frozen=True, slots=True)
class Option:
    """One option: its values, its purpose, and whether it takes several."""

    type: Type
    words: str
    many: bool = False


def printable(text: str) -> str:
    """Return a text that is valid in file names and messages; raise ``ValueError`` for others."""
    if "\0" in text:
        raise ValueError("a NUL character in the value")
    try:
        os.fsencode(text)
    except UnicodeEncodeError:
        raise ValueError("half of a surrogate pair in the value") from None
    return text


def one_of(*words: str) -> Callable[[str, Path], str]:
    """Return a reader of one of some words."""

    def read(text: str, folder: Path) -> str:
        if text not in words:
            advice = meant(text, words, otherwise="")
            raise ValueError(f"{text!r} is not one of {', '.join(words)}" + (f"; {advice}" if advice else ""))
        return text

    return read


def choice(of: type[StrEnum]) -> Type:
    """Return the type of the members of an enumeration."""
    read = one_of(*of)
    return Type(lambda text, folder: of(read(text, folder)), {"enum": [*map(str, of)]})


def _text(text: str, folder: Path) -> str:
    if not text:
        raise ValueError("an empty value")
    return text


def _file(text: str, folder: Path) -> str:
    return str(folder / _text(text, folder))


def _manager(text: str, folder: Path) -> str:
    """Return a valid field manager: up to 128 printable characters."""
    if not text or len(text.encode()) > 128 or not text.isprintable():
        raise ValueError(f"{text!r} is not a name of 1 to 128 printable characters")
    return text


def _version(text: str, folder: Path) -> str:
    match = re.fullmatch(r"v?(\d{1,4}\.\d{1,4})(\.\d+\S*)?", text)
    if match is None:
        raise ValueError(f"{text!r} is not a version such as 1.36")
    return match[1]


def _boolean(text: str, folder: Path) -> bool:
    return one_of("true", "false")(text, folder) == "true"


def _number(text: str, folder: Path) -> int:
    if not re.fullmatch(r"\d{1,3}", text):
        raise ValueError(f"{text!r} is not a number")
    return int(text)


def _memory(text: str, folder: Path) -> str:
    mebibytes_of(text)
    return text


def _day(text: str, folder: Path) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ValueError(f"{text!r} is not a date such as 2026-12-31") from None


def _path_glob(text: str, folder: Path) -> re.Pattern[str]:
    return file_pattern(folder.as_posix(), _text(text, folder))


def _resource_glob(text: str, folder: Path) -> re.Pattern[str]:
    if not 1 <= text.count("/") <= 2:
        raise ValueError(f"{text!r} is not an object; write it like deployment/web or shop/deployment/web")
    return resource_pattern(text)


def _field_glob(text: str, folder: Path) -> re.Pattern[str]:
    return field_pattern(_text(text, folder))


WORD: Final[JsonObject] = {"type": "string", "minLength": 1}
"""The schema of a non-empty text."""
TEXT: Final = Type(_text, WORD)
RULE: Final = Type(_text, {"$ref": "#/definitions/rule"})
"""The id of a rule; the folders of rules determine the valid ones."""
RULES: Final = Type(_text, {"$ref": "#/definitions/rules"})
"""The id of a rule, or the name of a family of rules."""
FILE: Final = Type(_file, WORD)
MANAGER: Final = Type(_manager, {**WORD, "maxLength": 128})
VERSION: Final = Type(_version, {"type": ["string", "number"], "pattern": r"^v?\d+\.\d+(\.\d+\S*)?$"})
DURATION: Final = Type(lambda text, folder: parse_timeout(text), {"type": ["string", "integer"]})
MEMORY: Final = Type(_memory, {"type": "string", "pattern": f"^({MEMORY_PATTERN})$"})
BOOLEAN: Final = Type(_boolean, {"type": "boolean"})
NUMBER: Final = Type(_number, {"type": "integer", "minimum": 0, "maximum": 999})
DAY: Final = Type(_day, {"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}$"})
PATH: Final = Type(_path_glob, WORD)
RESOURCE: Final = Type(_resource_glob, {"type": "string", "pattern": "^[^/]*/[^/]*(/[^/]*)?$"})
FIELD: Final = Type(_field_glob, WORD)
