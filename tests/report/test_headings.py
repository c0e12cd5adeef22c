import pytest

from kubectl_applylint.lint.model import Report
from kubectl_applylint.lint.unit_report import UnitReport
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.headings import page, summary_with_units, unit_line, units_line
from kubectl_applylint.report.units import unit_json

CONTEXT = Context()
APPS = UnitReport("apps", "folder", "flux", namespace="shop", target="prod")
UNITS = [UnitReport(f"unit-{number}", "folder", "kubectl") for number in range(8)]


def test_a_unit_is_named_with_who_applies_it_where() -> None:
    assert unit_line(APPS, CONTEXT) == "apps (folder, applied by Flux, namespace shop, target prod)"


@pytest.mark.parametrize(
    ("tool", "program", "name"),
    [
        ("argocd", "", "Argo CD"),
        ("helm3", "", "Helm 3"),
        ("kapp", "", "kapp"),
        ("flux", "helm-controller", "helm-controller"),
    ],
)
def test_a_heading_has_the_name_of_the_program(tool: str, program: str, name: str) -> None:
    unit = UnitReport("apps", "chart", tool, program=program)

    assert unit_line(unit, CONTEXT) == f"apps (chart, applied by {name})"
    assert unit_json(unit)["tool"] == tool


def test_the_form_of_equal_units_is_shown_once() -> None:
    assert units_line(UNITS[:2], CONTEXT) == "unit-0, unit-1 (folder)"
    assert units_line([UNITS[0], UNITS[0]], CONTEXT) == "unit-0 (folder)"
    assert units_line([APPS, UNITS[0]], CONTEXT) == f"{unit_line(APPS, CONTEXT)}, unit-0 (folder)"


def test_many_units_are_counted_unless_all_are_wanted() -> None:
    assert units_line(UNITS, CONTEXT).endswith("unit-4 (folder) and 3 units more")
    assert units_line(UNITS, Context(verbose=True)).endswith("unit-7 (folder)")


def test_a_summary_follows_the_units() -> None:
    assert summary_with_units("1 created", Report(units=tuple(UNITS)), CONTEXT) == "8 units: 1 created"
    assert summary_with_units("1 created", Report(units=(APPS,)), CONTEXT) == f"{unit_line(APPS, CONTEXT)}: 1 created"
    assert summary_with_units("1 created", Report(units=(UNITS[0],)), CONTEXT) == "1 created"
    assert summary_with_units("1 created", Report(), CONTEXT) == "1 created"


def test_blank_lines_stand_around_the_blocks() -> None:
    assert page("sum", ["a\nb", "c"], ["tail"]) == "sum\n\na\nb\n\nc\n\ntail\n"
    assert page("sum", [], ["tail"]) == "sum\ntail\n"
    assert page("sum", ["a"], []) == "sum\n\na\n"


def test_a_summary_wraps_in_a_terminal() -> None:
    text = summary_with_units("3 rejected, 1 restarted, 1 created", Report(units=tuple(UNITS)), Context(width=40))

    assert text == "8 units: 3 rejected, 1 restarted, 1\n  created"


@pytest.mark.parametrize(
    ("tool", "clusters", "words"),
    [
        ("argocd", ["prod"], "web (release, applied by Argo CD, declared in prod)"),
        ("argocd", ["prod", "test", "prod"], "web (release, applied by Argo CD, declared in prod, test)"),
        ("flux", ["prod"], "web (release, applied by Flux)"),
        ("flux", ["prod", "test"], "web (release, applied by Flux, declared in prod, test)"),
        ("argocd", ["", ""], "web (release, applied by Argo CD)"),
    ],
)
def test_units_of_several_clusters_are_named_with_these(tool: str, clusters: list[str], words: str) -> None:
    assert units_line([UnitReport("web", "release", tool, cluster=name) for name in clusters], CONTEXT) == words
