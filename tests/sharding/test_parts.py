"""Parts of a run, put together in any order and any grouping."""

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_applylint.core.location import Location, Span
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.lint.model import Finding, Remark, Report, Severity, Skip, Suppressed
from kubectl_applylint.lint.unit_report import UnitReport
from kubectl_applylint.run.collect import UnitResult, join_reports
from kubectl_applylint.run.notes import Gaps
from kubectl_applylint.run.run_notes import RunNotes, UnitNote, join_notes
from kubectl_applylint.sharding.part_json import part_text, read_part
from kubectl_applylint.sharding.parts import (
    OtherRunError,
    Part,
    RunId,
    ShardResult,
    SourceLine,
    mask_results,
    merge_parts,
    quoted_lines,
    report_of,
)
from kubectl_applylint.sources.text.classify import SkipReason

REF = ObjectRef("v1", "Service", "shop", "web")
FINDING = Finding(
    "some-rule", Severity.ERROR, "high", REF, (), Location("a.yaml", Span(1, 1, 1, 2)), "wrong", "mend it"
)
RUN = RunId("1.0", "check", 1, "en", "abc", "content", "options", "rules", "units")
PASSWORD = "correct-horse-battery"
SECRET = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}, "stringData": {"key": PASSWORD}}

LOCATIONS = st.builds(
    Location, st.sampled_from(["a.yaml", "b.yaml"]), st.integers(1, 3).map(lambda line: Span(line, 1, line, 2))
)
FINDINGS = st.builds(
    replace,
    st.just(FINDING),
    location=LOCATIONS,
    rule=st.sampled_from(["one", "two"]),
    message=st.sampled_from(["wrong", "worse"]),
)
REPORTS = st.builds(
    Report,
    findings=st.lists(FINDINGS, max_size=4).map(tuple),
    skips=st.lists(st.builds(Skip, st.just(("some-rule",)), st.just(REF), st.text(max_size=3)), max_size=2).map(tuple),
    problems=st.lists(st.builds(Problem, st.just("a.yaml"), st.sampled_from("xy")), max_size=2).map(tuple),
    suppressed=st.lists(st.builds(Suppressed, FINDINGS, st.sampled_from("xy")), max_size=2).map(tuple),
    remarks=st.lists(st.builds(Remark, LOCATIONS, st.sampled_from("xy")), max_size=2).map(tuple),
    checked=st.integers(0, 9),
    known=st.integers(0, 9),
    fixed=st.integers(0, 9),
)


def result(number: int, report: Report) -> UnitResult:
    return UnitResult((f"{number:02}",), UnitReport(f"unit-{number // 2}", "folder", "kubectl"), report)


def notes_of(number: int) -> RunNotes:
    place = (f"{number:02}",)
    return RunNotes(
        compared=(UnitNote((), "compared with main"),),
        own=(UnitNote(place, f"odd or even: {number % 2}"),),
        gaps=Gaps((SkipReason.EMPTY,) * (number % 3)),
        aside=("test data",) * (number % 2),
    )


def shards(reports: Sequence[Report], count: int, choice: random.Random) -> list[Part]:
    """Return the parts of a run over units with these reports, which are shared out at random."""
    owners = [choice.randrange(count) for _ in reports]
    run = replace(RUN, shards=count)
    return [
        Part(
            run,
            {
                number + 1: ShardResult(
                    tuple(result(unit, reports[unit]) for unit in own),
                    join_notes([RunNotes(compared=notes_of(0).compared), *map(notes_of, own)]),
                )
            },
        )
        for number in range(count)
        for own in [[unit for unit, owner in enumerate(owners) if owner == number]]
    ]


def merged_in_a_tree(parts: Sequence[Part], choice: random.Random) -> Part:
    """Return all parts together, two at a time in a random order, some twice, through their texts."""
    rest = [*parts, choice.choice(parts)]
    while len(rest) > 1:
        choice.shuffle(rest)
        rest.append(read_part(part_text(merge_parts(rest.pop(), rest.pop())).encode(), RUN.version))
    return rest[0]


@given(st.lists(REPORTS, max_size=6), st.integers(1, 5), st.randoms(use_true_random=False))
def test_parts_together_are_the_run_in_any_division(reports: list[Report], count: int, choice: random.Random) -> None:
    notes = join_notes([RunNotes(compared=notes_of(0).compared), *map(notes_of, range(len(reports)))])
    whole = join_reports([result(unit, report) for unit, report in enumerate(reports)], notes.lines)

    assert report_of(merged_in_a_tree(shards(reports, count, choice), choice)) == whole


@given(st.lists(REPORTS, max_size=4), st.randoms(use_true_random=False))
def test_parts_are_joined_in_any_order_and_grouping(reports: list[Report], choice: random.Random) -> None:
    one, two, three = shards(reports, 3, choice)

    assert merge_parts(one, two) == merge_parts(two, one)
    assert merge_parts(merge_parts(one, two), three) == merge_parts(one, merge_parts(two, three))
    assert merge_parts(one, one) == one


def test_a_missing_part_is_a_problem() -> None:
    parts = shards([Report()] * 4, 3, random.Random(1))
    (problem,) = report_of(merge_parts(parts[0], parts[2])).problems

    assert problem.where == "part 2 of 3"
    assert problem.message == "it is missing, so its units were not checked"
    assert problem.advice == "applylint check --shard 2/3 -o part=FILE writes it"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"version": "2.0"}, "are of different versions"),
        ({"command": "plan"}, "are of different commands"),
        ({"shards": 2}, "different number of parts"),
        ({"language": "ja"}, "different languages"),
        ({"commit": "def"}, "different commits"),
        ({"options": "x"}, "different flags"),
        ({"rules": "x"}, "different rules"),
        ({"units": "x"}, "different states of the repository"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_parts_of_different_runs_do_not_go_together(change: dict[str, str], words: str) -> None:
    one, other = Part(RUN, {1: ShardResult()}), Part(replace(RUN, **change), {1: ShardResult()})  # type: ignore[arg-type]  # fields

    with pytest.raises(OtherRunError, match=words):
        merge_parts(one, other)


def test_a_shard_with_two_different_results_is_reported() -> None:
    one, other = (Part(RUN, {1: ShardResult((result(1, Report(checked=number)),))}) for number in (1, 2))

    with pytest.raises(OtherRunError, match="both hold part 1 of 1"):
        reduce(merge_parts, (one, other))


def test_results_without_a_unit_count_once() -> None:
    alone = ShardResult((UnitResult((), None, Report(checked=3)),))

    assert report_of(Part(replace(RUN, shards=2), {1: alone, 2: alone})).checked == 3


def test_a_line_that_one_part_masks_stays_masked() -> None:
    first = ShardResult(lines=(SourceLine("a.yaml", 1, "key: secret"), SourceLine("a.yaml", 3, "last")))
    second = ShardResult(lines=(SourceLine("a.yaml", 1, "key: ***"),))
    both = [Part(RUN, dict(enumerate(order, start=1))) for order in ((first, second), (second, first))]

    assert [quoted_lines(part) for part in both] == [{"a.yaml": ("key: ***", "", "last")}] * 2


def test_secrets_are_masked_in_results_and_notes() -> None:
    finding = replace(FINDING, message=f"not {PASSWORD}")
    report = Report(findings=(finding,), problems=(Problem("a", f"{PASSWORD} again"),), checked=1)
    results, notes = mask_results(
        [result(0, Report(checked=2)), result(2, report)], RunNotes(own=(UnitNote(("00",), PASSWORD),)), [SECRET]
    )

    assert PASSWORD not in part_text(Part(RUN, {1: ShardResult(results, notes)}))
    assert [one.report.checked for one in results] == [2, 1]
    assert [len(one.report.findings) for one in results] == [0, 1]
    assert results[1].report.findings[0].units == ("unit-1",)
