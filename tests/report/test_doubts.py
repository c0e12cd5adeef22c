from dataclasses import replace

from kubectl_applylint.core.outcome import Confidence, Level, Outcome, Verdict
from kubectl_applylint.core.state import NO_CLUSTER
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.doubts import doubt_lines, doubts_of, own_lines
from tests.report.samples import WEB

CONTEXT = Context(command="plan")
OLD, KIND = "the snapshot is old", "no schema for Thing"


def doubtful(level: Level, *reasons: str) -> Outcome:
    return Outcome(WEB, Verdict.CONFIGURED, confidence=Confidence(level, reasons))


def test_doubts_about_all_objects_are_reported_once() -> None:
    outcomes = [doubtful(Level.MEDIUM, OLD), doubtful(Level.LOW, OLD, KIND)]
    doubts = doubts_of(outcomes)

    assert list(doubt_lines(doubts, CONTEXT)) == ["confidence: medium. The snapshot is old"]
    assert [list(own_lines(outcome, doubts, CONTEXT)) for outcome in outcomes] == [
        [],
        [f"    confidence: low ({KIND})"],
    ]


def test_doubts_about_several_objects_are_reported_once_with_their_number() -> None:
    outcomes = [doubtful(Level.MEDIUM, OLD), *[doubtful(Level.LOW, OLD, KIND)] * 2]
    doubts = doubts_of(outcomes)

    assert list(doubt_lines(doubts, CONTEXT))[1:] == [f"2 objects: confidence: low ({KIND})"]
    assert list(own_lines(outcomes[1], doubts, CONTEXT)) == []


def test_no_doubts_are_reported_where_nothing_is_doubted() -> None:
    kept = replace(doubtful(Level.LOW, OLD), verdict=Verdict.KEPT)
    sure = Outcome(WEB, Verdict.CREATED)

    assert list(doubt_lines(doubts_of([]), CONTEXT)) == []
    assert list(doubt_lines(doubts_of([sure, sure, kept]), CONTEXT)) == []


def test_several_unknown_kinds_are_one_line() -> None:
    outcomes = [
        replace(doubtful(Level.LOW, OLD, f"no schema for Kind{number}"), verdict=Verdict.UNKNOWN) for number in range(6)
    ]
    doubts = doubts_of(outcomes)

    assert list(doubt_lines(doubts, CONTEXT))[1:] == [
        "6 objects: confidence: low (no schema for Kind0; no schema for Kind1; no schema for Kind2;"
        " 3 more reasons (-v to list))"
    ]
    assert "no schema for Kind5" in list(doubt_lines(doubts, replace(CONTEXT, verbose=True)))[1]
    assert list(own_lines(outcomes[0], doubts, CONTEXT)) == []


def test_the_state_of_the_run_is_reported_once_even_if_some_objects_do_not_depend_on_it() -> None:
    unseen = f"{NO_CLUSTER}; HEAD~1 is assumed to be applied"
    outcomes = [doubtful(Level.MEDIUM, unseen), doubtful(Level.MEDIUM, KIND), Outcome(WEB, Verdict.CREATED)]
    doubts = doubts_of(outcomes)

    assert [*doubt_lines(doubts, CONTEXT)] == [
        "confidence: medium. No cluster was read; HEAD~1 is assumed to be applied"
    ]
    assert [[*own_lines(outcome, doubts, CONTEXT)] for outcome in outcomes] == [
        [],
        [f"    confidence: medium ({KIND})"],
        [],
    ]
