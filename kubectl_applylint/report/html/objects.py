"""The objects of a plan for the page: the same lines as the text, with both sides of each change and the owners."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.outcome import Change, Outcome, Verdict
from kubectl_applylint.core.paths import render
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.values import MISSING
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.html.margins import Owners, owned_lines, owners_at, owners_of, positional_path
from kubectl_applylint.report.html.sides import side_rows
from kubectl_applylint.report.html.values import ChangeView, ObjectView, OwnedLines
from kubectl_applylint.report.objects.change_lines import cause_words
from kubectl_applylint.report.objects.changes import visible_changes
from kubectl_applylint.report.objects.hazard_lines import hazard_lines
from kubectl_applylint.report.objects.object_details import other_lines, reason_lines
from kubectl_applylint.report.objects.sections import PlannedObject
from kubectl_applylint.report.order import Impact, impact
from kubectl_applylint.report.plan import extras
from kubectl_applylint.report.words import ORPHANED_WORDS, count, verdict_word

ROLES: Final = {
    Impact.REJECTED: "error",
    Impact.CONFLICT: "error",
    Impact.MAY_BE_REJECTED: "warning",
    Impact.PRUNED: "gone",
    Impact.RECREATED: "gone",
    Impact.TAKEN: "warning",
    Impact.RESTARTED: "warning",
    Impact.UNKNOWN: "problem",
    Impact.CONFIGURED: "changed",
    Impact.SERVERSIDE_APPLIED: "changed",
    Impact.CREATED: "good",
    Impact.MAY_BE_REMOVED: "gone",
    Impact.ORPHANED: "quiet",
    Impact.UNCHANGED: "quiet",
}
"""The color role of each impact."""
MOST_LINES: Final = 20_000
"""The maximum number of lines of whole objects on a page: a browser cannot show ten thousand objects at once."""
MOST_LINES_OF_ONE: Final = 1_000
"""The maximum number of lines of one whole object."""
_MOST_CHANGES: Final = 200
"""The maximum number of changes of one object."""


def key_of(words: str) -> str:
    """Return words as a part of a name in HTML."""
    return words.replace(" ", "-")


def object_views(entries: Iterable[tuple[PlannedObject, int]], context: Context) -> tuple[list[ObjectView], bool]:
    """Return objects, each with its number of units, and whether some are not shown in full."""
    views: list[ObjectView] = []
    room = MOST_LINES
    for entry, weight in entries:
        views.append(object_view(entry, weight, context, is_whole=room > 0))
        room -= sum(len(run.lines) for run in views[-1].owned)
    return views, room <= 0


def object_view(entry: PlannedObject, weight: int, context: Context, *, is_whole: bool = True) -> ObjectView:
    """Return one object that occurs in ``weight`` units; ``is_whole`` adds all its lines after the apply."""
    outcome = entry.outcome
    changed = visible_changes(outcome, verbose=context.verbose)
    is_shown = is_whole and outcome.after is not None and impact(outcome) is not Impact.UNCHANGED
    owners = owners_of(outcome.after) if outcome.after is not None and (changed or is_shown) else {}
    changes = _changes(entry.document, changed, outcome, owners, context)
    hazards = hazard_lines(entry.hazards, context, is_shared=len(entry.places) > 1)
    effects = (*hazards, *other_lines(outcome, context, has_changes=bool(changes)), *entry.beside)
    return ObjectView(
        key=key_of(impact(outcome).value),
        role=ROLES[impact(outcome)],
        verdict=impact(outcome).value,
        name=str(outcome.ref),
        extras=(*_namespaces(entry), *_extras(entry, context)),
        places=entry.places,
        weight=weight,
        reasons=_stripped_lines(reason_lines(outcome, context)),
        remedy=outcome.remedy,
        changes=changes,
        would_change=outcome.refused,
        effects=_stripped_lines(effects),
        owned=_fitting(owned_lines(outcome.after, owners)) if is_shown and outcome.after is not None else (),
    )


def _fitting(runs: Sequence[OwnedLines]) -> tuple[OwnedLines, ...]:
    """Return the first lines of an object, and the number of the others."""
    ends = list(accumulate(len(run.lines) for run in runs))
    shown = sum(end <= MOST_LINES_OF_ONE for end in ends)
    if shown == len(runs):
        return tuple(runs)
    room = MOST_LINES_OF_ONE - (ends[shown - 1] if shown else 0)
    more = OwnedLines((), (count(ends[-1] - MOST_LINES_OF_ONE, "more line"),))
    begun = [replace(runs[shown], lines=runs[shown].lines[:room])] if room else []
    return (*runs[:shown], *begun, more)


def _stripped_lines(lines: Iterator[str] | Sequence[str]) -> tuple[str, ...]:
    """Return lines without surrounding blanks."""
    return tuple(line.strip() for line in lines)


def _namespaces(entry: PlannedObject) -> Iterator[str]:
    if entry.namespace_names:
        yield f"in {entry.namespace_names}"


def _extras(entry: PlannedObject, context: Context) -> Iterator[str]:
    """Yield what the line of an object contains besides its name and impact."""
    outcome = entry.outcome
    if outcome.verdict is Verdict.KEPT:
        yield ORPHANED_WORDS
    elif verdict_word(outcome.verdict) != impact(outcome).value:
        yield verdict_word(outcome.verdict)
    if outcome.status:
        yield f"HTTP {outcome.status}"
    yield from extras(outcome, context)
    if entry.created:
        yield entry.created


def _changes(
    document: Document, changes: Sequence[Change], outcome: Outcome, owners: Owners, context: Context
) -> tuple[ChangeView, ...]:
    shown = tuple(_change(document, change, outcome, owners, context) for change in changes[:_MOST_CHANGES])
    more = len(changes) - _MOST_CHANGES
    return (*shown, ChangeView(count(more, "more change"), "", (), ())) if more > 0 else shown


def _change(document: Document, change: Change, outcome: Outcome, owners: Owners, context: Context) -> ChangeView:
    rows, more = side_rows(change, whole=context.verbose)
    names = (
        () if change.after is MISSING or not owners else owners_at(owners, positional_path(outcome.after, change.path))
    )
    return ChangeView(render(change.path), cause_words(document, change, context), names, rows, more)
