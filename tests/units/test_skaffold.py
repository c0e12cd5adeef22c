import json

import pytest
from hypothesis import given

from kubectl_applylint.core.values import Json
from kubectl_applylint.units.declared import Declared
from kubectl_applylint.units.model import Applied, Reason
from kubectl_applylint.units.skaffold import declarations
from tests.units.documents import jsons

FILES = ("app/k8s/web.yaml", "app/k8s/db.yaml", "app/other/a/x.yaml", "app/other/b/y.yaml", "shared/z.yaml")
HEADER = "apiVersion: skaffold/v4beta11\nkind: Config\n"


def declarations_in(text: str, file: str = "app/skaffold.yaml") -> list[Declared]:
    return list(declarations(file, text.encode(), FILES))


def test_a_configuration_declares_folders_with_their_settings() -> None:
    text = f"""{HEADER}\
manifests:
  rawYaml: [k8s/*.yaml]
deploy:
  kubeContext: prod
  kubectl: {{defaultNamespace: shop}}
"""

    applied = Applied("skaffold", "shop", "prod", reason=Reason("Skaffold", "app/skaffold.yaml", 4))
    assert declarations_in(text) == [Declared("app/k8s", applied)]


@pytest.mark.parametrize(
    ("line", "paths"),
    [
        ("manifests: {rawYaml: [k8s/web.yaml, k8s/db.yaml]}", ["app/k8s"]),
        ("manifests: {rawYaml: ['other/*/*.yaml']}", ["app/other/a", "app/other/b"]),
        ("manifests: {rawYaml: ['**/*.yaml']}", ["app/k8s", "app/other/a", "app/other/b"]),
        ("manifests: {rawYaml: [../shared/z.yaml]}", ["shared"]),
        ("manifests: {rawYaml: [../../z.yaml, /etc/x.yaml, 'https://example.com/x.yaml', no.yaml, 'k8s/[', 1]}", []),
        ("manifests: {kustomize: {paths: [overlays/prod, ., /etc, 1]}}", ["app/overlays/prod", "app"]),
        ("manifests: {helm: {releases: [{chartPath: charts/web}, {remoteChart: x}, 1]}}", ["app/charts/web"]),
        ("deploy: {kubectl: {manifests: [k8s/*]}}", ["app/k8s"]),
        ("deploy: {kustomize: {paths: [base]}}", ["app/base"]),
        ("deploy: {helm: {releases: [{chartPath: c}]}}", ["app/c"]),
        ("profiles: [{name: prod, manifests: {kustomize: {paths: [prod]}}}, 1]", ["app/prod"]),
        ("manifests: 1", []),
        ("deploy: {kubectl: {}}", []),
    ],
)
def test_every_version_names_paths_in_its_way(line: str, paths: list[str]) -> None:
    assert [one.path for one in declarations_in(f"{HEADER}{line}\n")] == paths


def test_every_document_counts() -> None:
    one = f"{HEADER}manifests: {{rawYaml: [k8s/*]}}\n"

    assert [each.applied.reason.line for each in declarations_in(f"{one}---\n{one}")] == [3, 7]


def test_a_profile_has_its_own_line_and_may_have_its_own_target() -> None:
    one = "- name: a\n  manifests: {kustomize: {paths: [a]}}\n"
    other = "- deploy: {kubeContext: b, kubectl: {manifests: [k8s/*]}}\n"
    made = declarations_in(f"{HEADER}deploy: {{kubeContext: c}}\nprofiles:\n{one}{other}")

    assert [(one.path, one.applied.target, one.applied.reason.line) for one in made] == [
        ("app/a", "c", 6),
        ("app/k8s", "b", 7),
    ]


@pytest.mark.parametrize("text", ["", "[]", "manifests: {rawYaml: [k8s/*]}", "\t{", HEADER.replace("skaffold/", "x/")])
def test_any_other_file_names_none(text: str) -> None:
    assert declarations_in(text) == []


def test_a_file_may_be_at_the_root() -> None:
    assert [one.path for one in declarations_in(f"{HEADER}manifests: {{rawYaml: [app/k8s/*]}}", "skaffold.yaml")] == [
        "app/k8s"
    ]


KEYS = ("manifests", "rawYaml", "kustomize", "paths", "deploy", "kubectl", "helm", "releases", "chartPath", "profiles")


@given(jsons(*KEYS), jsons(*KEYS))
def test_nothing_in_a_file_makes_it_fail(value: Json, other: Json) -> None:
    whole = {"manifests": value, "profiles": other, "apiVersion": "skaffold/v1", "kind": "Config"}

    assert all(not one.path.startswith(("/", "..")) for one in declarations_in(json.dumps(whole)))
