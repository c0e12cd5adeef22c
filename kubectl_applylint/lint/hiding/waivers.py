"""Waivers that hide findings: comments in the source, annotations, entries of the configuration.

``# applylint: ignore[rule-id] reason`` hides findings on its own line, or, alone on a line, on the next line that is
not a comment. ``# applylint: ignore-file[rule-id] reason`` hides them in the whole file, without brackets for every
rule. The annotation ``applylint.dev/ignore.<rule-id>: "reason"`` hides them for the object, in every file format. A
reason that begins with ``until 2026-12-31`` is valid up to that day.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import date
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.location import Location, Span
from kubectl_applylint.core.paths import fields, render
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.state import ObjectRef, annotations_of
from kubectl_applylint.lint.model import Finding, Means, Remark

ANNOTATION: Final = "applylint.dev/ignore."
"""The prefix of annotations that hide a rule, followed by its id."""

_MARK: Final = "applylint:"
_COMMENT = regex(r"(?:^|\s)(?P<mark>#\s*applylint:\s*(?P<word>\S(?:.*\S)?))")
_IGNORE = regex(r"(?P<scope>ignore-file|ignore)\s*(?:\[(?P<rules>[^\]]*)\])?\s*(?P<reason>.*)")
_UNTIL = regex(r"until\s+(?P<day>\d{4}-\d{2}-\d{2})(?!\w)[\s:,;.-]*(?P<reason>.*)", re.DOTALL)
_UNCLEAR = "this comment hides nothing: write `# applylint: ignore[rule-id] reason`"


@dataclass(frozen=True, slots=True)
class Scope:
    """The findings that a waiver is about: those that match every field given here."""

    file: str = ""
    """The file name in the run."""
    line: int | None = None
    """The line that a finding starts on."""
    ref: ObjectRef | None = None
    path: re.Pattern[str] | None = None
    """Matches the absolute name of the file."""
    resource: re.Pattern[str] | None = None
    """Matches one of the ``spellings`` of the object."""
    field: re.Pattern[str] | None = None
    """Matches the path of the finding."""
    is_exact: bool = True
    """Whether it names one place or object rather than a pattern."""

    def has(self, ref: ObjectRef, file: str, absolute: str) -> bool:
        """Return whether the object in this file matches; ``absolute`` is empty for one without a file on disk."""
        return (
            self.file in ("", file)
            and self.ref in (None, ref)
            and (self.path is None or self.path.fullmatch(absolute) is not None)
            and (self.resource is None or any(map(self.resource.fullmatch, spellings(ref))))
        )

    def covers(self, finding: Finding, absolute: str) -> bool:
        """Return whether the finding matches."""
        location = finding.location
        return (
            self.line in (None, location.span.line)
            and (self.field is None or self.field.fullmatch(render(finding.path)) is not None)
            and self.has(finding.ref, location.file, absolute)
        )


@dataclass(frozen=True, slots=True)
class Waiver:
    """A waiver: it hides ``rules`` (empty: all) in its scope, up to the day ``until``."""

    rules: tuple[str, ...]
    scope: Scope
    place: Location
    """The place of the waiver itself."""
    means: Means
    reason: str = ""
    until: date | None = None

    def hides(self, finding: Finding, absolute: str) -> bool:
        """Return whether it covers the finding."""
        return (not self.rules or finding.rule in self.rules) and self.scope.covers(finding, absolute)


@dataclass(frozen=True, slots=True)
class ParsedWaivers:
    """The waivers in one source, and remarks on unreadable ones."""

    waivers: tuple[Waiver, ...] = ()
    remarks: tuple[Remark, ...] = ()


def comment_waivers(text: str, file: str) -> ParsedWaivers:
    """Return the waivers in the comments of a file; only its lines are read, so invalid YAML is fine."""
    if _MARK not in text:
        return ParsedWaivers()
    lines = text.splitlines()
    found = [(number, match) for number, line in enumerate(lines, 1) if (match := _COMMENT.search(line))]
    return _separate(
        _comment(match["word"], _place(file, number, match), _target(lines, number)) for number, match in found
    )


def annotation_waivers(document: Document) -> ParsedWaivers:
    """Return the waivers in the annotations of an object."""
    named = ((str(name), value) for name, value in annotations_of(document.object).items())
    return _separate(_annotation(document, name, str(value)) for name, value in named if name.startswith(ANNOTATION))


def _separate(found: Iterable[Waiver | Remark]) -> ParsedWaivers:
    items = list(found)
    return ParsedWaivers(
        tuple(item for item in items if isinstance(item, Waiver)),
        tuple(item for item in items if isinstance(item, Remark)),
    )


def _place(file: str, line: int, match: re.Match[str]) -> Location:
    """Return the location of a comment."""
    return Location(file, Span(line, match.start("mark") + 1, line, match.end("mark") + 1))


def _comment(word: str, place: Location, line: int) -> Waiver | Remark:
    """Return the waiver in a comment, or a remark if it is unclear, such as ``ignore`` without a rule."""
    match = _IGNORE.fullmatch(word)
    rules = tuple(rule.strip() for rule in (match["rules"] or "").split(",") if rule.strip()) if match else ()
    whole_file = match is not None and match["scope"] == "ignore-file"
    if match is None or (not rules and not (whole_file and match["rules"] is None)):
        return Remark(place, _UNCLEAR)
    scope = Scope(place.file, None if whole_file else line)
    return _with_reason(Waiver(rules, scope, place, "comment"), match["reason"])


def _annotation(document: Document, name: str, text: str) -> Waiver | Remark:
    place = document.locate(fields("metadata", "annotations", name))
    scope = Scope(document.file, ref=document.ref)
    return _with_reason(Waiver((name.removeprefix(ANNOTATION),), scope, place, "annotation"), text)


def _with_reason(waiver: Waiver, text: str) -> Waiver | Remark:
    """Return the waiver with its reason and the day at the start of that."""
    match = _UNTIL.match(text)
    if match is None:
        return _complete(waiver, text.strip(), None)
    try:
        day = date.fromisoformat(match["day"])
    except ValueError:
        return Remark(waiver.place, f"this {waiver.means} hides nothing: there is no day {match['day']}")
    return _complete(waiver, match["reason"].strip(), day)


def _complete(waiver: Waiver, reason: str, until: date | None) -> Waiver:
    """Return the waiver with a reason and an expiry day."""
    return Waiver(waiver.rules, waiver.scope, waiver.place, waiver.means, reason, until)


def _target(lines: list[str], number: int) -> int:
    """Return the line that a comment on line ``number`` is about: its own, or the next that is not a comment."""
    while number <= len(lines) and lines[number - 1].lstrip().startswith("#"):
        number += 1
    return number


def spellings(ref: ObjectRef) -> Iterator[str]:
    """Yield the spellings of a resource: ``kind/name`` and ``namespace/kind/name``, with and without the group."""
    for name in dict.fromkeys((f"{ref.kind}/{ref.name}", str(ref))):
        yield name.lower()
        yield f"{ref.namespace}/{name}".lower()


def file_pattern(folder: str, glob: str) -> re.Pattern[str]:
    """Return a pattern of absolute file names; the name of a folder matches everything in it.

    ``*`` matches within a name, ``**`` any folders. ``glob`` is relative to ``folder``, an absolute name with slashes.
    """
    return re.compile(f"{re.escape(folder.rstrip('/'))}/{_expression(glob.strip('/'))}(?:/.*)?", re.DOTALL)


def resource_pattern(glob: str) -> re.Pattern[str]:
    """Return a pattern of ``[namespace/]kind[.group]/name``; ``*`` matches any part of a word."""
    return re.compile(_expression(glob.lower()))


def field_pattern(glob: str) -> re.Pattern[str]:
    """Return a pattern of paths of a field and of those inside it; ``*`` matches any text."""
    first, *others = map(re.escape, glob.split("*"))
    # The first match of a part between two stars suffices, so no other is tried.
    inner = "".join(f"(?>.*?{part})" for part in others[:-1]) + "".join(f".*?{part}" for part in others[-1:])
    return re.compile(f"{first}{inner}(?:[.\\[].*)?", re.DOTALL)


def _expression(glob: str) -> str:
    # The first match of a part between two stars suffices, so no other is tried.
    """Return the regular expression of a glob."""
    tokens = re.split(r"(\*\*/|\*\*|\*(?:[^*]+(?=\*(?!\*/)))?|\?)", glob)
    return "".join(_WILD.get(token) or _piece(token) for token in tokens)


_WILD: Final = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}


def _piece(token: str) -> str:
    """Return the regular expression of one token of a glob."""
    text = re.escape(token.removeprefix("*")).replace(re.escape("?"), "[^/]")
    return f"(?>[^/]*?{text})" if token.startswith("*") else text
