from dataclasses import replace

import pytest

from kubectl_applylint.core.outcome import Outcome, Owner, OwnerChange, Verdict, Write
from kubectl_applylint.core.paths import fields
from kubectl_applylint.lint.model import Report
from kubectl_applylint.lint.unit_report import UnitReport
from kubectl_applylint.report.order import Impact, impact, impacts, places, unit_ranks, units_worst_first, worst_first
from tests.report.samples import DOCUMENT, FINDING, REJECTED, WEB

TAKEN = OwnerChange(fields("spec", "a"), (Owner("hpa", "Update"),), (Owner("ci", "Apply"),))
GIVEN_UP = replace(TAKEN, after=())
CALM = Outcome(WEB, Verdict.CONFIGURED)


@pytest.mark.parametrize(
    ("outcome", "expected"),
    [
        pytest.param(REJECTED, Impact.REJECTED, id="rejected"),
        pytest.param(replace(CALM, verdict=Verdict.CONFLICT, restarts=True), Impact.CONFLICT, id="conflict"),
        pytest.param(replace(CALM, verdict=Verdict.PRUNED), Impact.PRUNED, id="pruned"),
        pytest.param(
            replace(CALM, requests=(Write("DELETE", "", {}),), restarts=True), Impact.RECREATED, id="recreated"
        ),
        pytest.param(replace(CALM, owner_changes=(TAKEN,), restarts=True), Impact.TAKEN, id="taken"),
        pytest.param(replace(CALM, owner_changes=(GIVEN_UP,)), Impact.CONFIGURED, id="given up"),
        pytest.param(replace(CALM, restarts=True), Impact.RESTARTED, id="restarted"),
        pytest.param(replace(CALM, verdict=Verdict.UNKNOWN, restarts=True), Impact.UNKNOWN, id="unknown"),
        pytest.param(replace(CALM, verdict=Verdict.SERVERSIDE_APPLIED), Impact.SERVERSIDE_APPLIED, id="server-side"),
        pytest.param(replace(CALM, verdict=Verdict.CREATED), Impact.CREATED, id="created"),
        pytest.param(replace(CALM, verdict=Verdict.KEPT), Impact.ORPHANED, id="orphaned"),
        pytest.param(replace(CALM, verdict=Verdict.UNCHANGED), Impact.UNCHANGED, id="unchanged"),
    ],
)
def test_the_impact_of_an_outcome_is_its_worst_effect(outcome: Outcome, expected: Impact) -> None:
    assert impact(outcome) is expected


def test_the_worst_comes_first_and_equals_keep_their_order() -> None:
    calm, later = replace(CALM, warnings=("a",)), replace(CALM, warnings=("b",))
    found = worst_first((DOCUMENT, outcome) for outcome in (calm, later, REJECTED))

    assert [outcome for _, outcome in found] == [REJECTED, calm, later]


def test_the_unit_with_the_worst_comes_first() -> None:
    units = tuple(
        UnitReport(name, "folder", "kubectl", applies=number) for name, number in (("a", 1), ("b", 2), ("c", 0))
    )
    report = Report(outcomes=tuple((DOCUMENT, outcome) for outcome in (CALM, CALM, REJECTED)), units=units)

    assert [unit.root for unit, _ in units_worst_first(report) if unit] == ["b", "a", "c"]
    assert units_worst_first(replace(report, units=()))[0][0] is None


def test_impacts_are_counted() -> None:
    assert impacts([CALM, REJECTED, CALM]) == [(Impact.REJECTED, 1), (Impact.CONFIGURED, 2)]


def test_a_unit_is_ranked_by_what_happens_in_it_then_by_its_findings() -> None:
    units = tuple(UnitReport(root, "folder", "kubectl", applies=1) for root in ("a", "b"))
    found = Report(
        findings=(replace(FINDING, units=("b",)),), outcomes=((DOCUMENT, CALM), (DOCUMENT, CALM)), units=units
    )

    assert places(unit_ranks(found)) == [2, 1]
    assert places(unit_ranks(replace(found, outcomes=((DOCUMENT, REJECTED), (DOCUMENT, CALM))))) == [1, 2]
    assert unit_ranks(Report()) == []


def test_places_count_from_one_and_equals_keep_their_order() -> None:
    assert places([(3,), (1,), (3,), (2,)]) == [3, 1, 4, 2]
