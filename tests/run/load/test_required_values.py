"""Charts that fail without values that no file gives them."""

import pytest

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.run.load.required_values import has_required_values, without_required_values
from kubectl_applylint.sources.text.manifests import Input
from kubectl_applylint.units.layout import INCLUDED_CHART
from kubectl_applylint.units.model import Applied, Form, HelmOptions, Reason, Unit

ERROR = "it cannot be rendered: Error: execution error at (web/templates/ingress.yaml:2:17): host must be set"
REMARK = (
    "charts/web/Chart.yaml",
    "not examined, as it fails with its own values, and no file gives it others: host must be set",
)
CHART = Unit("charts/web", Form.CHART, frozenset())
DECLARED = Applied(reason=Reason("Application web", "apps/web.yaml", 3))


@pytest.mark.parametrize("named", [(), (".",), ("charts/api", "charts/we")], ids=["none", "all", "others"])
def test_a_chart_that_nothing_applies_may_require_values(named: tuple[str, ...]) -> None:
    other = Problem("charts/web/Chart.yaml", "it cannot be rendered: Error: nil pointer")
    given = Input(problems=(Problem("charts/web/Chart.yaml", ERROR), other))

    assert without_required_values(given, CHART, named) == Input(problems=(other,), remarks=(REMARK,))


@pytest.mark.parametrize("error", [ERROR, "it cannot be rendered: Error: host must be set"], ids=["purpose", "any"])
def test_a_chart_that_others_include_may_fail_without_their_values(error: str) -> None:
    unit = replace(CHART, applied=Applied(reason=INCLUDED_CHART))

    assert without_required_values(Input(problems=(Problem(REMARK[0], error),)), unit, ()) == Input(remarks=(REMARK,))


@pytest.mark.parametrize(
    "unit",
    [
        replace(CHART, values=("values-prod.yaml",)),
        Unit("Application/web", Form.RELEASE, frozenset(), replace(DECLARED, has_assumed_values=True)),
    ],
    ids=["values file", "undeclared root"],
)
def test_values_that_are_assumed_may_not_be_all(unit: Unit) -> None:
    assert without_required_values(Input(problems=(Problem(REMARK[0], ERROR),)), unit, ()) == Input(remarks=(REMARK,))


@pytest.mark.parametrize(
    "words",
    [
        "at <lower>: invalid value; expected string",
        "at <.Values.a>: wrong type for value; expected string; got interface {}",
    ],
)
def test_a_function_may_need_a_value(words: str) -> None:
    error = f'it cannot be rendered: Error: web/templates/job.yaml:17:50 executing "web/templates/job.yaml" {words}'
    remark = (REMARK[0], f"not examined, as it fails with its own values, and no file gives it others: {words}")

    assert without_required_values(Input(problems=(Problem(REMARK[0], error),)), CHART, ()) == Input(remarks=(remark,))


@pytest.mark.parametrize(
    ("unit", "named"),
    [
        (CHART, ("charts",)),
        (CHART, ("charts/web/",)),
        (Unit("charts/web", Form.CHART, frozenset(), DECLARED), ()),
        (Unit("charts/web", Form.CHART, frozenset(), Applied(helm=HelmOptions())), ()),
        (Unit("charts/web", Form.RELEASE, frozenset()), ()),
    ],
    ids=["named folder above", "named chart", "declared", "options", "release"],
)
def test_any_other_chart_has_a_problem(unit: Unit, named: tuple[str, ...]) -> None:
    given = Input(problems=(Problem("charts/web/Chart.yaml", ERROR),))

    assert without_required_values(given, unit, named) is given


@pytest.mark.parametrize("words", ["unsupported chart version", "validation: chart.metadata.name is required"])
def test_no_values_change_an_invalid_chart(words: str) -> None:
    unit = replace(CHART, applied=Applied(reason=INCLUDED_CHART))
    given = Input(problems=(Problem("charts/web/Chart.yaml", f"it cannot be rendered: Error: {words}"),))

    assert without_required_values(given, unit, ()) is given


def test_results_about_required_values_depend_on_what_is_named() -> None:
    assert has_required_values([Problem("a", ERROR)], [])
    assert has_required_values([], [": ".join(REMARK)])
    assert has_required_values([Problem("a", "it cannot be rendered: Error: nil pointer")], [])
    assert not has_required_values([Problem("a", "a file is missing")], ["another note"])
