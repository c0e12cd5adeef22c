"""The draws of Kustomizations: a seed stands for its cases, and every way to reconcile comes up."""

import pytest

from kubectl_applylint.core.state import annotations_of, labels_of, ref_of
from tests.fidelity.charts import CasePlan, Stock
from tests.fidelity.flux_stories import ANNOTATIONS, BEFORE, COMMON, FLAGS, GROUP, plan_case

pytestmark = pytest.mark.slow


@pytest.fixture(name="plans", scope="module")
def _plans(stock: Stock) -> list[CasePlan]:
    return [plan_case(stock, "flux", "t", number) for number in range(150)]


def test_a_seed_stands_for_its_cases(stock: Stock, plans: list[CasePlan]) -> None:
    assert plan_case(stock, "flux", "t", 7) == plans[7]


def test_flux_reconciles_in_every_way_and_kubectl_may_come_before(plans: list[CasePlan]) -> None:
    drawn = {call.flags for plan in plans for call in plan.calls if call.program == "flux"}
    assert {tuple(flag for flag in flags if flag not in COMMON) for flags in drawn} == FLAGS.keys()
    assert {flag for flags in drawn for flag in flags} >= COMMON.keys()
    assert {call.flags for plan in plans for call in plan.calls if call.program == "kubectl"} == BEFORE.keys()
    assert {plan.calls[0].program for plan in plans} == {"flux", "kubectl"}


def test_no_set_has_an_object_twice_and_all_marks_are_drawn(plans: list[CasePlan]) -> None:
    sets = [call.chart for plan in plans for call in plan.calls]
    drawn = {
        (key.removeprefix(f"{GROUP}/"), value)
        for item in (each for objects in sets for each in objects)
        for key, value in (*labels_of(item).items(), *annotations_of(item).items())
        if key.startswith(GROUP)
    }

    assert all(len({ref_of(item) for item in objects}) == len(objects) for objects in sets)
    assert drawn >= ANNOTATIONS.keys()


def test_most_objects_say_their_namespace(plans: list[CasePlan]) -> None:
    places = {item["metadata"].get("namespace") for plan in plans for item in plan.objects}

    assert {None, "default", "rel-t-1"} <= places
