"""The options with which Argo CD renders a chart."""

from typing import Any

import pytest

from kubectl_applylint.tools.argocd.helm_options import (
    ArgoHelmOptions,
    build_variables,
    file_setting,
    helm_options,
    with_variables,
)

VARIABLES = {"ARGOCD_APP_NAME": "web", "ARGOCD_APP_NAMESPACE": "shop"}


def test_names_come_from_the_application() -> None:
    assert helm_options({}, VARIABLES) == ArgoHelmOptions("web", "shop")


@pytest.mark.parametrize(
    ("helm", "found"),
    [
        ({"releaseName": "other", "namespace": "db"}, {"release": "other", "namespace": "db"}),
        ({"values": "a: b"}, {"values": "a: b"}),
        ({"values": "a: b", "valuesObject": {"c": 1}}, {"values": "c: 1\n"}),
        ({"values": "a: b", "valuesObject": {}}, {"values": "{}\n"}),
        ({"valueFiles": ["$ARGOCD_APP_NAME.yaml"]}, {"value_files": ("$ARGOCD_APP_NAME.yaml",)}),
        ({"ignoreMissingValueFiles": True}, {"ignores_missing_files": True}),
        ({"parameters": [{"name": "a", "value": "b,c"}]}, {"settings": (r"a=b\,c",)}),
        ({"parameters": [{"name": "a", "value": "{b,c}"}]}, {"settings": ("a={b,c}",)}),
        ({"parameters": [{"name": "a", "value": "1", "forceString": True}]}, {"text_settings": ("a=1",)}),
        ({"fileParameters": [{"name": "a", "path": "b.txt"}]}, {"files": (("a", "b.txt"),)}),
        ({"skipCrds": True, "skipSchemaValidation": True}, {"has_definitions": False, "validates_values": False}),
        ({"kubeVersion": "1.30.0", "apiVersions": ["a/v1"]}, {"kubernetes": "1.30.0", "api_versions": ("a/v1",)}),
        ({"kubeVersion": "v1.33.1-eks-1"}, {"kubernetes": "1.33.1"}),
        ({"kubeVersion": "new"}, {"kubernetes": "new"}),
    ],
)
def test_the_fields_of_helm(helm: dict[str, Any], found: dict[str, Any]) -> None:
    options = helm_options(helm, VARIABLES)

    assert {name: getattr(options, name) for name in found} == found


def test_the_content_of_a_file_has_no_syntax() -> None:
    assert file_setting("a", "b,c\\d") == r"a=b\,c\\d"
    assert file_setting("a", "{b}") == r"a=\{b}"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("$ARGOCD_APP_NAME-${ARGOCD_APP_NAMESPACE}-$$ARGOCD_APP_NAME", "web-shop-$ARGOCD_APP_NAME"),
        ("$OTHER-x", "-x"),
        ("${OTHER}x${}y${$}", "xy$"),
        ("$1a$-b$", "ab$"),
        ("a$.b ${c", "a$.b c"),
        ("$ARGOCD_APP_REVISION ${ARGOCD_APP_REVISION_SHORT}", "$ARGOCD_APP_REVISION ${ARGOCD_APP_REVISION_SHORT}"),
    ],
)
def test_variables_of_the_build_are_replaced(text: str, found: str) -> None:
    assert with_variables(text, VARIABLES) == found


def test_the_variables_of_an_application() -> None:
    application = {"metadata": {"name": "web"}, "spec": {"destination": {"namespace": "shop"}}}
    found = build_variables(application, {"path": "a", "targetRevision": "main"})
    assert (found["ARGOCD_APP_NAME"], found["ARGOCD_APP_NAMESPACE"]) == ("web", "shop")
    assert (found["ARGOCD_APP_SOURCE_PATH"], found["ARGOCD_APP_PROJECT_NAME"]) == ("a", "default")
