"""The draws of Kustomizations: a seed stands for its cases, and every way to reconcile comes up."""

import pytest

from kubectl_applylint.core.state import annotations_of, labels_of, ref_of
from tests.fidelity.charts import Plot, Stock
from tests.fidelity.flux_stories import ANNOTATIONS, BEFORE, COMMON, FLAGS, GROUP, plot

pytestmark = pytest.mark.slow


@pytest.fixture(name="plots", scope="module")
def _plots(stock: Stock) -> list[Plot]:
    return [plot(stock, "flux", "t", number) for number in range(150)]


def test_a_seed_stands_for_its_cases(stock: Stock, plots: list[Plot]) -> None:
    assert plot(stock, "flux", "t", 7) == plots[7]


def test_flux_reconciles_in_every_way_and_kubectl_may_come_before(plots: list[Plot]) -> None:
    drawn = {call.flags for plan in plots for call in plan.calls if call.program == "flux"}
    assert {tuple(flag for flag in flags if flag not in COMMON) for flags in drawn} == FLAGS.keys()
    assert {flag for flags in drawn for flag in flags} >= COMMON.keys()
    assert {call.flags for plan in plots for call in plan.calls if call.program == "kubectl"} == BEFORE.keys()
    assert {plan.calls[0].program for plan in plots} == {"flux", "kubectl"}


def test_no_set_has_an_object_twice_and_all_marks_are_drawn(plots: list[Plot]) -> None:
    sets = [call.chart for plan in plots for call in plan.calls]
    drawn = {
        (key.removeprefix(f"{GROUP}/"), value)
        for item in (each for objects in sets for each in objects)
        for key, value in (*labels_of(item).items(), *annotations_of(item).items())
        if key.startswith(GROUP)
    }

    assert all(len({ref_of(item) for item in objects}) == len(objects) for objects in sets)
    assert drawn >= ANNOTATIONS.keys()


def test_most_objects_say_their_namespace(plots: list[Plot]) -> None:
    places = {item["metadata"].get("namespace") for plan in plots for item in plan.objects}

    assert {None, "default", "rel-t-1"} <= places
