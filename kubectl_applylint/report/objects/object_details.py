"""The lines about one object below its heading: why it is rejected, what changes, who loses what."""

from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.outcome import Outcome, Owner, Verdict
from kubectl_applylint.core.paths import Path, render
from kubectl_applylint.core.safe_text import one_line
from kubectl_applylint.engine.errors import error_text
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.objects.change_lines import change_lines, parts_for
from kubectl_applylint.report.objects.changes import is_new
from kubectl_applylint.report.objects.unseen import hidden_changes_reason
from kubectl_applylint.report.words import translate, wrap

_FEW: Final = 3
"""The number of lost fields that are named at once."""
_TAKEN: Final = "owner of {fields}: {owner} → {owners}"
_SHARED: Final = "{owner} loses {fields}, still owned by {owners}"
_ORPHANED: Final = "{fields} has no owner afterwards: no later apply removes it"
_ALL_ORPHANED: Final = "{fields} have no owner afterwards: no later apply removes them"
LOSSES: Final = (_TAKEN, _SHARED, _ORPHANED, _ALL_ORPHANED)
"""The phrases about lost fields."""


def details(document: Document, outcome: Outcome, context: Context, most: int | None = None) -> Iterator[str]:
    """Yield the lines about an object below its heading; a changed value takes ``most`` lines."""
    yield from rejection_lines(outcome, context)
    changes = [*change_lines(document, outcome, context, parts_for(1) if most is None else most)]
    yield from changes
    yield from other_lines(outcome, context, has_changes=bool(changes))


def rejection_lines(outcome: Outcome, context: Context) -> Iterator[str]:
    """Yield why an object is rejected, and the remedy."""
    yield from reason_lines(outcome, context)
    if outcome.remedy:
        yield note(translate("remedy: {remedy}", context, remedy=outcome.remedy), context)


def reason_lines(outcome: Outcome, context: Context) -> Iterator[str]:
    """Yield why an object is rejected."""
    for cause in () if outcome.conflicts else outcome.errors:
        yield note(translate("reason: {why}", context, why=error_text(cause, whole=context.verbose)), context)
    for conflict in outcome.conflicts:
        yield note(f"{conflict.message}: {render(conflict.path)}", context)


def other_lines(outcome: Outcome, context: Context, *, has_changes: bool) -> Iterator[str]:
    """Yield who loses what, why an object without visible changes is written, and the server's warnings."""
    losses = [*_losses(outcome, context)]
    yield from losses
    is_told = has_changes or bool(losses)
    if not is_told and not is_new(outcome) and outcome.verdict in (Verdict.CONFIGURED, Verdict.SERVERSIDE_APPLIED):
        yield note(hidden_changes_reason(outcome, context), context)
    for warning in outcome.warnings:
        yield note(translate("warning: {words}", context, words=warning), context)


def _losses(outcome: Outcome, context: Context) -> Iterator[str]:
    """Yield a line for the fields of each manager that loses some, by the managers that own them afterwards."""
    lost: dict[tuple[Owner, tuple[Owner, ...], bool], list[Path]] = {}
    for change in () if outcome.refused else outcome.owner_changes:
        for owner in change.lost:
            lost.setdefault((owner, change.gained or change.after, bool(change.gained)), []).append(change.path)
    for (owner, owners, is_taken), paths in lost.items():
        phrase = _TAKEN if is_taken else _SHARED if owners else _ORPHANED if len(paths) == 1 else _ALL_ORPHANED
        words = {"owner": str(owner), "owners": ", ".join(map(str, owners)), "fields": _path_list(paths, context)}
        yield wrap(one_line(f"    {translate(phrase, context, **words)}"), context, indent="        ")


def _path_list(paths: Sequence[Path], context: Context) -> str:
    """Return the first paths, separated by commas, and the number of the others."""
    shown = paths if context.verbose else paths[:_FEW]
    more = len(paths) - len(shown)
    rest = translate(" and {number} more", context, number=more) if more else ""
    return ", ".join(map(render, shown)) + rest


def note(text: str, context: Context) -> str:
    """Return a line below an object's heading."""
    return wrap(f"    {one_line(text)}", context, indent="      ")
