"""Combines consecutive outcomes of one object."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from operator import attrgetter
from typing import Any, Final, TypeVar

from kubectl_applylint.core.deferred import Deferred
from kubectl_applylint.core.outcome import Change, Confidence, Level, Outcome, OwnerChange, Verdict
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.values import MISSING, JsonObject, equal

_C = TypeVar("_C", Change, OwnerChange)
_WORST_FIRST: Final = (Level.LOW, Level.MEDIUM, Level.HIGH)


def join_outcomes(outcomes: Sequence[Outcome], before: JsonObject | None) -> Outcome:
    """Return the outcomes of consecutive applies as one; ``before`` is the object before the first.

    ``outcomes`` is not empty. The result is rejected if the last apply is. The cause of a field is that of its last
    change.
    """
    sent = [outcome for outcome in outcomes if outcome.requests or outcome.refused] or [outcomes[-1]]
    found = (before, *(outcome.result for outcome in sent))
    # A write that is rejected is tried again and again: only the last time counts.
    kept = [one for one, live in zip(sent[:-1], found, strict=False) if not (one.refused and equal(one.result, live))]
    last = sent[-1]
    if not kept:
        return last
    every = (*kept, last)
    return replace(
        last,
        verdict=last.verdict if last.refused else _verdict(every),
        requests=tuple(write for outcome in every for write in outcome.requests),
        changes=Deferred(partial(_changes, every)),
        owner_changes=tuple(_changes_between(every, attrgetter("owner_changes"))),
        warnings=tuple(dict.fromkeys(text for outcome in every for text in outcome.warnings)),
        restarts=_restarts(every),
        confidence=_confidence(outcome.confidence for outcome in every),
        validated=all(outcome.validated for outcome in every),
    )


def _verdict(outcomes: Sequence[Outcome]) -> Verdict:
    verdicts = [outcome.verdict for outcome in outcomes]
    return Verdict.CREATED if verdicts[0] is Verdict.CREATED else Verdict.CONFIGURED


def _changes(outcomes: Sequence[Outcome]) -> tuple[Change, ...]:
    return tuple(_changes_between(outcomes, attrgetter("changes")))


def _changes_between(outcomes: Sequence[Outcome], part: Callable[[Outcome], Iterable[_C]]) -> Iterator[_C]:
    """Yield the changes from before the first to after the last outcome, by path."""
    first: dict[object, _C] = {}
    last: dict[object, _C] = {}
    for change in (each for outcome in outcomes for each in part(outcome)):
        first.setdefault(change.path, change)
        last[change.path] = change
    for path, change in last.items():
        if not _is_alike(first[path].before, change.after):
            yield replace(change, before=first[path].before)


def _is_alike(before: Any, after: Any) -> bool:  # JSON (possibly unknown or missing) or the owners of a field
    return bool(equal(before, after) if MISSING not in (before, after) else before is after)


def _restarts(outcomes: Sequence[Outcome]) -> bool | None:
    known = [outcome.restarts for outcome in outcomes if outcome.restarts is not None]
    return any(known) if known else None


def _confidence(every: Iterable[Confidence]) -> Confidence:
    found = list(every)
    level = min((each.level for each in found), key=_WORST_FIRST.index)
    reasons = tuple(dict.fromkeys(reason for each in found for reason in each.reasons))
    return Confidence(level, reasons, tuple(dict.fromkeys(one for each in found for one in each.open)))
