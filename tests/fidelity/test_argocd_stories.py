"""The draws of Applications: a seed stands for its cases, and every way to sync comes up."""

import pytest

from kubectl_applylint.core.state import annotations_of, ref_of
from kubectl_applylint.core.values import mapping
from tests.cluster.argocd_program import IGNORE
from tests.fidelity.argocd_ignores import RESPECTED, RULES, ways
from tests.fidelity.argocd_stories import BEFORE, FLAGS, GROUP, OPTIONS, RECORDER, WAVES, plan_case
from tests.fidelity.charts import CasePlan, Stock

pytestmark = pytest.mark.slow


@pytest.fixture(name="plans", scope="module")
def _plans(stock: Stock) -> list[CasePlan]:
    return [plan_case(stock, "argocd", "t", number) for number in range(600)]


def test_a_seed_stands_for_its_cases(stock: Stock, plans: list[CasePlan]) -> None:
    assert plan_case(stock, "argocd", "t", 7) == plans[7]


def test_argocd_syncs_in_every_way_and_kubectl_may_come_before(plans: list[CasePlan]) -> None:
    synced = [call.flags for plan in plans for call in plan.calls if call.program == "argocd"]

    assert {ways(flags) for flags in synced} == FLAGS.keys()
    assert {RESPECTED in flags for flags in synced} == {True, False}
    assert {f"{IGNORE}{rule}" for rule in RULES} <= {flag for flags in synced for flag in flags}
    assert {call.flags for plan in plans for call in plan.calls if call.program == "kubectl"} == BEFORE.keys()


def test_all_options_and_waves_are_drawn_and_no_hooks(plans: list[CasePlan]) -> None:
    marks = [annotations_of(item) for plan in plans for call in plan.calls for item in call.chart]

    assert {str(each[f"{GROUP}/sync-options"]) for each in marks if f"{GROUP}/sync-options" in each} >= OPTIONS.keys()
    assert {str(each[f"{GROUP}/sync-wave"]) for each in marks if f"{GROUP}/sync-wave" in each} >= WAVES.keys()
    assert not any("helm.sh/hook" in each for each in marks)


def test_marks_are_those_of_the_application(plans: list[CasePlan]) -> None:
    plan = plans[0]
    item = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}}
    marks = mapping(RECORDER.marks(plan, item)["annotations"])

    assert marks == {f"{GROUP}/tracking-id": f"app:apps/Deployment:{plan.namespace}/web"}
    assert ref_of(item).namespace == ""
