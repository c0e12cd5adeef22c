"""Parses the output of a failed kubectl apply: objects and their errors.

The forms are those of kubectl 1.30 to 1.36 (``checkErr`` and ``AddSourceToErr`` of ``pkg/cmd/util``, ``pkg/cmd/apply``)
and the server's own messages, which Helm, Argo CD, Flux and kapp also print.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Final

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.regex import regex

_FIELD_ERROR: Final = (
    r"(?:Invalid value|Forbidden|Required value|Duplicate value|Unsupported value|Not found|Too long|Too many|Too few"
    r"|Internal error|Unauthorized)"
)
_COLOR: Final = regex(r"\x1b\[[0-9;]*m")
_LEADER: Final = regex(r"\A(?:\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)?\s+)?(?:##\[error\]|::error::)?")
_START: Final = regex(
    r'(?:The \S+ "[^"]*" is invalid: |The request is invalid|Error from server|[Ee]rror: |Error |Warning: |error when '
    r"|resource mapping not found|unable to |Unable to |The connection to the server "
    r"|kapp: Error: |one or more (?:objects|synchronization tasks) "
    r"|(?!for:).* is (?:invalid|forbidden): )"
)
_NO_ERROR: Final = regex(
    r"\S+/\S+ (?:created|configured|unchanged|serverside-applied|pruned|deleted|patched|replaced)\b.*"
    r"|[Ww]arning: error calculating patch from openapi .*"
    r'|level=WARN msg=".*'
)
# The length of a field is limited, so that text which only starts like one is abandoned soon.
_FIELD: Final = r"(?:[A-Za-z<][^\s:]{0,500}|[^\s\[]{0,500}\[[^\]]{0,300}\][^\s:]{0,500})"
_CAUSE: Final = regex(rf"(?P<field>{_FIELD}): (?P<message>{_FIELD_ERROR}.*)", re.DOTALL)
_NEXT_CAUSE: Final = regex(rf", (?={_FIELD}: {_FIELD_ERROR})")
_CONFLICT: Final = regex(
    r'conflicts? with (?P<who>"[^"]*"(?: with subresource "[^"]*")?(?: using [^\s:]+)?(?: at [^\s]+Z)?):'
    r"(?P<fields>(?:\s+-? ?\.\S+)+)"
)
# The length of names is limited as well, so that the search does not become quadratic.
_KIND: Final = r"(?P<kind>\w{1,300})(?:\.[\w.-]{1,300})?"
_NAME: Final = r'(?P<name>[^"]{0,300})'
_HEADS: Final = (
    regex(rf'(?:\A|.*?\b){_KIND} "{_NAME}" is (?:invalid|forbidden):\s*', re.DOTALL),
    regex(rf'.*?cannot be fulfilled on {_KIND} "{_NAME}": ', re.DOTALL),
    regex(r"(?P<kind>\w+) in version \"[^\"]*\" cannot be handled as a \w+: "),
    regex(r"The request is invalid:\s*"),
)
"""The text before the errors, which names the object."""
_NAMES: Final = (
    regex(r" object \((?:(?P<namespace>[^/;)]{0,300})/)?(?P<name>[^;)]{0,300}); \S{1,300}, Kind=(?P<kind>\w{1,300})\)"),
    regex(r"GroupVersionKind: \"[^\"]*, Kind=(?P<kind>\w+)\""),
    regex(r'^Name: "(?P<name>[^"]*)", Namespace: "(?P<namespace>[^"]*)"$', re.MULTILINE),
    regex(r'not found for name: "(?P<name>[^"]*)" namespace: "(?P<namespace>[^"]*)" from "(?P<file>[^"]*)"'),
    regex(r"resource (?P<kind>[^/\s]+)/(?P<name>\S+) is missing the "),
    regex(rf'{_KIND} "{_NAME}" in namespace "(?P<namespace>[^"]{{0,300}})" exists and cannot be imported '),
    regex(
        rf"\A{_KIND}/(?:(?P<namespace>[\w.-]{{1,300}})/)?(?P<name>[\w.-]{{1,300}}) (?:immutable field|dry-run|apply) "
    ),
    regex(
        r"(?:esource '|exists )(?P<kind>\w{1,300})/(?P<name>[^\s']{1,300}) \([^)]{1,300}\)"
        r" (?:cluster\b|namespace: (?P<namespace>[^\s':]{1,300}))"
    ),
    regex(r'error when \w+ "(?P<file>[^"]*)"'),
    regex(r'^for: "(?P<file>[^"]*)"', re.MULTILINE),
)
_WRAPPER: Final = regex(r'\A.*(?:error when \w+ "[^"]*": |\nfor:(?: "[^"]*")?:? )', re.DOTALL)
_OPENING: Final = regex(
    r"\A(?:Error from server(?: \([^)]*\))?|(?:kapp: )?[Ee]rror|Warning): (?:(?:INSTALLATION|UPGRADE) FAILED: )?"
)


_NEXT_OF_HELM: Final = regex(r" && (?=cannot patch |failed to |conflict occurred |\w[\w.]{0,300} \"[^\"]{0,300}\" is )")
"""The separator of two objects in an error of Helm, which reports all failed objects at once."""
_ARGO_CD: Final = regex(r"\Aone or more (?:objects|synchronization tasks) [\w ()]{1,60}, reason: ")
"""The text in Argo CD's errors before the list of failed objects."""
_NEXT_OF_ARGO_CD: Final = regex(
    r',(?=error when \w{1,30} "|waiting for |\w[\w.]{0,300} "[^"]{0,300}" is (?:invalid|forbidden): )'
)
_KAPP: Final = regex(r"\Akapp: Error: .*?\n\s*API server says:\n(?P<said>.*)\Z", re.DOTALL)
_LISTED_BY_KAPP: Final = regex(r"^- ((?:Found resource|Resource) '[^']{1,600}' .*)$", re.MULTILINE)
"""One of several objects that make kapp stop before it writes anything."""
_REASON_OF_KAPP: Final = regex(r"\s*\(reason: \w{0,100}\)\s*\Z")


MAX_BYTES: Final = 512 * 1024
"""The maximum number of bytes that are read, more than a person would."""
_LONGEST_LINE: Final = 16_000
"""The maximum number of characters read in a line; the longest messages quote a whole pod template twice."""
_LONGEST_MESSAGE: Final = 32_000


@dataclass(frozen=True, slots=True)
class LoggedError:
    """One printed error with its line and the object that it names.

    ``kind`` may be a plural resource name if the text has nothing better. ``loose`` is text without the form of an
    error.
    """

    line: int
    causes: tuple[FieldError, ...]
    kind: str = ""
    name: str = ""
    namespace: str = ""
    file: str = ""
    warning: bool = False
    loose: bool = False


@dataclass(slots=True)
class _Message:
    """The consecutive lines of one message."""

    line: int
    loose: bool
    lines: list[str] = field(default_factory=list)


def logged_errors(text: str) -> tuple[LoggedError, ...]:
    """Return the distinct errors and warnings in a text, in order of first occurrence."""
    found: dict[LoggedError, LoggedError] = {}
    for failure in chain.from_iterable(map(_errors_in, _messages(text))):
        found.setdefault(replace(failure, line=0), failure)
    return tuple(found.values())


def _messages(text: str) -> Iterator[_Message]:
    message: _Message | None = None
    for number, raw in enumerate(_COLOR.sub("", text).splitlines(), 1):
        line = _LEADER.sub("", raw)
        starts = _START.match(line) and not (message and _continues_kapp_error(message, line))
        passes = _NO_ERROR.fullmatch(line)
        if message is not None and (starts or passes or (message.loose and not line.strip())):
            yield message
            message = None
        if passes or (message is None and not line.strip()):
            continue
        message = message or _Message(number, loose=not starts)
        message.lines.append(line)
    if message is not None:
        yield message


def _continues_kapp_error(message: _Message, line: str) -> bool:
    """Return whether a line belongs to an error of kapp above it."""
    return message.lines[0].startswith("kapp: Error: ") and line[:1] in (" ", "-")


def _errors_in(message: _Message) -> Iterator[LoggedError]:
    whole = abridge("\n".join(abridge(line, _LONGEST_LINE) for line in message.lines), _LONGEST_MESSAGE).strip()
    yield from (_logged_error(message, text) for text in _texts_by_object(whole))


def _texts_by_object(whole: str) -> list[str]:
    """Return the error text of each object, in kubectl's form."""
    by_argo_cd, by_kapp = _ARGO_CD.match(whole), _KAPP.match(whole)
    if by_argo_cd:
        return _NEXT_OF_ARGO_CD.split(whole[by_argo_cd.end() :])
    if by_kapp:
        return [_unfold_lines(_REASON_OF_KAPP.sub("", by_kapp["said"]))]
    return _LISTED_BY_KAPP.findall(whole) or _NEXT_OF_HELM.split(whole)


def _unfold_lines(text: str) -> str:
    """Return a server error that kapp has split into lines, one for each reason, as one line."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    reasons = [line.removeprefix("- ") for line in lines if line.startswith("- ")]
    head = " ".join(line for line in lines if not line.startswith("- "))
    return f"{head} [{', '.join(reasons)}]" if reasons else head


def _logged_error(message: _Message, text: str) -> LoggedError:
    """Return the error that a text reports about one object."""
    names = _names(text)
    message_text = _OPENING.sub("", _WRAPPER.sub("", text))
    head = next(filter(None, (pattern.match(message_text) for pattern in _HEADS)), None)
    if head:
        names = {**names, **_nonempty_groups(head.groupdict())}
        message_text = message_text[head.end() :]
    return LoggedError(
        line=message.line,
        causes=tuple(dict.fromkeys(_field_errors(message_text))),
        warning=text.startswith("Warning: "),
        loose=message.loose,
        **names,
    )


def abridge(text: str, longest: int) -> str:
    """Return a text of at most that many characters, the middle cut out: the reason is at the end."""
    if len(text) <= longest:
        return text
    head = longest * 2 // 3
    return f"{text[:head]}… ({len(text) - longest} characters) …{text[head - longest :]}"


def _names(text: str) -> dict[str, str]:
    """Return the names of object and file in an error."""
    names: dict[str, str] = {}
    for pattern in _NAMES:
        match = pattern.search(text)
        if match:
            names |= _nonempty_groups(match.groupdict())
    return names


def _nonempty_groups(groups: Mapping[str, str | None]) -> dict[str, str]:
    """Return the groups of a match that are not empty."""
    return {name: value for name, value in groups.items() if value}


def _field_errors(text: str) -> Iterator[FieldError]:
    conflicts = list(_CONFLICT.finditer(text))
    for match in conflicts:
        for place in match["fields"].replace("-", " ", 1).split():
            if place.startswith("."):
                yield FieldError(place, "FieldManagerConflict", f"conflict with {match['who']}")
    if not conflicts:
        yield from map(_field_error, _parts(text.strip()))


def _parts(text: str) -> list[str]:
    """Return the errors in a list, without its markup."""
    if text.startswith("* "):
        return text[2:].split("\n* ")
    if text.startswith("[") and text.endswith("]"):
        return _NEXT_CAUSE.split(text[1:-1])
    return [text]


def _field_error(text: str) -> FieldError:
    match = _CAUSE.fullmatch(text.strip())
    return FieldError(match["field"], "", match["message"]) if match else FieldError("", "", text.strip())
