"""The alternatives of a fix. Each is complete, and the first is the safest.

A rule writes them one below the other; a comment that begins with ``or`` starts the next one.
"""

from collections.abc import Iterator
from typing import Final

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.regex import regex

_OTHERWISE: Final = regex(r"#\s*(?:or,?\s|または、?\s?)")
"""The start of a comment that begins another alternative, in the languages of rules."""
_CONTINUES: Final = regex(r"(?:\||\\|&&)\s*\Z")


@dataclass(frozen=True, slots=True)
class FixAlternative:
    """One alternative of a fix, as parts of its text: each a command or a comment."""

    parts: tuple[str, ...]

    @property
    def title(self) -> str:
        """The first comment in one line, empty if the alternative begins with a command."""
        first = self.parts[0] if self.parts else ""
        if not first.startswith("#"):
            return ""
        return " ".join(line.lstrip("#").strip() for line in _OTHERWISE.sub("#", first, count=1).splitlines())

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines below the title: commands and comments."""
        below = self.parts[1:] if self.title else self.parts
        return tuple(line for part in below for line in part.splitlines())


def fix_alternatives(fix: str) -> tuple[FixAlternative, ...]:
    """Return the alternatives in the text of a fix; one without parts for an empty text."""
    ways: list[list[str]] = [[]]
    for part in parts(fix):
        if ways[-1] and _OTHERWISE.match(part):
            ways.append([])
        ways[-1].append(part)
    return tuple(FixAlternative(tuple(way)) for way in ways)


def parts(fix: str) -> Iterator[str]:
    """Yield the parts of a fix: the lines of one command or of one comment."""
    part: list[str] = []
    for line in fix.splitlines():
        if part and not _belongs(line, part[-1]):
            yield "\n".join(part)
            part = []
        part.append(line)
    if part:
        yield "\n".join(part)


def _belongs(line: str, before: str) -> bool:
    """Return whether a line continues the command or comment before it."""
    is_comment = before.startswith("#")
    if line.startswith("#"):
        return is_comment and line.startswith("#  ")
    return not is_comment and (line.startswith(" ") or bool(_CONTINUES.search(before)))
