from collections.abc import Sequence

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.outcome import Outcome, Verdict
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.lint.model import Report
from kubectl_applylint.lint.unit_report import UnitReport
from kubectl_applylint.report.html.dependencies import UnitDependency, dependencies_of
from tests.report.samples import document


def item(api_version: str, kind: str, name: str, namespace: str = "", **spec: Json) -> JsonObject:
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": name, "namespace": namespace}, "spec": spec}


def flux(name: str, path: str, *needs: str) -> JsonObject:
    depends = [{"name": one} for one in needs]
    return item("kustomize.toolkit.fluxcd.io/v1", "Kustomization", name, "flux", path=path, dependsOn=depends)


def report(*units: tuple[str, Sequence[JsonObject]], target: str = "") -> Report:
    applies: list[tuple[Document, Outcome]] = [
        (document(ref_of(one), one), Outcome(ref_of(one), Verdict.CREATED)) for _, items in units for one in items
    ]
    reports = tuple(UnitReport(root, "folder", "kubectl", "", target, applies=len(items)) for root, items in units)
    return Report(outcomes=tuple(applies), units=reports)


NAMESPACE = item("v1", "Namespace", "shop")
WEB = item("v1", "ConfigMap", "web", "shop")


def test_a_unit_depends_on_what_declares_it_and_on_what_that_names() -> None:
    held = report(
        ("cluster", [flux("web", "./apps/web", "base", "unseen"), flux("base", "apps/base")]),
        ("apps/web", []),
        ("apps/base", []),
    )

    assert dependencies_of(held) == (
        UnitDependency(1, 0, ("Kustomization web",)),
        UnitDependency(1, 2, ("dependsOn of Kustomization web",)),
        UnitDependency(2, 0, ("Kustomization base",)),
    )


def test_an_application_declares_all_of_its_sources() -> None:
    several = item("argoproj.io/v1alpha1", "Application", "b", sources=[{"path": "b"}, {"chart": "c"}])
    one = item("argoproj.io/v1alpha1", "Application", "a", source={"path": "a"})

    assert [(each.of, each.on) for each in dependencies_of(report(("root", [one, several]), ("a", []), ("b", [])))] == [
        (1, 0),
        (2, 0),
    ]


def test_a_unit_depends_on_that_of_its_namespace_and_of_its_kinds() -> None:
    crd = item("apiextensions.k8s.io/v1", "CustomResourceDefinition", "x", group="a.io", names={"kind": "Widget"})
    widget = item("a.io/v1", "Widget", "w", "shop")

    assert dependencies_of(report(("web", [widget, WEB]), ("base", [NAMESPACE, crd]))) == (
        UnitDependency(0, 1, ("kind Widget, 1 object", "namespace shop, 2 objects")),
    )


def test_ambiguous_references_are_no_dependency() -> None:
    assert dependencies_of(report(("web", [WEB]), ("dev", [NAMESPACE]), ("prod", [NAMESPACE]))) == ()
    assert dependencies_of(report(("web", [WEB, NAMESPACE]), ("dev", [NAMESPACE]))) == ()


def test_other_targets_do_not_count() -> None:
    units = (
        UnitReport("web", "folder", "kubectl", target="a", applies=1),
        UnitReport("base", "folder", "kubectl", applies=1),
    )
    held = report(("web", [WEB]), ("base", [NAMESPACE]))

    assert dependencies_of(Report(outcomes=held.outcomes, units=units)) == ()
