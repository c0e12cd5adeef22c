"""Error texts of the server and kubectl, and the patterns by which a rule declares which of them it explains."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from string import Formatter
from typing import Final

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.core.paths import Field, Index, Path, PathStep, child, get
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import MISSING, Json, int64

_LONGEST: Final = 240
_ANNOUNCES: Final = "errors:"
"""The end of a first line that several errors of a typed patch follow."""
_WHOLE: Final = "<nil>"
"""The field that the server names for a custom resource as a whole."""
_FIRST_VERSION: Final = (Field("spec"), Field("versions"), Index(0))
_DECODE_ERROR: Final = regex(r"cannot unmarshal (?P<type>\w+) into Go struct field \w+\.(?P<field>[\w.]+) of type")
_JSON_TYPES: Final = {dict: "object", list: "array", str: "string", int: "number", float: "number"}
_TOKEN: Final = regex(r"\.?(?P<name>[^.\[\]]+)|\[(?P<index>\d+)\]|\[(?P<key>[^\]]*)\]")
_VALUE: Final = regex(r"(?P<type>(?:Invalid|Duplicate) value): .*: (?P<detail>[^:]+(?::[^:]{0,80})?)", re.DOTALL)
_LONE_VALUE: Final = regex(r"(?P<type>(?:Invalid|Duplicate) value): .*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class ErrorText:
    """Patterns of errors that a rule explains; empty ones match any error, kind, field or message.

    ``{name}`` matches part of one line, which becomes a fact of that name; in ``field``, ``*`` matches any text.
    ``field`` matches the whole field of an error as the server spells it, ``message`` a part of its message.
    ``example`` is recorded output of kubectl that no case of the rule shows. An error that ``follows`` is the
    consequence of another error of the same object, which the rule explains as well; alone it means something else.
    """

    field: str = ""
    message: str = ""
    kinds: tuple[str, ...] = ()
    example: str = ""
    follows: bool = False

    def facts(self, kind: str, cause: FieldError) -> Mapping[str, str] | None:
        """Return the values of the placeholders if the error matches, else ``None``."""
        if self.kinds and not any(_is_kind(kind, name) for name in self.kinds):
            return None
        field = _field_pattern(self.field or "*").fullmatch(cause.field)
        message = _message_pattern(self.message).search(cause.message) if field else None
        return {**field.groupdict(), **message.groupdict()} if field and message else None


def _is_kind(word: str, kind: str) -> bool:
    """Return whether a word is the kind, or its resource in the plural, which some messages name."""
    lower = kind.lower()
    return word in (kind, f"{lower}s", f"{lower}es", f"{lower.removesuffix('y')}ies")


@cache
def _field_pattern(text: str) -> re.Pattern[str]:
    return re.compile(_pattern(text, any_text=True))


def _pattern(text: str, *, any_text: bool = False) -> str:
    """Return the regular expression of a pattern; raise ``ValueError`` for braces that are not a placeholder."""
    parts = list(Formatter().parse(text))
    return "".join(_token_pattern(part, number == len(parts), any_text) for number, part in enumerate(parts, 1))


@cache
def _message_pattern(text: str) -> re.Pattern[str]:
    """Return the regular expression of a pattern that may match anywhere in a message.

    A pattern that begins with a placeholder is anchored to the start of a line: a search from every character takes
    quadratic time.
    """
    pattern = _pattern(text)
    return re.compile(f"(?m:^){pattern}" if pattern.startswith("(?P<") else pattern)


def _token_pattern(part: tuple[str, str | None, str | None, str | None], is_last: bool, any_text: bool) -> str:
    literal, name, _, _ = part
    plain = ".*".join(map(re.escape, literal.split("*"))) if any_text else re.escape(literal)
    return plain if name is None else f"{plain}(?P<{name}>[^\\n]*{'' if is_last else '?'})"


def explained_errors(
    errors: Iterable[ErrorText], kind: str, causes: Iterable[FieldError]
) -> Mapping[FieldError, Mapping[str, str]]:
    """Return the facts of each error that one of ``errors`` describes."""
    found = ((cause, first_facts(errors, kind, cause)) for cause in causes)
    return {cause: facts for cause, facts in found if facts is not None}


def first_facts(errors: Iterable[ErrorText], kind: str, cause: FieldError) -> Mapping[str, str] | None:
    """Return the facts by the first of ``errors`` that describes the error, or ``None``."""
    found = (error.facts(kind, cause) for error in errors)
    return next((facts for facts in found if facts is not None), None)


def facts_by_field(errors: Iterable[ErrorText], kind: str, cause: FieldError) -> Sequence[Mapping[str, str]]:
    """Return the facts for each field that the message names, by the first of ``errors`` that describes the error."""
    for error in errors:
        facts = error.facts(kind, cause)
        if facts is not None:
            every = _message_pattern(error.message).finditer(cause.message) if "{field}" in error.message else ()
            return [{**facts, **found.groupdict()} for found in every] or [facts]
    return ()


def path_of_error(field: str, written: Json) -> Path:
    """Return the path to a field that the server names, up to its last step that exists in the object.

    The server spells some fields differently: with other capitals, without ``spec``, with map keys in brackets, or
    without the version for fields that all versions of a definition share. The path of a missing field ends with that
    field.
    """
    steps = list(_steps(field))
    if steps and child(written, steps[0]) is MISSING and child(child(written, Field("spec")), steps[0]) is not MISSING:
        steps = [Field("spec"), *steps]
    return tuple(_steps_in(_in_version(steps, written), written))


def places_of_decode_error(message: str, written: Json) -> Iterator[Path]:
    """Yield the places of values that the server cannot decode; none if the message names no field.

    It names the field without the positions of list entries and the keys of maps, and the JSON type of the value.
    """
    named = _DECODE_ERROR.search(message)
    if named:
        for path, value in _values_of(written, named["field"].split(".")):
            entries = value.items() if isinstance(value, dict) and named["type"] != "object" else ()
            held = [((*path, Field(key)), inner) for key, inner in entries] or [(path, value)]
            yield from (place for place, inner in held if _json_type(inner) == named["type"])


def _values_of(value: Json, names: Sequence[str], path: Path = ()) -> Iterator[tuple[Path, Json]]:
    """Yield the values of a field that is named without the positions of list entries, and of its entries."""
    if isinstance(value, list):
        if not names:
            yield path, value
        for position, entry in enumerate(value):
            yield from _values_of(entry, names, (*path, Index(position)))
    elif not names:
        yield path, value
    elif isinstance(value, dict) and names[0] in value:
        yield from _values_of(value[names[0]], names[1:], (*path, Field(names[0])))


def _json_type(value: Json) -> str:
    """Return the name of a JSON type in messages of Go."""
    return "bool" if isinstance(value, bool) else _JSON_TYPES.get(type(value), "")


def _in_version(steps: Sequence[PathStep], written: Json) -> Sequence[PathStep]:
    """Return the steps to a field that the server stores once for all versions, through the first version."""
    if len(steps) < 2 or get(written, tuple(steps[:2])) is not MISSING:
        return steps
    shared = Field("schema") if steps[1] == Field("validation") else steps[1]
    inner = (*_FIRST_VERSION, shared)
    return steps if get(written, inner) is MISSING else [*inner, *steps[2:]]


def _steps(field: str) -> Iterator[PathStep]:
    for token in _TOKEN.finditer("" if field == _WHOLE else field):
        index = int64(token["index"] or "")
        words = token["name"] or token["key"] or token["index"] or ""
        yield Field(words) if index is None else Index(index)


def _steps_in(steps: Iterable[PathStep], value: Json) -> Iterator[PathStep]:
    for step in steps:
        spelled = _as_written(step, value)
        value = child(value, spelled)
        yield spelled
        if value is MISSING:
            return


def _as_written(step: PathStep, value: Json) -> PathStep:
    if not isinstance(step, Field) or not isinstance(value, dict) or step.name in value:
        return step
    alike = (key for key in value if key.lower() == step.name.lower())
    return Field(next(alike, step.name))


def error_text(cause: FieldError, *, whole: bool = False) -> str:
    """Return the server's error text in one line; long values are shortened unless ``whole``."""
    text = cause.message if whole else first_line(cause.message)
    return f"{cause.field}: {text}" if cause.field else text


def text_without_values(cause: FieldError) -> FieldError:
    """Return the error text without values, which may be contents of a Secret."""
    return replace(cause, message=_shorten(cause.message.partition("\n")[0].strip()))


def first_line(message: str) -> str:
    """Return the first line of a message with long values shortened to an ellipsis.

    If it only announces errors, the first of these follows, and the number of others.
    """
    line, *others = (each.strip() for each in message.split("\n"))
    if line.endswith(_ANNOUNCES) and others:
        more = f" (and {len(others) - 1} more)" if len(others) > 1 else ""
        line = f"{line.removesuffix(_ANNOUNCES)}{others[0]}{more}"
    return line if len(line) <= _LONGEST else _shorten(line)


def _shorten(line: str) -> str:
    value = _VALUE.fullmatch(line)
    if value:
        return f"{value['type']}: …: {value['detail']}"
    lone = _LONE_VALUE.fullmatch(line)
    if lone:
        return f"{lone['type']}: …"
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
