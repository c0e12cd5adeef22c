"""Settings of Argo CD in the files of a repository."""

import pytest

from kubectl_applylint.run.sides.argo_settings import settings_in

OPERATOR = "apiVersion: argoproj.io/v1beta1\nkind: ArgoCD\n"
LABEL = [{"application.resourceTrackingMethod": "label"}]
CONFIG_MAP = """
kind: Deployment
metadata: {name: argocd-cm}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: argocd-cm, namespace: argocd}
data:
  application.resourceTrackingMethod: label
  oidc.config: "clientSecret: x"
  kustomize.version: "{{ .Values.version }}"
"""
APPLICATION = """
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: argo-cd}
spec:
  source:
    chart: argo-cd
    helm:
      %s
"""
VALUES = "configs: {cm: {application.resourceTrackingMethod: label, url: x}}"


@pytest.mark.parametrize(
    "text",
    [
        CONFIG_MAP,
        CONFIG_MAP.replace(", namespace: argocd", ""),
        VALUES,
        f"argo-cd:\n  {VALUES}\n",
        f"helmCharts:\n- name: argo-cd\n  valuesInline: {{{VALUES}}}\n",
        APPLICATION % f"valuesObject: {{{VALUES}}}",
        APPLICATION % f"values: |\n        {VALUES}",
        f"{OPERATOR}spec: {{resourceTrackingMethod: label}}",
        f"{OPERATOR}spec: {{extraConfig: {{application.resourceTrackingMethod: label}}}}",
    ],
    ids=["object", "patch", "values", "umbrella", "kustomize", "values object", "values text", "operator", "extra"],
)
def test_settings_are_found_in_each_form(text: str) -> None:
    assert list(settings_in({"a.yaml": text.encode()}, "argocd")) == LABEL


@pytest.mark.parametrize(
    "text",
    [
        CONFIG_MAP.replace("namespace: argocd", "namespace: other"),
        CONFIG_MAP.replace("name: argocd-cm,", "name: other,"),
        f"{OPERATOR}metadata: {{namespace: other}}\nspec: {{resourceTrackingMethod: label}}",
        "configs: [application.resourceTrackingMethod]",
        "application.resourceTrackingMethod: [",
        f"a: |\n  {VALUES} [\n",
        f"{'{a: ' * 200}{VALUES}{'}' * 200}",
    ],
    ids=["namespace", "name", "operator", "list", "broken", "broken text", "deep"],
)
def test_other_files_have_no_settings(text: str) -> None:
    assert list(settings_in({"a.yaml": text.encode()}, "argocd")) == []


@pytest.mark.parametrize(
    "text",
    [
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: argocd-cmd-params-cm}\ndata: {%s, server.insecure: 'true'}",
        "configs: {params: {%s, server.insecure: true}}",
        APPLICATION % "values: |\n        configs: {params: {%s}}",
    ],
    ids=["object", "values", "values text"],
)
def test_flags_of_programs_are_settings(text: str) -> None:
    flags = "applicationsetcontroller.policy: create-only"

    assert list(settings_in({"a.yaml": (text % flags).encode()}, "")) == [
        {"applicationsetcontroller.policy": "create-only"}
    ]


def test_values_in_yaml_are_parsed() -> None:
    text = 'configs: {cm: {resource.exclusions: "- kinds: [Job]", resource.inclusions: [1]}}'

    assert list(settings_in({"a.yaml": text.encode()}, "")) == [
        {"resource.exclusions": [{"kinds": ["Job"]}], "resource.inclusions": [1]}
    ]
