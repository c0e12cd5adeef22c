"""The lines about one object below its heading: why it is rejected, what changes, who loses what."""

from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.outcome import Outcome, Owner, OwnerChange, Verdict
from kubectl_applylint.core.paths import Path, render
from kubectl_applylint.core.safe_text import one_line
from kubectl_applylint.engine.errors import error_text
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.objects.change_lines import change_lines, parts_for
from kubectl_applylint.report.objects.changes import is_new
from kubectl_applylint.report.objects.unseen import hidden_changes_reason
from kubectl_applylint.report.words import noun_count, translate, wrap

_FEW: Final = 3
"""The number of lost fields that are named at once."""


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
    """Yield a line for every manager that loses fields, grouped by the managers that own them afterwards."""
    lost: dict[tuple[Owner, str], list[Path]] = {}
    for change in () if outcome.refused else outcome.owner_changes:
        for owner in change.lost:
            lost.setdefault((owner, _new_owner_words(change, context)), []).append(change.path)
    for (owner, fate), paths in lost.items():
        text = translate(
            "{owner} loses {fields}{fate}", context, owner=owner, fields=_path_list(paths, context), fate=fate
        )
        yield wrap(one_line(f"    {text}"), context, indent="        ")


def _new_owner_words(change: OwnerChange, context: Context) -> str:
    """Return who owns a field afterwards."""
    if change.gained:
        return translate(" to {owners}", context, owners=_owner_names(change.gained))
    if change.is_orphaned:
        return translate(" to no owner: no later apply will remove it", context)
    return translate(", still owned by {owners}", context, owners=_owner_names(change.after))


def _owner_names(owners: Sequence[Owner]) -> str:
    """Return the names of owners, separated by commas."""
    return ", ".join(map(str, owners))


def _path_list(paths: Sequence[Path], context: Context) -> str:
    """Return the first paths, separated by commas, and the number of the others."""
    shown = paths if context.verbose else paths[:_FEW]
    more = len(paths) - len(shown)
    rest = translate(" and {fields} more", context, fields=noun_count(more, "field", context)) if more else ""
    return ", ".join(map(render, shown)) + rest


def note(text: str, context: Context) -> str:
    """Return a line below an object's heading."""
    return wrap(f"    {one_line(text)}", context, indent="      ")
