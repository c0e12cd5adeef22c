"""Text helpers of several renderers: numbers with nouns, values, colors, wrapping."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from posixpath import dirname
from typing import Final

from kubectl_applylint.core.location import Location
from kubectl_applylint.core.outcome import Verdict, plain
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.safe_text import link, one_line, without_links
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import MISSING, Json, Missing
from kubectl_applylint.lint.model import Applicability, Certainty, Finding, LiveAssumption, Proof, Rule
from kubectl_applylint.report.context import Context

_STYLES = {
    "error": "1;31",
    "warning": "1;33",
    "info": "1;36",
    "problem": "1;35",
    "place": "1",
    "good": "32",
    "gone": "31",
    "changed": "33",
    "quiet": "2",
}
LONGEST_VALUE: Final = 72
"""The number of characters of a value that are shown by default."""
CERTAINTY_PHRASES: Final[Mapping[Certainty, str]] = {
    Certainty.MUST: "always",
    Certainty.MAY: "possibly",
    Certainty.CANNOT: "never",
}
"""The words for the certainty of a finding in JSON."""
APPLIES_PHRASES: Final[Mapping[Certainty, str]] = {
    Certainty.MUST: "happens {cases}",
    Certainty.MAY: "may happen {cases}",
    Certainty.CANNOT: "not {cases}",
}
"""The words for the cases of a finding."""
CASE_PHRASES: Final[Mapping[LiveAssumption, str]] = {
    LiveAssumption.FRESH: "on a fresh install",
    LiveAssumption.UPGRADE: "on upgrade",
    LiveAssumption.DRIFTED: "if the live object drifted",
}
"""The words for the live state under which a finding applies."""
ORPHANED_WORDS: Final = "removed from the files, stays in the cluster"
"""The description of an orphaned object."""
_MOST_UNITS: Final = 3
_MOST_CHANGES: Final = 3
"""The number of units that are named behind a message."""
_COMMIT = regex("[0-9a-f]{7,40}")
_COLOR = regex("\x1b\\[[0-9;]*m")
_PLACE = regex(r"(?P<file>.+?)(?::(?P<line>[0-9]{1,9}):[0-9]+)?", re.DOTALL)
# Compiled on demand: that takes 6 ms, and most runs show only ASCII.
_WIDE = "[\u3000-\u30ff\u3400-\u9fff\uff01-\uff60]"
"""Characters that take two columns, and between which a Japanese line may be broken."""
_NO_START = "、。」）ーぁぃぅぇぉっゃゅょァィゥェォッャュョ"
_WIDE_BREAK = f"(?<={_WIDE})(?![{_NO_START}])"
_WIDE_SPACE = "(?<=[、。」）]) "


def paint(role: str, text: str, context: Context) -> str:
    """Return ``text`` in the color of its role, or unchanged if colors are off."""
    return f"\x1b[{_STYLES[role]}m{text}\x1b[0m" if context.color else text


def place(where: str, context: Context) -> str:
    """Return a location, ``file:line:column`` or a file, in its color, and as a link to the file."""
    return paint("place", file_link(where, context), context)


def file_link(where: str, context: Context) -> str:
    """Return ``file:line:column``, or a file, as a link for terminals with support for links."""
    found = _PLACE.fullmatch(where)
    url = context.url_of(found["file"], int(found["line"] or 0)) if found else ""
    return link(one_line(where), url)


def translate(phrase: str, context: Context, **values: object) -> str:
    """Return a phrase in the language of the page; placeholders are filled in only if values are given."""
    text = context.phrases.get(phrase, phrase)
    return text.format_map(values) if values else text


def noun_count(number: int, noun: str, context: Context) -> str:
    """Return a number with its noun in the language of the page."""
    return translate(f"{{number}} {noun}{'s' * (number != 1)}", context, number=number)


def count(number: int, noun: str, nouns: str = "") -> str:
    """Return ``1 error``, ``2 errors``; ``nouns`` is the plural unless it is the noun with an s."""
    return f"{number} {noun if number == 1 else nouns or noun + 's'}"


def show(value: Json | Unknown | Missing, *, whole: bool = False) -> str:
    """Return a value for a line of text: JSON, cut when it is long unless ``whole``."""
    if value is MISSING:
        return "(absent)"
    if isinstance(value, Unknown):
        return f"(unknown: {value.reason})"
    text = json.dumps(plain(value), ensure_ascii=False, sort_keys=True)
    return text if whole or len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 1] + "…"


def verdict_word(verdict: Verdict) -> str:
    """Return the word for a verdict: JSON's ``kept`` is ``orphaned``, since ``kept`` is also used for fields."""
    return "orphaned" if verdict is Verdict.KEPT else verdict.value


def message_in_units(finding: Finding) -> str:
    """Return the message of a finding, with the roots of its units unless its file shows them."""
    file = finding.location.file
    if not finding.units or set(finding.units) <= {file, dirname(file) or "."}:
        return finding.message
    more = len(finding.units) - _MOST_UNITS
    names = ", ".join(finding.units[:_MOST_UNITS]) + (f" and {more} more" if more > 0 else "")
    return f"{finding.message} (in {names})"


def path_in_files(location: Location, context: Context) -> Location:
    """Return a location without the revision before its path, for programs that look for the path in a change."""
    revision, _, path = location.file.partition(":")
    is_earlier = bool(path) and context.revision and (revision == context.revision or _COMMIT.fullmatch(revision))
    return replace(location, file=path) if is_earlier else location


def help_uri(rule: Rule) -> str:
    """Return the URL of the first page about a rule, empty if there is none."""
    return next((place for place in rule.see if place.startswith("https://")), "")


def applies_words(finding: Finding, context: Context) -> str:
    """Return when a finding applies: ``happens on upgrade; not on a fresh install``; empty if there is one case."""
    sentences = []
    for sure, sentence in APPLIES_PHRASES.items():
        cases = [_case_words(one, context) for one in finding.applies if one.sure is sure]
        if cases:
            sentences.append(translate(sentence, context, cases=translate(", ", context).join(cases)))
    return "; ".join(sentences)


def _case_words(applicability: Applicability, context: Context) -> str:
    """Return a case with its condition."""
    condition = f" ({applicability.condition})" if applicability.condition else ""
    return translate(CASE_PHRASES[applicability.case], context) + condition


def proof_words(proof: Proof, context: Context) -> str:
    """Return the result of the edits or commands of a finding, in words that include the live state."""
    verdict = proof.verdict.value
    if proof.was is not None:
        verdict = translate("{verdict} instead of {was}", context, verdict=verdict, was=proof.was.value)
    elif proof.verdict is Verdict.CONFIGURED and proof.is_settled:
        verdict = translate("configured once, then unchanged", context)
    named = ", ".join([*proof.changes[:_MOST_CHANGES], *(["…"] if proof.changes[_MOST_CHANGES:] else [])])
    kept = "" if proof.verdict is Verdict.CREATED else translate("nothing else changes", context)
    parts = [
        verdict,
        translate("its pods restart", context) if proof.restarts else "",
        translate("changes {fields}", context, fields=named) if named else kept,
        translate("the finding is gone", context),
    ]
    cases = ", ".join(translate(CASE_PHRASES[case], context) for case in proof.cases)
    only = translate(" (only {cases})", context, cases=cases) if cases else ""
    return translate("after this: {effect}", context, effect="; ".join(filter(None, parts))) + only


def wrap(text: str, context: Context, *, indent: str) -> str:
    """Return ``text`` in lines that fit the terminal, all except the first indented; unchanged if nothing wraps."""
    if context.width is None:
        return text
    width, lines = max(context.width, 40), [text[: len(text) - len(text.lstrip())]]
    for space, word in _pieces(text):
        line = f"{lines[-1]}{space}{word}" if lines[-1].strip() else lines[-1] + word
        if visible_columns(line) > width and lines[-1].strip():
            lines.append(indent + word)
        else:
            lines[-1] = line
    return "\n".join(lines)


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    """Yield the pieces at which a line may be broken, each with the space before it: words, Japanese characters."""
    for word in text.split():
        if word.isascii():
            yield " ", word
        else:
            first, *rest = re.split(_WIDE_BREAK, word)
            yield " ", first
            yield from (("", piece) for piece in rest)


def join_lines(text: str) -> str:
    """Return a paragraph as one line, without spaces between Japanese sentences and clauses."""
    line = " ".join(text.split())
    return line if line.isascii() else re.sub(_WIDE_SPACE, "", line)


def visible_columns(line: str) -> int:
    """Return how many columns of a terminal a line takes."""
    bare = _COLOR.sub("", without_links(line))
    return len(bare) if bare.isascii() else len(bare) + len(re.findall(_WIDE, bare))


def steps(text: str, context: Context, *, first: str, indent: str) -> Iterator[str]:
    """Yield the lines of a fix: commands stay on one line, comments and other words wrap."""
    for line in text.splitlines():
        comment = "# " if line.startswith("# ") else ""
        is_typed = line.startswith((" ", "kubectl ", "helm ", "… | ", "$ ", "http"))
        yield (first + line if is_typed else wrap(first + line, context, indent=indent + comment)).rstrip()
        first = indent


class _Blanks(dict[str, str]):
    def __missing__(self, name: str) -> str:
        return f"<{name}>"


def rule_words(template: str, **known: str) -> str:
    """Return the words of a rule for no object in particular: ``<name>`` for each value that is not ``known``."""
    return template.format_map(_Blanks(known))


def table_lines(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a table, as kubectl prints lists; the last column is not padded."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    for row in rows:
        yield "   ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[-1]])
