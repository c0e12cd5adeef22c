"""The draws of releases: a seed stands for its cases, and every way to call Helm comes up."""

from pathlib import Path
from random import Random

import pytest
import yaml

from kubectl_applylint.core.state import ref_of
from tests.fidelity.charts import INSTALL, KINDS, ROLLBACK, UPGRADE, CasePlan, Stock, plan_case, write_chart

pytestmark = pytest.mark.slow

APPLIERS = ("helm3", "helm4")


@pytest.fixture(name="plans", scope="module")
def _plans(stock: Stock) -> dict[str, list[CasePlan]]:
    return {applier: [plan_case(stock, applier, "t", number) for number in range(150)] for applier in APPLIERS}


def test_a_seed_stands_for_its_cases(stock: Stock, plans: dict[str, list[CasePlan]]) -> None:
    again = plan_case(stock, "helm4", "t", 7)

    assert again == plans["helm4"][7]
    assert again != plans["helm3"][7]
    assert again.namespace == "rel-t-7"


@pytest.mark.parametrize("applier", APPLIERS)
def test_helm_is_called_in_every_way(applier: str, plans: dict[str, list[CasePlan]]) -> None:
    calls = [call for plan in plans[applier] for call in plan.calls if call.program == applier]
    drawn = {
        action: {call.flags for call in calls if call.action == action} for action in ("install", "upgrade", "rollback")
    }

    assert drawn["install"] == INSTALL[applier].keys()
    assert drawn["upgrade"] == UPGRADE[applier].keys()
    assert drawn["rollback"] <= {("1", *flags) for flags in ROLLBACK[applier]}


def test_a_case_begins_with_an_install_of_either_helm(plans: dict[str, list[CasePlan]]) -> None:
    assert {plan.calls[0].program for plan in plans["helm3"]} == {"helm3"}
    assert {plan.calls[0].program for plan in plans["helm4"]} == {"helm3", "helm4"}
    assert {plan.calls[0].action for plan in plans["helm4"]} == {"install"}


def test_charts_have_common_kinds_and_what_is_no_plain_object(plans: dict[str, list[CasePlan]]) -> None:
    objects = [item for plan in plans["helm3"] for item in plan.objects]

    assert {item["kind"] for item in objects} >= KINDS.keys()
    assert "batch/v1beta1" in {item["apiVersion"] for item in objects}
    assert any("helm.sh/hook" in (item["metadata"].get("annotations") or {}) for item in objects)
    assert {item["metadata"].get("namespace") for item in objects} >= {None, "default"}


def test_a_new_chart_removes_renames_and_edits(plans: dict[str, list[CasePlan]]) -> None:
    charts = [(plan.calls[0].chart, plan.calls[1].chart) for plan in plans["helm3"]]
    names = [[{ref_of(item) for item in chart} for chart in pair] for pair in charts]

    assert any(before - after for before, after in names)
    assert any(ref.name.endswith("-v2") for before, after in names for ref in after - before)
    assert any(before == after and pair[0] != pair[1] for pair, (before, after) in zip(charts, names, strict=True))


def test_some_objects_of_a_chart_exist_before(plans: dict[str, list[CasePlan]]) -> None:
    found = [(plan, item, is_marked) for plan in plans["helm4"] for item, is_marked in plan.existing]

    assert {is_marked for *_, is_marked in found} == {True, False}
    assert all(any(item in call.chart for call in plan.calls) for plan, item, _ in found)


def test_a_chart_is_written_with_one_template_an_object(tmp_path: Path, plans: dict[str, list[CasePlan]]) -> None:
    chart = Random(1).choice(plans["helm3"]).calls[0].chart
    folder = write_chart(tmp_path / "app", chart)
    texts = [file.read_text() for file in sorted((folder / "templates").iterdir())]

    assert [yaml.safe_load(text) for text in texts] == list(chart)
    assert yaml.safe_load((folder / "Chart.yaml").read_text())["name"] == "app"
