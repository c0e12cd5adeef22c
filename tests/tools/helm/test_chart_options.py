"""Options for rendering a chart in the objects of Argo CD, Flux and Fleet."""

import json
from typing import Any

import pytest
import yaml

from kubectl_applylint.tools.helm.chart_options import argocd_options, fleet_options
from kubectl_applylint.units.model import HelmOptions

NESTED: Any = "x"
for _ in range(200):
    NESTED = {"a": NESTED}


def argocd(helm: str, *more: str) -> HelmOptions | None:
    source = {"path": "charts/web", "helm": yaml.safe_load(helm)}
    return argocd_options(source, [source, *map(yaml.safe_load, more)], "web")


def inline(helm: str) -> Any:
    options = argocd(helm)
    return json.loads(options.inline) if options and options.inline else None


@pytest.mark.parametrize(
    ("helm", "files"),
    [
        ("{}", ()),
        ("valueFiles: [values-prod.yaml, ../common.yaml]", ("charts/web/values-prod.yaml", "charts/common.yaml")),
        ("valueFiles: [/envs/prod.yaml]", ("envs/prod.yaml",)),
        ("valueFiles: [$here/envs/prod.yaml]", ("envs/prod.yaml",)),
        ("valueFiles: ['https://example.com/x.yaml', ../../../out.yaml, 1]", ()),
    ],
)
def test_argocd_names_files_from_the_chart_or_from_a_root(helm: str, files: tuple[str, ...]) -> None:
    assert argocd(helm, "ref: here") == HelmOptions(files, "", "web")


@pytest.mark.parametrize(
    ("helm", "values"),
    [
        ("values: 'a: {b: 1}'", {"a": {"b": 1}}),
        ("valuesObject: {a: 1}\nvalues: 'b: 1'", {"a": 1}),
        ("values: 'a: ['", None),
        ("values: 'a: {b: 1, c: 2}'\nparameters: [{name: a.b, value: '3'}]", {"a": {"b": 3, "c": 2}}),
        ("parameters: [{name: a, value: '3', forceString: true}, {name: b, value: 'true'}]", {"a": "3", "b": True}),
        ("parameters: [{name: 'a[0]', value: x}, {name: b, value: 01}, {value: y}]", {"b": ""}),
    ],
)
def test_argocd_lays_parameters_over_values(helm: str, values: object) -> None:
    assert inline(helm) == values


@pytest.mark.parametrize("helm", ["valueFiles: ['{{env}}.yaml']", "values: 'a: {{x}}'", "releaseName: 'a-{{x}}'"])
def test_templates_that_nothing_fills_leave_it_open(helm: str) -> None:
    assert argocd(helm) is None


def test_the_release_has_the_name_that_is_given() -> None:
    assert argocd("releaseName: shop") == HelmOptions(release="shop")


def test_fleet_has_files_beside_its_own_one() -> None:
    helm = yaml.safe_load("{releaseName: web, valuesFiles: [prod.yaml, ../all.yaml], values: {a: 1}}")
    assert fleet_options(helm, "apps/web") == HelmOptions(("apps/web/prod.yaml", "apps/all.yaml"), '{"a": 1}', "web")
    assert fleet_options(None, "apps/web") == HelmOptions()


def test_values_that_nest_too_deeply_are_none() -> None:
    assert argocd_options({"helm": {"valuesObject": NESTED}}, [], "web") == HelmOptions(release="web")
