import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_applylint.core.values import Json
from kubectl_applylint.units.declared import Declared
from kubectl_applylint.units.fleet import declarations
from kubectl_applylint.units.model import Applied, HelmOptions, Reason
from tests.units.documents import jsons


def declarations_in(text: str) -> list[Declared]:
    return list(declarations("apps/web/fleet.yaml", text.encode()))


def test_the_folder_of_the_file_is_a_bundle() -> None:
    why = Reason("a bundle of Fleet", "apps/web/fleet.yaml", 2)

    assert declarations_in("labels: {}\ndefaultNamespace: shop\n") == [
        Declared("apps/web", Applied("fleet", "shop", prune=True, reason=why, helm=HelmOptions()), is_recursive=True)
    ]


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("{}", ["apps/web"]),
        ("helm: {releaseName: web}", ["apps/web"]),
        ("helm: {chart: ./chart}", ["apps/web/chart"]),
        ("helm: {chart: ../../charts/web}", ["charts/web"]),
        ("helm: {chart: web, repo: https://charts.example.com}", []),
        ("helm: {chart: oci://example.com/web}", []),
        ("helm: {chart: ../../../web}", []),
        ("helm: {chart: /web}", []),
        ("helm: [1]", ["apps/web"]),
        ("kustomize: {dir: overlays/prod}", ["apps/web/overlays/prod"]),
        ("kustomize: {dir: /etc}", []),
        ("[]", []),
        ("", []),
        ("\ta: {", []),
    ],
)
def test_a_bundle_may_name_another_path(text: str, paths: list[str]) -> None:
    assert [one.path for one in declarations_in(text)] == paths


@pytest.mark.parametrize(
    ("text", "namespace", "target"),
    [
        ("{namespace: a, defaultNamespace: b}", "a", ""),
        ("{defaultNamespace: 1}", "", ""),
        ("targetCustomizations: [{name: prod}, {name: test}, {}, 1, {name: prod}]", "", "prod, test"),
        ("targetCustomizations: prod", "", ""),
    ],
)
def test_namespace_and_targets_are_those_of_the_file(text: str, namespace: str, target: str) -> None:
    assert [(one.applied.namespace, one.applied.target) for one in declarations_in(text)] == [(namespace, target)]


@given(jsons("helm", "chart", "repo", "kustomize", "dir", "namespace", "targetCustomizations", "name") | st.text())
def test_nothing_in_a_file_makes_it_fail(value: Json) -> None:
    assert all(not one.path.startswith(("/", "..")) for one in declarations_in(json.dumps(value)))
