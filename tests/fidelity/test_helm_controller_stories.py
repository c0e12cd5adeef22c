"""The draws of HelmReleases: a seed stands for its cases, and every action comes up."""

import pytest

from tests.cluster.helm_controller_program import NAME
from tests.fidelity.charts import CasePlan, Stock
from tests.fidelity.helm_controller_stories import CRDS, INSTALLERS, LAST, NEXT, definition, helm_release, plan_case

pytestmark = pytest.mark.slow


@pytest.fixture(name="plans", scope="module")
def _plans(stock: Stock) -> list[CasePlan]:
    return [plan_case(stock, NAME, "t", number) for number in range(150)]


def test_a_seed_stands_for_its_cases(stock: Stock, plans: list[CasePlan]) -> None:
    assert plan_case(stock, NAME, "t", 7) == plans[7]


def test_every_action_is_drawn_after_every_installer(plans: list[CasePlan]) -> None:
    assert {plan.calls[0].program for plan in plans} == INSTALLERS.keys()
    assert {plan.calls[1].action for plan in plans} == NEXT.keys()
    assert {plan.calls[2].action if len(plan.calls) > 2 else "" for plan in plans} == LAST.keys()


def test_some_charts_have_a_definition_with_every_policy(plans: list[CasePlan]) -> None:
    calls = [call for plan in plans for call in plan.calls]
    with_one = [call for call in calls if any(item["kind"] == "CustomResourceDefinition" for item in call.chart)]
    policies = {flag.partition("=")[2] for call in with_one for flag in call.flags if ".crds=" in flag}

    assert 0 < len(with_one) < len(calls)
    assert policies | {""} == CRDS.keys()
    assert definition("t-1", 1) != definition("t-1", 2)


def test_flags_are_fields_of_the_helm_release() -> None:
    spec = helm_release("shop", ["upgrade.force=true", 'driftDetection.ignore=[{"paths": ["/data"]}]'])["spec"]

    assert spec["upgrade"] == {"disableWait": True, "force": True}
    assert spec["driftDetection"] == {"ignore": [{"paths": ["/data"]}]}
