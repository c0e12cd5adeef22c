"""What kubectl printed when an apply failed, taken apart: which object, and why.

The forms are those of kubectl 1.30 to 1.36 (``checkErr`` and ``AddSourceToErr`` of ``pkg/cmd/util``, ``pkg/cmd/apply``)
and the server's own messages, which Helm, Argo CD, Flux and kapp print too.
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
# A field has a length, so that text which only looks like one at its start is given up soon.
_FIELD: Final = r"(?:[A-Za-z<][^\s:]{0,500}|[^\s\[]{0,500}\[[^\]]{0,300}\][^\s:]{0,500})"
_CAUSE: Final = regex(rf"(?P<field>{_FIELD}): (?P<message>{_FIELD_ERROR}.*)", re.DOTALL)
_NEXT_CAUSE: Final = regex(rf", (?={_FIELD}: {_FIELD_ERROR})")
_CONFLICT: Final = regex(
    r'conflicts? with (?P<who>"[^"]*"(?: with subresource "[^"]*")?(?: using [^\s:]+)?(?: at [^\s]+Z)?):'
    r"(?P<fields>(?:\s+-? ?\.\S+)+)"
)
# Names have a length, too: what only looks like one is not read to its end from each of its characters.
_KIND: Final = r"(?P<kind>\w{1,300})(?:\.[\w.-]{1,300})?"
_NAME: Final = r'(?P<name>[^"]{0,300})'
_HEADS: Final = (
    regex(rf'(?:\A|.*?\b){_KIND} "{_NAME}" is (?:invalid|forbidden):\s*', re.DOTALL),
    regex(rf'.*?cannot be fulfilled on {_KIND} "{_NAME}": ', re.DOTALL),
    regex(r"(?P<kind>\w+) in version \"[^\"]*\" cannot be handled as a \w+: "),
    regex(r"The request is invalid:\s*"),
)
"""What stands in front of the reasons, and names the object."""
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
"""Between two objects in an error of Helm, which tells of all that failed at once."""
_ARGO_CD: Final = regex(r"\Aone or more (?:objects|synchronization tasks) [\w ()]{1,60}, reason: ")
"""What Argo CD says before it tells of all objects that failed."""
_NEXT_OF_ARGO_CD: Final = regex(
    r',(?=error when \w{1,30} "|waiting for |\w[\w.]{0,300} "[^"]{0,300}" is (?:invalid|forbidden): )'
)
_KAPP: Final = regex(r"\Akapp: Error: .*?\n\s*API server says:\n(?P<said>.*)\Z", re.DOTALL)
_LISTED_BY_KAPP: Final = regex(r"^- ((?:Found resource|Resource) '[^']{1,600}' .*)$", re.MULTILINE)
"""One of several objects over which kapp stops before it writes anything."""
_REASON_OF_KAPP: Final = regex(r"\s*\(reason: \w{0,100}\)\s*\Z")


MOST: Final = 512 * 1024
"""How many bytes of a text are worth reading: more errors than anybody reads."""
_LONGEST_LINE: Final = 16_000
"""Characters of a line that are looked at; the longest that servers write quote a whole pod template twice."""
_LONGEST_MESSAGE: Final = 32_000


@dataclass(frozen=True, slots=True)
class LoggedError:
    """One error that was printed, on which line it starts, and what it is about, as far as it says that.

    ``kind`` may be a resource in the plural where the text names no more. ``loose`` is text that is no error by its
    form alone.
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
    line: int
    loose: bool
    lines: list[str] = field(default_factory=list)


def failures(text: str) -> tuple[LoggedError, ...]:
    """Return the errors and warnings that a text holds, in its order; those that it repeats only once."""
    found: dict[LoggedError, LoggedError] = {}
    for failure in chain.from_iterable(map(_failures, _messages(text))):
        found.setdefault(replace(failure, line=0), failure)
    return tuple(found.values())


def _messages(text: str) -> Iterator[_Message]:
    message: _Message | None = None
    for number, raw in enumerate(_COLOR.sub("", text).splitlines(), 1):
        line = _LEADER.sub("", raw)
        starts = _START.match(line) and not (message and _goes_on(message, line))
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


def _goes_on(message: _Message, line: str) -> bool:
    """Tell whether a line is one of those below an error of kapp."""
    return message.lines[0].startswith("kapp: Error: ") and line[:1] in (" ", "-")


def _failures(message: _Message) -> Iterator[LoggedError]:
    whole = abridged("\n".join(abridged(line, _LONGEST_LINE) for line in message.lines), _LONGEST_MESSAGE).strip()
    yield from (_failure(message, text) for text in _objects(whole))


def _objects(whole: str) -> list[str]:
    """Return what an error says of each object, in kubectl's form."""
    by_argo_cd, by_kapp = _ARGO_CD.match(whole), _KAPP.match(whole)
    if by_argo_cd:
        return _NEXT_OF_ARGO_CD.split(whole[by_argo_cd.end() :])
    if by_kapp:
        return [_unfolded(_REASON_OF_KAPP.sub("", by_kapp["said"]))]
    return _LISTED_BY_KAPP.findall(whole) or _NEXT_OF_HELM.split(whole)


def _unfolded(said: str) -> str:
    """Return an error of the server that kapp has folded, with a line for each of several reasons, in one line."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    reasons = [line.removeprefix("- ") for line in lines if line.startswith("- ")]
    head = " ".join(line for line in lines if not line.startswith("- "))
    return f"{head} [{', '.join(reasons)}]" if reasons else head


def _failure(message: _Message, text: str) -> LoggedError:
    names = _names(text)
    said = _OPENING.sub("", _WRAPPER.sub("", text))
    head = next(filter(None, (pattern.match(said) for pattern in _HEADS)), None)
    if head:
        names = {**names, **_given(head.groupdict())}
        said = said[head.end() :]
    return LoggedError(
        line=message.line,
        causes=tuple(dict.fromkeys(_causes(said))),
        warning=text.startswith("Warning: "),
        loose=message.loose,
        **names,
    )


def abridged(text: str, longest: int) -> str:
    """Return a text without its middle where it is longer than that many characters: the reason stands at the end."""
    if len(text) <= longest:
        return text
    head = longest * 2 // 3
    return f"{text[:head]}… ({len(text) - longest} characters) …{text[head - longest :]}"


def _names(text: str) -> dict[str, str]:
    names: dict[str, str] = {}
    for pattern in _NAMES:
        match = pattern.search(text)
        if match:
            names |= _given(match.groupdict())
    return names


def _given(groups: Mapping[str, str | None]) -> dict[str, str]:
    return {name: value for name, value in groups.items() if value}


def _causes(said: str) -> Iterator[FieldError]:
    conflicts = list(_CONFLICT.finditer(said))
    for match in conflicts:
        for place in match["fields"].replace("-", " ", 1).split():
            if place.startswith("."):
                yield FieldError(place, "FieldManagerConflict", f"conflict with {match['who']}")
    if not conflicts:
        yield from map(_cause, _parts(said.strip()))


def _parts(said: str) -> list[str]:
    if said.startswith("* "):
        return said[2:].split("\n* ")
    if said.startswith("[") and said.endswith("]"):
        return _NEXT_CAUSE.split(said[1:-1])
    return [said]


def _cause(text: str) -> FieldError:
    match = _CAUSE.fullmatch(text.strip())
    return FieldError(match["field"], "", match["message"]) if match else FieldError("", "", text.strip())
