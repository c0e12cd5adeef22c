"""How much a plan can be trusted: doubts that all or several objects share are reported once."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_applylint.core.outcome import Confidence, Level, Outcome, Verdict
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.safe_text import one_line
from kubectl_applylint.core.state import NO_CLUSTER
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.words import noun_count, translate, wrap

_MOST: Final = 3
"""The number of reasons that are shown at once."""


@dataclass(frozen=True, slots=True)
class Doubts:
    """The doubts about all objects, and those about several, with their numbers."""

    common: Confidence
    shared: tuple[tuple[Confidence, int], ...]


def doubts_of(outcomes: Sequence[Outcome]) -> Doubts:
    """Return the doubts that several of the outcomes share."""
    common = _common_doubts(outcomes)
    numbers = Counter(
        _own_doubts(outcome.confidence, common) for outcome in outcomes if outcome.verdict is not Verdict.KEPT
    )
    unknown = {_own_doubts(outcome.confidence, common) for outcome in outcomes if outcome.verdict is Verdict.UNKNOWN}
    shared = {
        doubt: number for doubt, number in numbers.items() if number > 1 or (len(unknown) > 1 and doubt in unknown)
    }
    return Doubts(common, tuple((doubt, number) for doubt, number in shared.items() if doubt.level is not Level.HIGH))


def doubt_lines(doubts: Doubts, context: Context) -> Iterator[str]:
    """Yield the lines about shared doubts: a sentence about the run, then those about several objects."""
    if doubts.common.level is not Level.HIGH:
        level = translate("confidence: {level}", context, level=translate(doubts.common.level.value, context))
        sentences = "".join(f". {reason[:1].upper()}{reason[1:]}" for reason in doubts.common.reasons)
        yield wrap(one_line(f"{level}{sentences}"), context, indent="  ")
    for level in Level:
        same = [(doubt, number) for doubt, number in doubts.shared if doubt.level is level]
        if same:
            number = noun_count(sum(number for _, number in same), "object", context)
            reasons = dict.fromkeys(reason for doubt, _ in same for reason in doubt.reasons)
            objects = translate("{objects}: ", context, objects=number)
            yield from _confidence_line(
                Confidence(level, _first_reasons(tuple(reasons), context)), context, before=objects
            )


def _first_reasons(reasons: tuple[str, ...], context: Context) -> tuple[str, ...]:
    """Return the first reasons and the number of the others; with ``-v`` all."""
    more = len(reasons) - _MOST
    if context.verbose or more < 2:
        return reasons
    return (
        *reasons[:_MOST],
        translate("{changes} (-v to list)", context, changes=noun_count(more, "more reason", context)),
    )


def own_lines(outcome: Outcome, doubts: Doubts, context: Context) -> Iterator[str]:
    """Yield the line about doubts of one object only."""
    own = _own_doubts(outcome.confidence, doubts.common)
    if all(own != doubt for doubt, _ in doubts.shared):
        yield from _confidence_line(own, context, before="    ")


def _common_doubts(outcomes: Sequence[Outcome]) -> Confidence:
    """Return the doubts that all outcomes share, and that about the state of the run, with the level of the best.

    Without any it is the highest confidence, which needs no words.
    """
    every = [outcome.confidence for outcome in outcomes if outcome.verdict is not Verdict.KEPT]
    reasons = dict.fromkeys(reason for one in every for reason in one.reasons)
    shared = [reason for reason in reasons if _is_about_run(reason) or all(reason in one.reasons for one in every)]
    if not shared:
        return every[0] if len(set(every)) == 1 else Confidence()
    best = min((one.level for one in every if set(shared) & set(one.reasons)), key=list(Level).index)
    return Confidence(best, tuple(sorted(shared, key=lambda reason: not _is_about_run(reason))))


def _is_about_run(reason: str) -> bool:
    """Return whether a reason is about the state that the whole run is compared with."""
    return reason.startswith(NO_CLUSTER)


def _confidence_line(confidence: Confidence, context: Context, before: str = "") -> Iterator[str]:
    """Yield the line about a confidence that is not high."""
    if confidence.level is not Level.HIGH:
        reasons = "; ".join(confidence.reasons)
        text = translate("confidence: {level}", context, level=translate(confidence.level.value, context))
        yield wrap(
            one_line(f"{before}{text}{reasons and f' ({reasons})'}"),
            context,
            indent="      " if before.isspace() else "  ",
        )


def _own_doubts(confidence: Confidence, common: Confidence) -> Confidence:
    """Return the doubts of one object besides those that all share."""
    own = tuple(reason for reason in confidence.reasons if reason not in common.reasons)
    return replace(confidence, reasons=own) if own or confidence.level is not common.level else Confidence()
