"""Plans of targets that several machines have made, joined."""

from typing import Any

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.lint.model import Report
from kubectl_applylint.lint.unit_report import UnitReport
from kubectl_applylint.report.order import Impact
from kubectl_applylint.run.collect import UnitResult
from kubectl_applylint.run.run_notes import RunNotes, UnitNote
from kubectl_applylint.sharding.target_shares import (
    TargetShare,
    TargetUnit,
    differing_snapshot,
    target_reports,
    target_unit,
)
from tests.report.targets.test_targets import UNCHANGED, immutable_outcome
from tests.report.test_comparison import CONFIGURED, report

SHOP = UnitReport("shop", "folder", "kubectl")
PROBLEM = Problem("eu.json", "no such file")


def unit(root: str, *outcomes: object) -> TargetUnit:
    plan = report(*outcomes)  # type: ignore[arg-type]  # all of them outcomes
    return target_unit(UnitResult((root,), replace(SHOP, root=root), plan))


A, B = unit("a", CONFIGURED), unit("b", immutable_outcome("x"))


def share(number: int, *units: TargetUnit, **more: Any) -> TargetShare:
    return TargetShare(number, f"target-{number}", ("env=prod",), units=units, **more)


def test_shares_of_a_target_are_one_report_in_the_order_of_its_units() -> None:
    notes = RunNotes(assumed=(UnitNote((), "compared with eu.json"),))
    first, second = target_reports([share(1, B, said=notes), share(0, A), share(1, A, said=notes)])

    assert (first.name, second.name, second.labels) == ("target-0", "target-1", ("env=prod",))
    assert [one.unit for one in second.effects] == ["a", "b"]
    assert (first.refused, second.refused, second.notes) == (0, 1, ("compared with eu.json",))


def test_reports_do_not_depend_on_order_and_grouping() -> None:
    shares = [share(1, B), share(0, A), share(1, A), share(0)]

    assert target_reports(shares) == target_reports(shares[::-1]) == target_reports([share(0, A), share(1, A, B)])


def test_unreadable_objects_are_reported_once() -> None:
    (found,) = target_reports([share(0, problems=(PROBLEM,)), share(0, problems=(PROBLEM,))])

    assert found.problems == (PROBLEM,)


def test_the_later_apply_of_an_object_counts() -> None:
    (twice,) = target_reports([share(0, unit("a", immutable_outcome("a"), UNCHANGED))])

    assert [one.impact for one in twice.effects] == [Impact.UNCHANGED]
    assert (twice.refused, twice.is_held) == (1, True)


def test_one_apply_has_no_unit() -> None:
    assert [one.unit for one in target_unit(UnitResult((), None, report(CONFIGURED))).effects] == [""]
    assert target_unit(UnitResult((), None, Report(problems=(PROBLEM,)))).problems == (PROBLEM,)


def test_a_target_with_another_snapshot_is_named() -> None:
    one, other = share(0, content="x"), share(1, content="y")

    assert differing_snapshot([one, other], [other]) == ""
    assert differing_snapshot([one], [share(0, content="z")]) == "target-0"
