"""What the server and kubectl say when an apply fails, and how a rule says which of these texts it explains."""

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
_WHOLE: Final = "<nil>"
"""How the server names the whole of a custom resource."""
_FIRST_VERSION: Final = (Field("spec"), Field("versions"), Index(0))
_TOKEN: Final = regex(r"\.?(?P<name>[^.\[\]]+)|\[(?P<index>\d+)\]|\[(?P<key>[^\]]*)\]")
_VALUE: Final = regex(r"(?P<type>(?:Invalid|Duplicate) value): .*: (?P<detail>[^:]+(?::[^:]{0,80})?)", re.DOTALL)
_LONE_VALUE: Final = regex(r"(?P<type>(?:Invalid|Duplicate) value): .*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class ErrorText:
    """Texts that a rule explains. ``field`` and ``message`` are patterns, empty for any; ``kinds`` are empty for all.

    In both ``{name}`` stands for a stretch of one line that becomes a fact of that name, in ``field`` also ``*`` for
    any text. ``field`` is the whole field of a cause, as the server spells it, ``message`` a part of what it says.
    ``example`` is what kubectl really printed, where no case of the rule shows it. An error that ``follows`` has its
    reason in another error of the same object, which the rule explains too; alone it speaks of something else.
    """

    field: str = ""
    message: str = ""
    kinds: tuple[str, ...] = ()
    example: str = ""
    follows: bool = False

    def facts(self, kind: str, cause: FieldError) -> Mapping[str, str] | None:
        """Return what the placeholders stand for in a cause that this describes, ``None`` for any other cause."""
        if self.kinds and not any(_is_kind(kind, name) for name in self.kinds):
            return None
        field = _of_field(self.field or "*").fullmatch(cause.field)
        message = _of_message(self.message).search(cause.message) if field else None
        return {**field.groupdict(), **message.groupdict()} if field and message else None


def _is_kind(told: str, kind: str) -> bool:
    """Tell whether a kind, or the resource in the plural that some messages name, is that kind."""
    lower = kind.lower()
    return told in (kind, f"{lower}s", f"{lower}es", f"{lower.removesuffix('y')}ies")


@cache
def _of_field(text: str) -> re.Pattern[str]:
    return re.compile(_pattern(text, any_text=True))


def _pattern(text: str, *, any_text: bool = False) -> str:
    """Return the regular expression of a pattern; raise ``ValueError`` for braces that are no placeholder."""
    parts = list(Formatter().parse(text))
    return "".join(_piece(part, number == len(parts), any_text) for number, part in enumerate(parts, 1))


@cache
def _of_message(text: str) -> re.Pattern[str]:
    """Return the expression of a pattern that is looked for anywhere.

    What begins with a placeholder begins with a line: to look for it from every character takes the square of the time.
    """
    pattern = _pattern(text)
    return re.compile(f"(?m:^){pattern}" if pattern.startswith("(?P<") else pattern)


def _piece(part: tuple[str, str | None, str | None, str | None], is_last: bool, any_text: bool) -> str:
    literal, name, _, _ = part
    plain = ".*".join(map(re.escape, literal.split("*"))) if any_text else re.escape(literal)
    return plain if name is None else f"{plain}(?P<{name}>[^\\n]*{'' if is_last else '?'})"


def explained(
    errors: Iterable[ErrorText], kind: str, causes: Iterable[FieldError]
) -> Mapping[FieldError, Mapping[str, str]]:
    """Return the facts of those causes that one of ``errors`` describes."""
    found = ((cause, first_facts(errors, kind, cause)) for cause in causes)
    return {cause: facts for cause, facts in found if facts is not None}


def first_facts(errors: Iterable[ErrorText], kind: str, cause: FieldError) -> Mapping[str, str] | None:
    """Return the facts by the first of ``errors`` that describes the cause, ``None`` if none does."""
    found = (error.facts(kind, cause) for error in errors)
    return next((facts for facts in found if facts is not None), None)


def place_of(field: str, written: Json) -> Path:
    """Return the path to a field that the server names in an object, as far as it can be followed there.

    The server spells some fields in ways of its own: with other capitals, without the ``spec`` in front, map keys in
    brackets, and what all versions of a definition share without the version. A field that is required and missing
    ends the path.
    """
    steps = list(_steps(field))
    if steps and child(written, steps[0]) is MISSING and child(child(written, Field("spec")), steps[0]) is not MISSING:
        steps = [Field("spec"), *steps]
    return tuple(_followed(_in_version(steps, written), written))


def _in_version(steps: Sequence[PathStep], written: Json) -> Sequence[PathStep]:
    """Return the steps to what the server keeps once for all versions as they lead through the first version."""
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


def _followed(steps: Iterable[PathStep], value: Json) -> Iterator[PathStep]:
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


def said(cause: FieldError, *, whole: bool = False) -> str:
    """Return a cause as the server tells it, in one line and with long values left out unless it is wanted whole."""
    text = cause.message if whole else brief(cause.message)
    return f"{cause.field}: {text}" if cause.field else text


def hidden(cause: FieldError) -> FieldError:
    """Return a cause without the values in it, which may be what a Secret holds."""
    return replace(cause, message=_elided(cause.message.partition("\n")[0].strip()))


def brief(message: str) -> str:
    """Return the first line of a message, a value in it shortened to an ellipsis where it is long."""
    line = message.partition("\n")[0].strip()
    return line if len(line) <= _LONGEST else _elided(line)


def _elided(line: str) -> str:
    value = _VALUE.fullmatch(line)
    if value:
        return f"{value['type']}: …: {value['detail']}"
    lone = _LONE_VALUE.fullmatch(line)
    if lone:
        return f"{lone['type']}: …"
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
