"""What a change does, as a table for reviewers: for the summary of a CI job and for a comment on a pull request.

A comment takes 65,536 characters, a summary of GitHub 1 MiB: what does not fit is counted.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.location import Location
from kubectl_applylint.core.outcome import Change, Outcome, Verdict, Why
from kubectl_applylint.core.paths import render
from kubectl_applylint.core.safe_text import visible_lines
from kubectl_applylint.core.values import MISSING
from kubectl_applylint.lint.model import Finding, Report
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.order import impact, impacts
from kubectl_applylint.report.plan import last_applies, object_name
from kubectl_applylint.report.text import findings_summary, trouble
from kubectl_applylint.report.words import ORPHANED_WORDS, applies_words, count, message_in_units, show, verdict_word

LIMIT: Final = 60_000
"""Characters of a whole report; what a renderer of Markdown makes of it has to fit into a comment, too."""
_MOST_CHANGES: Final = 4
_MOST_NOTES: Final = 20
_QUIET: Final = (Why.ANNOTATED, Why.KEPT)
_MARKUP: Final = re.compile(
    r"[\\`*_{}\[\]<>|#@&~$]|:(?=//)|(?<=www)\.|(?<=\bGH)-(?=\d)|!(?=\d)"
    r"|^[-+](?=[-\s]|$)|^=(?=[=\s]|$)|^\d(?=\d*[.)](?:\s|$))",
    re.IGNORECASE,
)
"""What would be markup, a link, the beginning of a list or the end of a cell."""
_NAMING: Final = re.compile(r"@(?=\w)|[#!](?=\d)|(?<=\bGH)-(?=\d)", re.IGNORECASE)
"""What names a person or an issue. Pages look for it in the finished text, where a reference has become a character."""
_NO_SPACE: Final = "&#8203;"
"""A space without width, which parts the sign from the name."""


def plan_markdown(report: Report, context: Context) -> str:
    """Return a row for every object that does not stay as it is, the gravest first, and the number of the others."""
    applies = sorted(last_applies(report.outcomes), key=lambda item: _gravity(item[1]))
    busy = [(document, outcome) for document, outcome in applies if outcome.verdict is not Verdict.UNCHANGED]
    rows = [_object_row(document, outcome) for document, outcome in busy]
    head = ["### Changes of this apply", "", _plan_words(applies), ""]
    table = ["| object | what happens | where |", "|---|---|---|"]
    return _page([*head, *(table if rows else [])], rows, [*_doubts(applies), *_notes(report, context)])


def findings_markdown(report: Report, context: Context) -> str:
    """Return a row for every finding, the heaviest first."""
    findings = sorted(report.findings, key=lambda finding: finding.severity.rank)
    rows = [_finding_row(finding) for finding in findings]
    head = ["### Hazards of this apply", "", _text(findings_summary(report, Context())), ""]
    table = ["| | what happens | where |", "|---|---|---|"]
    return _page([*head, *(table if rows else [])], rows, _notes(report, context))


def _page(head: Sequence[str], rows: Sequence[str], tail: Sequence[str]) -> str:
    """Return the lines, as many rows as fit among them."""
    room = LIMIT - sum(len(line) + 1 for line in (*head, *tail))
    shown: list[str] = []
    for row in rows:
        room -= len(row) + 1
        if room < 0:
            break
        shown.append(row)
    left = len(rows) - len(shown)
    more = ["", f"and {count(left, 'more row')} (truncated)"] if left else []
    return "\n".join([*head, *shown, *more, *(["", *tail] if tail else [])]).rstrip() + "\n"


def _gravity(outcome: Outcome) -> tuple[int, str, str, str]:
    ref = outcome.ref
    return (impact(outcome).rank, ref.namespace, str(ref), ref.api_version)


def _plan_words(applies: Sequence[tuple[Document, Outcome]]) -> str:
    return ", ".join(f"{number} {one.value}" for one, number in impacts(o for _, o in applies)) or "no objects"


def _object_row(document: Document, outcome: Outcome) -> str:
    words = [f"**{verdict_word(outcome.verdict)}**", *_consequences(outcome)]
    return f"| {_code(object_name(outcome))} | {'<br>'.join(words)} | {_place(document.locate(()))} |"


def _consequences(outcome: Outcome) -> Iterator[str]:
    if outcome.verdict is Verdict.KEPT:
        yield ORPHANED_WORDS
    if outcome.restarts and not outcome.refused:
        yield "its pods restart"
    if outcome.renamed_from:
        yield f"was {_code(str(outcome.renamed_from))}"
    for cause in () if outcome.conflicts else outcome.causes:
        yield f"{_code(cause.field)}: {_text(cause.message)}" if cause.field else _text(cause.message)
    for conflict in outcome.conflicts:
        yield f"{_text(conflict.message)}: {_code(render(conflict.path))}"
    if outcome.remedy:
        yield f"remedy: {_text(outcome.remedy)}"
    if outcome.verdict is not Verdict.CREATED and not outcome.refused:
        yield from _changes(outcome)


def _changes(outcome: Outcome) -> Iterator[str]:
    changes = [change for change in outcome.changes if change.cause.why not in _QUIET]
    yield from map(_change, changes[:_MOST_CHANGES])
    if len(changes) > _MOST_CHANGES:
        yield f"and {count(len(changes) - _MOST_CHANGES, 'more field')}"


def _change(change: Change) -> str:
    path = _code(render(change.path))
    before, after = (None if side is MISSING else _code(show(side)) for side in (change.before, change.after))
    if before is None:
        return f"{path}: set to {after}"
    return f"{path}: removed, was {before}" if after is None else f"{path}: {before} → {after}"


def _finding_row(finding: Finding) -> str:
    fix = "<br>".join(_text(line) for line in finding.fix.splitlines())
    details = f"<details><summary>fix</summary>{fix}</details>" if fix else ""
    applies = applies_words(finding, Context())
    when = f"<br>{_text(applies)}" if applies else ""
    words = f"{_text(message_in_units(finding))} ({_code(finding.rule)}){when}{details}"
    return f"| **{finding.severity.value}** | {words} | {_place(finding.location)} |"


def _place(location: Location) -> str:
    return _code(f"{location.file}:{location.span.line}" if location.is_text else location.file)


def _doubts(applies: Sequence[tuple[Document, Outcome]]) -> list[str]:
    """Return what all that is told rests on, once each, the commonest first."""
    reasons = Counter(reason for _, outcome in applies for reason in outcome.confidence.reasons)
    return [f"- {_text(reason)}" for reason, _ in reasons.most_common(_MOST_CHANGES)]


def _notes(report: Report, context: Context) -> list[str]:
    lines = [*report.notes, *trouble(report, Context(verbose=context.verbose))]
    shown = [f"- {_text(line)}" for line in lines[:_MOST_NOTES]]
    left = len(lines) - len(shown)
    return [*shown, f"- and {count(left, 'more line')}"] if left else shown


def _text(text: str) -> str:
    """Return ``text`` so that nothing in it is markup, a link, or names a person or an issue, on one line."""
    line = " ".join(visible_lines(text).split())
    return _MARKUP.sub(lambda match: _reference(match, line), line)


def _reference(match: re.Match[str], line: str) -> str:
    return f"&#{ord(match[0])};{_NO_SPACE if _NAMING.match(line, match.start()) else ''}"


def _code(text: str) -> str:
    return f"<code>{_text(text)}</code>"
