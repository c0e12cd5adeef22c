"""What a revert does not undo, and what a second apply still changes, as text."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.outcome import Outcome, Verdict
from kubectl_applylint.lint.model import Report
from kubectl_applylint.report.context import EVERY_COMMIT, Context
from kubectl_applylint.report.objects.object_details import details
from kubectl_applylint.report.plan import object_name
from kubectl_applylint.report.text import incomplete_words, problem_lines
from kubectl_applylint.report.words import count, paint, place, wrap


def round_trip(report: Report, context: Context) -> str:
    """Return a block for every object that differs, then problems and a summary line."""
    blocks = ["\n".join(_object(document, outcome, context)) for document, outcome in report.outcomes]
    tail = [*problem_lines(report, context), _summary(report, context)]
    return "\n\n".join([*blocks, "\n".join(tail)]) + "\n"


def _object(document: Document, outcome: Outcome, context: Context) -> Iterator[str]:
    where = place(str(document.locate(())), context)
    words = _WORDS[context.command](outcome)
    yield wrap(f"{where}: {object_name(outcome)}: {paint('changed', words, context)}", context, indent="    ")
    yield from details(document, outcome, context)


def _revert_words(outcome: Outcome) -> str:
    if outcome.refused:
        return "the revert is rejected"
    if outcome.verdict is Verdict.KEPT:
        return "orphaned: the revert removes its manifest"
    return "not restored"


def _again_words(outcome: Outcome) -> str:
    if outcome.refused:
        return "the second apply is rejected"
    if any(change.before != change.after for change in outcome.changes):
        return "the second apply changes it again"
    return 'the second apply reports "configured" without a change'


def _way_words(outcome: Outcome) -> str:
    if outcome.refused:
        return "the last commit is rejected after the others, but not alone"
    if outcome.verdict is Verdict.KEPT and not outcome.changes:
        return "orphaned: created by an intermediate commit"
    return "depends on intermediate commits: applying only the last one gives a different result"


_WORDS: Final[Mapping[str, Callable[[Outcome], str]]] = {
    "revert": _revert_words,
    "again": _again_words,
    EVERY_COMMIT: _way_words,
}


def _summary(report: Report, context: Context) -> str:
    found = len({outcome.ref for _, outcome in report.outcomes})
    every = count(report.checked, "object")
    verb = "is" if found == 1 else "are"
    if context.command == EVERY_COMMIT:
        words = (
            f"{found} of {every} depend on intermediate commits"
            if found
            else f"intermediate commits make no difference to {every}"
        )
    elif context.command == "revert":
        words = f"{found} of {every} {verb} not restored" if found else f"a revert restores {every}"
    else:
        words = f"{found} of {every} {verb} not stable" if found else f"a second apply changes nothing in {every}"
    return words + incomplete_words(report, context)
