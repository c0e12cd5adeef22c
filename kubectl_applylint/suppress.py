"""Which findings somebody chose not to see: comments in the source and annotations on the object.

``# applylint: ignore[rule-id] reason`` hides what stands on its own line, or, alone on a line, on the next line that
is not a comment. ``# applylint: ignore-file[rule-id] reason`` hides it in the whole file, without brackets every rule.
The annotation ``applylint.dev/ignore.<rule-id>: "reason"`` hides it for the object, in every file format.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from kubectl_applylint.model import Finding
from kubectl_applylint.values import JsonObject, dig, mapping

ANNOTATION = "applylint.dev/ignore."
"""What the name of an annotation that hides a rule starts with; the rule's id follows."""

_COMMENT = re.compile(r"(?:^|\s)#\s*applylint:\s*(?P<word>\S.*?)\s*$")
_IGNORE = re.compile(r"(?P<scope>ignore-file|ignore)\s*(?:\[(?P<rules>[^\]]*)\])?\s*(?P<reason>.*)")


@dataclass(frozen=True, slots=True)
class Comment:
    """One comment that hides ``rules`` (empty: all) on ``line``, or in the whole file where ``line`` is ``None``."""

    rules: tuple[str, ...]
    line: int | None
    reason: str

    def hides(self, rule: str, line: int) -> bool:
        """Tell whether it hides a finding of ``rule`` that starts on ``line``."""
        return (not self.rules or rule in self.rules) and self.line in (None, line)


@dataclass(frozen=True, slots=True)
class Comments:
    """What the comments of one file hide; ``unclear`` are lines with a comment that says nothing we understand."""

    hiding: tuple[Comment, ...] = ()
    unclear: tuple[int, ...] = ()


def read(text: str) -> Comments:
    """Return the comments of a source text; only its lines are looked at, so YAML that does not parse is fine."""
    lines = text.splitlines()
    found = [(number, match["word"]) for number, line in enumerate(lines, 1) if (match := _COMMENT.search(line))]
    parsed = [(number, _comment(word, _target(lines, number))) for number, word in found]
    return Comments(
        hiding=tuple(comment for _, comment in parsed if comment),
        unclear=tuple(number for number, comment in parsed if not comment),
    )


def _comment(word: str, line: int) -> Comment | None:
    """Return what a comment hides; ``None`` if it cannot be told, as for ``ignore`` without a rule."""
    match = _IGNORE.fullmatch(word)
    if match is None:
        return None
    rules = tuple(rule.strip() for rule in (match["rules"] or "").split(",") if rule.strip())
    whole_file = match["scope"] == "ignore-file"
    if not rules and not (whole_file and match["rules"] is None):
        return None
    return Comment(rules, None if whole_file else line, match["reason"])


def _target(lines: list[str], number: int) -> int:
    """Return the line that a comment on line ``number`` is about: its own, or the next that is not a comment."""
    while number <= len(lines) and lines[number - 1].lstrip().startswith("#"):
        number += 1
    return number


def reason(finding: Finding, manifest: JsonObject, comments: Comments) -> str | None:
    """Return the reason, maybe empty, why a finding is not to be shown; ``None`` if it is to be shown."""
    return next(_reasons(finding, manifest, comments), None)


def _reasons(finding: Finding, manifest: JsonObject, comments: Comments) -> Iterator[str]:
    annotations: Mapping[str, object] = mapping(dig(manifest, "metadata", "annotations"))
    if ANNOTATION + finding.rule in annotations:
        yield str(annotations[ANNOTATION + finding.rule])
    for comment in comments.hiding:
        if comment.hides(finding.rule, finding.location.span.line):
            yield comment.reason
