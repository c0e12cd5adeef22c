"""The draws of apps of kapp: a seed stands for its cases, and every way to deploy comes up."""

import pytest

from kubectl_applylint.core.state import annotations_of
from tests.cluster.kapp_program import NAME
from tests.fidelity.charts import CasePlan, Stock
from tests.fidelity.kapp_stories import ANNOTATIONS, BEFORE, FLAGS, GROUP, plan_case

pytestmark = pytest.mark.slow


@pytest.fixture(name="plans", scope="module")
def _plans(stock: Stock) -> list[CasePlan]:
    return [plan_case(stock, NAME, "t", number) for number in range(200)]


def test_a_seed_stands_for_its_cases(stock: Stock, plans: list[CasePlan]) -> None:
    assert plan_case(stock, NAME, "t", 7) == plans[7]


def test_kapp_deploys_in_every_way_and_kubectl_may_come_before(plans: list[CasePlan]) -> None:
    assert {call.flags for plan in plans for call in plan.calls if call.program == NAME} == FLAGS.keys()
    assert {call.flags for plan in plans for call in plan.calls if call.program == "kubectl"} == BEFORE.keys()


def test_all_marks_and_configs_are_drawn(plans: list[CasePlan]) -> None:
    every = [item for plan in plans for call in plan.calls for item in call.chart]
    drawn = {
        (key.removeprefix(f"{GROUP}/"), value)
        for item in every
        for key, value in annotations_of(item).items()
        if key.startswith(GROUP)
    }

    assert drawn >= ANNOTATIONS.keys()
    assert any(item["kind"] == "Config" for item in every)
    assert any(not call.chart for plan in plans for call in plan.calls)
