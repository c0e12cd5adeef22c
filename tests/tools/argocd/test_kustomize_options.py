"""The kustomization that Argo CD builds."""

from typing import Any

import pytest

from kubectl_applylint.tools.argocd.kustomize_options import with_kustomize_options

VARIABLES = {"ARGOCD_APP_NAME": "web"}


@pytest.mark.parametrize(
    ("own", "options", "found"),
    [
        ({"resources": ["a"]}, {}, {"resources": ["a"]}),
        (
            {"namePrefix": "old-"},
            {"namePrefix": "new-", "nameSuffix": "-x", "namespace": "shop"},
            {"namePrefix": "new-", "nameSuffix": "-x", "namespace": "shop"},
        ),
        (
            {"images": [{"name": "web", "newTag": "1"}, {"name": "z"}]},
            {"images": ["web:2", "db=registry:5000/db@sha256:00"]},
            {
                "images": [
                    {"name": "db", "newName": "registry:5000/db", "digest": "sha256:00"},
                    {"name": "web", "newTag": "2"},
                    {"name": "z"},
                ]
            },
        ),
        ({}, {"images": ["host:5000/web"]}, {"images": [{"name": "host:5000/web"}]}),
        ({}, {"replicas": [{"name": "web", "count": "3"}]}, {"replicas": [{"name": "web", "count": 3}]}),
        ({"commonLabels": {"a": "b"}}, {"commonLabels": {"c": "d"}}, {"commonLabels": {"a": "b", "c": "d"}}),
        (
            {},
            {"commonLabels": {"c": "d"}, "labelWithoutSelector": True, "labelIncludeTemplates": True},
            {"labels": [{"pairs": {"c": "d"}, "includeTemplates": True}]},
        ),
        ({}, {"commonAnnotations": {"a": "$ARGOCD_APP_NAME"}}, {"commonAnnotations": {"a": "$ARGOCD_APP_NAME"}}),
        (
            {},
            {"commonAnnotations": {"a": "$ARGOCD_APP_NAME"}, "commonAnnotationsEnvsubst": True},
            {"commonAnnotations": {"a": "web"}},
        ),
        (
            {"patches": [{"path": "a"}]},
            {"patches": [{"patch": "b", "path": "", "target": {"kind": "Service"}}]},
            {"patches": [{"path": "a"}, {"patch": "b", "target": {"kind": "Service"}}]},
        ),
        ({"components": ["a"]}, {"components": ["b", "a"]}, {"components": ["a", "b"]}),
    ],
)
def test_the_options_of_an_application(own: dict[str, Any], options: dict[str, Any], found: dict[str, Any]) -> None:
    assert with_kustomize_options(own, options, VARIABLES) == found
