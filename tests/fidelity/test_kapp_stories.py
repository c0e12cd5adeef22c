"""The draws of apps of kapp: a seed stands for its cases, and every way to deploy comes up."""

import pytest

from kubectl_applylint.core.state import annotations_of
from tests.cluster.kapp_program import NAME
from tests.fidelity.charts import Plot, Stock
from tests.fidelity.kapp_stories import ANNOTATIONS, BEFORE, FLAGS, GROUP, plot

pytestmark = pytest.mark.slow


@pytest.fixture(name="plots", scope="module")
def _plots(stock: Stock) -> list[Plot]:
    return [plot(stock, NAME, "t", number) for number in range(200)]


def test_a_seed_stands_for_its_cases(stock: Stock, plots: list[Plot]) -> None:
    assert plot(stock, NAME, "t", 7) == plots[7]


def test_kapp_deploys_in_every_way_and_kubectl_may_come_before(plots: list[Plot]) -> None:
    assert {call.flags for plan in plots for call in plan.calls if call.program == NAME} == FLAGS.keys()
    assert {call.flags for plan in plots for call in plan.calls if call.program == "kubectl"} == BEFORE.keys()


def test_all_marks_and_configs_are_drawn(plots: list[Plot]) -> None:
    every = [item for plan in plots for call in plan.calls for item in call.chart]
    drawn = {
        (key.removeprefix(f"{GROUP}/"), value)
        for item in every
        for key, value in annotations_of(item).items()
        if key.startswith(GROUP)
    }

    assert drawn >= ANNOTATIONS.keys()
    assert any(item["kind"] == "Config" for item in every)
    assert any(not call.chart for plan in plots for call in plan.calls)
